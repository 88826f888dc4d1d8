"""Applies the fixes that findings come with, until nothing changes.

Everything is tried in memory first: the linter runs over the changed text as if it were written, and what leaves a file that
cannot be read, or more findings than before, is dropped. Only then are there new contents to be written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path

from generator.findings import Edit, Finding, Safety, Severity
from generator.hcl.module_files import trials
from generator.lint.engine import lint
from generator.lint.request import Outcome, Request

# A fix can make another one possible; chains longer than this are none that rules mean.
MAX_ROUNDS = 10
# So many runs of the linter are spent on finding out which fix does harm.
MAX_RUNS = 200


@dataclass(slots=True)
class Fixing:
    """What came of it.

    Attributes:
        outcome: what the linter says about the changed text.
        before: the contents of changed files as they are on disk, by resolved path.
        after: their new contents.
        fixed: the findings that fixes took away.
    """

    outcome: Outcome
    before: dict[Path, bytes] = field(default_factory=dict)
    after: dict[Path, bytes] = field(default_factory=dict)
    fixed: list[Finding] = field(default_factory=list)

    @property
    def changed(self) -> list[Path]:
        """The files with new contents, in order."""
        return sorted(path for path, content in self.after.items() if content != self.before[path])


def fix(request: Request, *, unsafe: bool = False) -> Fixing:
    """Try fixes on what the linter finds.

    Args:
        request: what to check.
        unsafe: also fixes that may replace something or cost money.

    Returns:
        The new contents; nothing is written.
    """
    return _Rounds(request, unsafe).run()


def applicable(findings: Iterable[Finding], outcome: Outcome, unsafe: bool) -> list[Finding]:
    """The findings with a fix that may be applied: of a safety that is wanted, in modules that were asked for."""
    return [
        f
        for f in findings
        if f.fix is not None
        and (unsafe or f.fix.safety is Safety.SAFE)
        and f.fix.edits
        and all(edit.path.parent in outcome.asked for edit in f.fix.edits)
    ]


def diff(fixing: Fixing, directory: Path) -> str:
    """All changes as a unified diff, paths relative to the working directory."""
    return "".join(
        line
        for path in fixing.changed
        for line in _diff(_shown(path, directory), _text(fixing.before[path]), _text(fixing.after[path]))
    )


def _diff(name: str, before: str, after: str) -> Iterator[str]:
    # Only "\n" ends a line here: `splitlines` would also break at characters that may stand in a string.
    for line in unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _shown(path: Path, directory: Path) -> str:
    try:
        return path.relative_to(directory.resolve()).as_posix()
    except ValueError:
        return path.as_posix().lstrip("/")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; they must not overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


@dataclass(frozen=True, slots=True)
class _State:
    """Where the rounds have come to: contents in place of files, and what the linter says about them."""

    contents: Mapping[Path, bytes]
    outcome: Outcome
    measure: tuple[int, ...]


class _Rounds:
    """One run."""

    def __init__(self, request: Request, unsafe: bool) -> None:
        self.request = request
        self.unsafe = unsafe
        self.runs = 0
        self.dropped: set[tuple[object, ...]] = set()
        self.before: dict[Path, bytes] = {}
        self.fixed: list[Finding] = []

    def run(self) -> Fixing:
        state = self._state({})
        for _ in range(MAX_ROUNDS):
            following = self._round(state)
            if following is None:
                break
            state = following
        return Fixing(state.outcome, self.before, dict(state.contents), self.fixed)

    def _round(self, state: _State) -> _State | None:
        """The state after one more round; None when no fix is left."""
        chosen = self._chosen(state.outcome)
        if not chosen:
            return None
        taken: list[Finding] = []
        following = state
        # All at once; where that does harm, halves, down to the single fix that does it.
        waiting = [chosen]
        while waiting:
            group = waiting.pop()
            tried = self._tried(state, [*taken, *group]) if self.runs < MAX_RUNS else None
            if tried is not None:
                taken += group
                following = tried
            elif len(group) == 1:
                self.dropped.add(_key(group[0]))
            else:
                half = len(group) // 2
                waiting += [group[half:], group[:half]]
        left = {_key(f) for f in following.outcome.report.findings}
        # What is still there after its fix would be fixed for ever.
        self.dropped |= {_key(f) for f in taken} & left
        self.fixed += [f for f in taken if _key(f) not in left]
        return following

    def _chosen(self, outcome: Outcome) -> list[Finding]:
        """Fixes that do not touch the same bytes; the first in the text wins."""
        taken: dict[Path, list[Edit]] = {}
        chosen: list[Finding] = []
        for finding in applicable(outcome.report.findings, outcome, self.unsafe):
            assert finding.fix is not None
            if _key(finding) in self.dropped or any(_meets(e, taken.get(_real(e), ())) for e in finding.fix.edits):
                continue
            chosen.append(finding)
            for edit in finding.fix.edits:
                taken.setdefault(_real(edit), []).append(edit)
        return chosen

    def _tried(self, state: _State, findings: Sequence[Finding]) -> _State | None:
        """The state after these fixes; None when they do harm or nothing."""
        contents = dict(state.contents)
        by_file: dict[Path, list[Edit]] = {}
        for finding in findings:
            for edit in finding.fix.edits if finding.fix else ():
                by_file.setdefault(_real(edit), []).append(edit)
        for path, edits in by_file.items():
            known = contents.get(path)
            if known is None:
                known = self.before.setdefault(path, path.read_bytes())
            try:
                contents[path] = apply_edits(known.decode("utf-8"), edits).encode("utf-8")
            except UnicodeDecodeError:
                return None
        if contents == state.contents:
            return None
        after = self._state(contents)
        return after if _is_better(state, after) else None

    def _state(self, contents: Mapping[Path, bytes]) -> _State:
        self.runs += 1
        token = trials.set(contents)
        try:
            outcome = lint(self.request)
            whole = outcome
            if not self.request.flags.pedantic:
                whole = lint(replace(self.request, flags=replace(self.request.flags, pedantic=True)))
        finally:
            trials.reset(token)
        return _State(contents, outcome, _measure(whole))


def _measure(outcome: Outcome) -> tuple[int, ...]:
    """What must not grow: failures, files that cannot be read, and findings from errors to all of them."""
    from generator.rules import registry
    from generator.view import TextFile

    ranks = [f.severity.rank for f in outcome.report.findings]
    unreadable = sum(1 for f in outcome.report.findings if registry.find(f.rule).seeks is TextFile)
    counts = tuple(sum(1 for rank in ranks if rank >= severity.rank) for severity in Severity)
    return (len(outcome.report.errors), unreadable, *counts)


def _is_better(before: _State, after: _State) -> bool:
    """Whether nothing has grown, and something is less."""
    pairs = list(zip(before.measure, after.measure, strict=True))
    return all(new <= old for old, new in pairs) and any(new < old for old, new in pairs)


def _real(edit: Edit) -> Path:
    # Two names of one file are the same bytes.
    return edit.path.resolve()


def _meets(edit: Edit, others: Iterable[Edit]) -> bool:
    """Whether two edits touch the same bytes; two that put something in at one place do so too."""
    return any(edit.start <= other.end and other.start <= edit.end for other in others)


def _key(finding: Finding) -> tuple[object, ...]:
    """What a finding is recognized by when the text before it has changed."""
    at = finding.location
    texts = tuple(edit.text for edit in finding.fix.edits) if finding.fix else ()
    return (finding.rule, finding.resource, finding.message, at.path if at else None, texts)
