"""The summary of a plan as Markdown, for a comment on a pull request: no values, and everything escaped."""

from __future__ import annotations

import re
from collections.abc import Sequence

from generator.findings import Finding
from generator.report.drawing import Drawing, visible
from generator.terraform import planned
from generator.terraform.planned import PlannedChange

# GitHub takes 65,536 characters in a comment.
_ROWS = 200
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~@&$:.-])")


def markdown(
    changes: Sequence[PlannedChange] | None, outputs: Sequence[str], findings: Sequence[Finding], drawing: Drawing
) -> str:
    """Counts, changes and findings.

    Args:
        changes: of the plan; None when lint stood in its way.
        outputs: names of outputs that change.
        findings: of lint and of the plan.
        drawing: how paths are told.
    """
    parts = [f"### Terraform plan: {_headline(changes, outputs)}"]
    refused = [f for f in findings if f.refused]
    if refused:
        parts.append(
            f"**Refused**: {_count(len(refused), 'finding')} must be approved or mended before this can be applied."
        )
    rows = [_row(c) for c in changes or () if c.matters] + [f"| output | {escaped(name)} | |" for name in outputs]
    if rows:
        parts.append("\n".join(["| action | address | why, or what changes |", "|---|---|---|", *_cut(rows)]))
    if findings:
        parts.append("\n".join(["#### Findings", "", *_cut([_finding(f, drawing) for f in findings])]))
    return "\n\n".join(parts) + "\n"


def _headline(changes: Sequence[PlannedChange] | None, outputs: Sequence[str]) -> str:
    if changes is None:
        return "not made, because of what lint has found"
    told = [f"{n} to {word}" for word, n in planned.counts(changes).items() if n]
    return ", ".join(told) or ("only outputs change" if outputs else "no changes")


def escaped(text: str) -> str:
    """Text that Markdown and HTML show as it is, on one line."""
    return _SPECIAL.sub(lambda m: f"&#{ord(m[1])};", visible(" ".join(text.split())))


def _row(change: PlannedChange) -> str:
    moved = f" (moved from {change.previous_address})" if change.previous_address else ""
    return f"| {escaped(change.word)} | {escaped(change.address + moved)} | {escaped(change.detail)} |"


def _finding(finding: Finding, drawing: Drawing) -> str:
    at = finding.location
    place = f"{drawing.path(at.path)}:{at.line}" if at else finding.resource or ""
    text = f"- **{finding.severity.value}** {escaped(finding.rule)}: {escaped(finding.message)}"
    return f"{text} ({escaped(place)}) {escaped(finding.help)}"


def _cut(rows: Sequence[str]) -> list[str]:
    more = len(rows) - _ROWS
    return [*rows[:_ROWS], f"\n… and {more} more"] if more > 0 else list(rows)


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
