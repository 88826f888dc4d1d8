"""Comments that ask to ignore a rule: `# gke-rdma: ignore[local-ssd] why it is fine`.

At the end of a line such a comment counts for that line; on a line of its own for the next line, or for the whole block that
begins there. Several may stand one above the other.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from generator.hcl.nodes import Block, File, walk
from generator.hcl.source import Source, Span
from generator.lint.comments import comments
from generator.rules import registry
from generator.view import IgnoreComment

MARK = "gke-rdma:"
_WORDS = re.compile(r"(?:#+|//+|/\*+)[ \t]*gke-rdma:[ \t]*ignore\b(.*)", re.DOTALL)
_FORM = re.compile(r"[ \t]*\[([^\]\n]*)\][ \t:,.–—-]*(.*)", re.DOTALL)

Judge = Callable[[str, "Ignore"], bool]


@dataclass(slots=True, eq=False)
class Ignore:
    """One such comment.

    Attributes:
        span: the comment.
        names: the rules it names.
        reason: what stands behind the brackets.
        fault: why it does not count, or None.
        lines: first and last line that it counts for.
        block: the block at the top level that it stands in or above; None when there is none.
        used: names that have ignored something.
    """

    span: Span
    names: tuple[str, ...]
    reason: str
    fault: str | None
    lines: tuple[int, int] = (0, 0)
    block: Block | None = None
    used: set[str] = field(default_factory=set)


class Ignores:
    """The ignore comments of one file.

    Args:
        source: its text.
        parse: gives its nodes; only asked when the text mentions the program at all.
    """

    def __init__(self, source: Source, parse: Callable[[Source], File]) -> None:
        self.complete = True
        self.items: tuple[Ignore, ...] = ()
        if MARK in source.text and source.path.suffix != ".json":
            file = parse(source)
            # Among what could not be read nobody can tell a comment from a string.
            self.complete = not file.problems
            self.items = tuple(_read(source, file))
        # By rule, and by the first line of the block at the top level or, for a line alone, by that line.
        self._for_lines: dict[tuple[str, int], list[Ignore]] = {}
        self._for_blocks: dict[tuple[str, int], list[Ignore]] = {}
        for ignore in self.items:
            for name in () if ignore.fault else ignore.names:
                if ignore.block is None or ignore.lines[0] == ignore.lines[1]:
                    self._for_lines.setdefault((name, ignore.lines[0]), []).append(ignore)
                else:
                    line = source.position(ignore.block.start)[0]
                    self._for_blocks.setdefault((name, line), []).append(ignore)
        self._block_lines = sorted({line for _, line in self._for_blocks})

    def take(self, name: str, line: int) -> bool:
        """Whether a finding that begins on a line is ignored; remembers the comments that did it."""
        found = list(self._for_lines.get((name, line), ()))
        if around := bisect_right(self._block_lines, line):
            blocks = self._for_blocks.get((name, self._block_lines[around - 1]), ())
            found += [i for i in blocks if i.lines[0] <= line <= i.lines[1]]
        for ignore in found:
            ignore.used.add(name)
        return bool(found)

    def judged(self, ran_in_full: Judge) -> Iterator[IgnoreComment]:
        """The comments with what is wrong with them, once all findings were offered to `take`.

        Args:
            ran_in_full: whether a rule, by name, has looked at all that a comment stands for.
        """
        for ignore in self.items if self.complete else ():
            idle = (
                [n for n in ignore.names if n not in ignore.used and ran_in_full(n, ignore)] if not ignore.fault else []
            )
            yield IgnoreComment(ignore.span, ignore.names, ignore.reason, ignore.fault, tuple(idle))


def _read(source: Source, file: File) -> Iterator[Ignore]:
    found: list[tuple[Ignore, bool]] = []
    for comment in comments(source, file.body):
        words = _WORDS.match(comment.text)
        if words:
            before = source.text.rfind("\n", 0, comment.start) + 1
            alone = not source.text[before : comment.start].strip(" \t\ufeff")
            found.append((_understood(_trimmed(comment), words[1]), alone))
    if not found:
        return
    alone_on = {source.position(i.span.start)[0] for i, alone in found if alone}
    blocks = _blocks_by_line(source, file)
    for ignore, alone in found:
        line = source.position(ignore.span.start)[0]
        if alone:
            while line in alone_on:
                line += 1
        block = blocks.get(line) if alone else None
        ignore.lines = (line, source.position(block.end - 1)[0]) if block else (line, line)
        at = block.start if block else ignore.span.start
        ignore.block = next((b for b in file.body.blocks if b.start <= at < b.end), None)
        yield ignore


def _trimmed(comment: Span) -> Span:
    return Span(comment.source, comment.start, comment.start + len(comment.text.rstrip()))


def _understood(span: Span, words: str) -> Ignore:
    form = _FORM.match(words)
    if form is None:
        return Ignore(span, (), "", "the names of the rules have to stand in brackets behind `ignore`")
    names = tuple(dict.fromkeys(n for part in form[1].split(",") if (n := part.strip())))
    reason = form[2].strip()
    return Ignore(span, names, reason, _fault(span, names, reason))


def _fault(span: Span, names: Iterable[str], reason: str) -> str | None:
    if span.text.startswith("/*"):
        return "only comments with # or // count"
    if not names:
        return "it names no rule"
    for name in names:
        if name not in registry.names():
            return f"{name} is no rule ({registry.suggestion(name)})"
    return None if any(c.isalnum() for c in reason) else "it gives no reason"


def _blocks_by_line(source: Source, file: File) -> dict[int, Block]:
    """The outermost block that begins on each line, where nothing but blanks stands before it."""
    found: dict[int, Block] = {}
    for node in walk(file.body):
        if isinstance(node, Block):
            line, column = source.position(node.start)
            if not source.line_text(line).removeprefix("\ufeff")[: column - 1].strip():
                found.setdefault(line, node)
    return found
