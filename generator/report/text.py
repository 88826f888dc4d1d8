"""Findings for people: the source line with the place marked, the help, related places, and a last line with the counts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from generator.findings import Finding, Location, Report, Severity, Summary
from generator.report.drawing import Drawing, ErrorEntry, error_entries, visible

_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.ADVICE: "1;36"}
_QUIET, _BOLD = "2", "1"
_WIDTH = 160  # longer source lines are cut around the place
_TAB = "    "
# What stands in quotes, also where they are not closed.
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)("|$)')


def render(report: Report, drawing: Drawing) -> str:
    """All errors and findings, then the summary unless quiet."""
    parts = [_error(e, drawing) for e in error_entries(report, drawing)]
    parts += [_finding(f, drawing) for f in report.findings]
    if drawing.statistics and report.findings:
        parts.append(_statistics(report))
    if not drawing.quiet:
        parts.append(summary_line(report.summary()) + "\n")
    return "\n".join(parts)


def summary_line(summary: Summary) -> str:
    """`2 errors, 1 warning in 4 files (1 ignored)`."""
    counts = ((summary.errors, "error"), (summary.warnings, "warning"), (summary.advice, "advice"))
    found = ", ".join(_count(n, word) for n, word in counts if n) or "no findings"
    ignored = f" ({summary.ignored} ignored)" if summary.ignored else ""
    return f"{found} in {_count(summary.files, 'file')}{ignored}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 or word == 'advice' else 's'}"


def _paint(text: str, code: str, drawing: Drawing) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if drawing.color else text


def _error(error: ErrorEntry, drawing: Drawing) -> str:
    place = ":".join(str(p) for p in (error.path, error.line, error.column) if p is not None)
    head = _paint("error", _COLORS[Severity.ERROR], drawing)
    first, *more = error.text.splitlines()
    lines = [f"{head}: {visible(f'{place}: {first}' if place else first)}", *(f"  {visible(line)}" for line in more)]
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, drawing: Drawing) -> str:
    color = _COLORS[finding.severity]
    head = _paint(f"{finding.severity.value}[{finding.rule}]", color, drawing)
    lines = [f"{head}: {_paint(visible(finding.message), _BOLD, drawing)}"]
    margin = " " * (len(str(finding.location.line)) if finding.location else 1)
    if finding.location:
        lines += _place(finding.location, margin, color, drawing, hidden=finding.sensitive)
    bar = _paint("=", _QUIET, drawing)
    if finding.resource:
        lines.append(f"{margin} {bar} in {visible(finding.resource)}")
    lines += [f"{margin} {bar} help: {visible(text)}" for text in finding.help.splitlines()]
    if finding.fix:
        lines.append(f"{margin} {bar} fix: {finding.fix.safety.value}, with --{_option(finding)}")
    for related in finding.related:
        at = related.location
        where = f"{drawing.path(at.path)}:{at.line}:{at.column}"
        lines.append(f"{margin} {bar} see {visible(where)}: {visible(related.message)}")
    return "\n".join(lines) + "\n"


def _option(finding: Finding) -> str:
    return "fix" if finding.fix and finding.fix.safety.value == "safe" else "unsafe-fixes"


def _place(at: Location, margin: str, color: str, drawing: Drawing, *, hidden: bool) -> list[str]:
    arrow, bar = _paint("-->", _QUIET, drawing), _paint("|", _QUIET, drawing)
    lines = [f"{margin}{arrow} {visible(drawing.path(at.path))}:{at.line}:{at.column}"]
    text = drawing.line_text(at.path, at.line)
    if text is None:
        return lines
    if hidden:
        text = _QUOTED.sub(lambda quoted: f'"{"*" * len(quoted[1])}{quoted[2]}', text)
    end = at.end_column if at.end_line == at.line else len(text) + 1
    shown, before, marked = _cut(text, at.column - 1, max(end - 1, at.column))
    number = _paint(str(at.line), _QUIET, drawing)
    marks = _paint("^" * marked, color, drawing)
    return [*lines, f"{margin} {bar}", f"{number} {bar} {shown}".rstrip(), f"{margin} {bar} {' ' * before}{marks}"]


def _cut(text: str, start: int, end: int) -> tuple[str, int, int]:
    """The line as it is shown, the width before the place, and the width of the place (at least 1)."""
    text = text.removeprefix("\ufeff")
    start = min(start, len(text))
    end = min(max(end, start), len(text))
    first = max(0, start - _WIDTH // 2) if len(text) > _WIDTH else 0
    last = first + _WIDTH
    left, middle, right = (_shown(text[first:start]), _shown(text[start : min(end, last)]), _shown(text[end:last]))
    left = ("…" if first else "") + left
    right += "…" if last < len(text) else ""
    return left + middle + right, _cells(left), max(_cells(middle), 1)


def _shown(text: str) -> str:
    return visible(text.replace("\t", _TAB))


def _cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1 for c in text
    )


def _statistics(report: Report) -> str:
    counts = Counter((f.rule, f.severity.value) for f in report.findings)
    width = len(str(max(counts.values())))
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{n:>{width}}  {rule}  {severity}\n" for (rule, severity), n in rows)
