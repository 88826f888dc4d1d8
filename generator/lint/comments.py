"""The comments of a file, told apart from text in strings and heredocs that only looks like one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from generator.hcl.nodes import Body, Label, RelativeTraversal, ScopeTraversal, Template, TemplateWrap, walk
from generator.hcl.source import Source, Span

_START = re.compile(r"#|//|/\*")
_LINE_END = re.compile(r"\r?\n|\Z")
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def comments(source: Source, body: Body) -> Iterator[Span]:
    """All comments in order, from their first character to their last one before the end of the line.

    Args:
        source: the text.
        body: its nodes; what could not be read has none, so strings there may be taken for comments.
    """
    strings = _strings(source, body)
    starts = [start for start, _ in strings]
    text, at = source.text, 0
    while found := _START.search(text, at):
        start = found.start()
        around = bisect_right(starts, start) - 1
        if around >= 0 and start < strings[around][1]:
            at = strings[around][1]
            continue
        if found[0] == "/*":
            closing = text.find("*/", start + 2)
            at = len(text) if closing < 0 else closing + 2
        else:
            end = _LINE_END.search(text, start)
            at = end.start() if end else len(text)
        yield Span(source, start, at)


def _strings(source: Source, body: Body) -> list[tuple[int, int]]:
    """Borders of all text that is no code, in order; what lies within another one is left out."""
    found: list[tuple[int, int]] = []
    for node in walk(body):
        if isinstance(node, Template | TemplateWrap | Label):
            found.append((node.start, node.end))
        elif isinstance(node, ScopeTraversal | RelativeTraversal):
            # The key of `local.zones["a#b"]` is part of a step, which has no place of its own.
            found.extend(key.span() for key in _QUOTED.finditer(source.text, node.start, node.end))
    outer: list[tuple[int, int]] = []
    for start, end in sorted(found, key=lambda s: (s[0], -s[1])):
        if not outer or start >= outer[-1][1]:
            outer.append((start, end))
    return outer
