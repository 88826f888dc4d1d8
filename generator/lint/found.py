"""From raised problems to findings: places, related places, and one finding per rule and place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.findings import Finding, Location, Related, Severity
from generator.lint.asking import Raised, addresses_around
from generator.rules.base import Rule
from generator.view import Span

# A module that is called fifty times needs no list of all of them.
RELATED_LIMIT = 10

# The folder of a tree's root, and an address in it.
Instance = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One problem of one instance as a finding, before those of the same place become one.

    Attributes:
        rule: the rule.
        finding: as it would be shown.
        span: the place.
        root: the folder of the tree it came up in, None for a file's own.
        folders: where it lies, and where the module calls are written that lead to it.
        instances: the resource instances that are written in the same place as the one it is about, in all trees.
    """

    rule: Rule
    finding: Finding
    span: Span | None
    root: Path | None
    folders: tuple[Path, ...]
    instances: frozenset[Instance] = frozenset()

    @property
    def path(self) -> Path | None:
        """The file it lies in."""
        return self.span.source.path if self.span else None


def location(span: Span) -> Location:
    """The place of a span, in lines and columns from 1."""
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(max(span.start, span.end))
    return Location(span.source.path, line, column, end_line, end_column)


def occurrence(raised: Raised, severity: Severity, instances: frozenset[Instance] = frozenset()) -> Occurrence:
    """What a raised problem says, with the severity that it gets."""
    problem, at = raised.problem, raised.problem.at
    calls = _calls(raised)
    related = [Related(location(n.span), n.message) for n in problem.notes if n.span != at]
    related += [Related(location(span), f"{module} is called here") for module, span in calls]
    finding = Finding(
        rule=raised.rule.name,
        severity=severity,
        message=problem.message,
        help=problem.help,
        location=location(at) if at else None,
        resource=problem.resource,
        related=tuple(related),
        fix=problem.fix,
        refused=problem.refused,
        sensitive=problem.sensitive,
    )
    spans = ([at] if at else []) + [span for _, span in calls]
    folders = tuple(dict.fromkeys(s.source.path.parent for s in spans))
    return Occurrence(raised.rule, finding, at, Path(raised.tree.root) if raised.tree else None, folders, instances)


def _calls(raised: Raised) -> list[tuple[str, Span]]:
    """The calls that lead to the module instance, innermost first."""
    if raised.tree is None:
        return []
    calls = raised.tree.calls
    return [(address, calls[address]) for address in addresses_around(raised.module) if address in calls]


def merged(occurrences: Iterable[Occurrence]) -> list[Finding]:
    """One finding per rule and place, in order; what only the others say goes to `related`."""
    groups: dict[tuple[object, ...], list[Occurrence]] = {}
    for one in occurrences:
        at = one.finding.location
        place = (at.path, at.line, at.column, at.end_line, at.end_column) if at else (one.finding.resource,)
        groups.setdefault((one.rule.name, *place), []).append(one)
    return sorted((_one(group) for group in groups.values()), key=lambda f: f.sort_key)


def _one(group: Sequence[Occurrence]) -> Finding:
    findings = [o.finding for o in group]
    # `max` takes the first of the strongest.
    first = max(findings, key=lambda f: f.severity.rank)
    related = dict.fromkeys(first.related)
    for other in findings:
        if other.message != first.message and first.location:
            about = f"{other.resource}: " if other.resource and other.resource != first.resource else ""
            related[Related(first.location, about + other.message)] = None
        related.update(dict.fromkeys(other.related))
    kept = tuple(related)[:RELATED_LIMIT]
    # A fix that only some instances want would change the others too.
    wanting = {(str(o.root), o.finding.resource or "") for o in group}
    agreed = all(f.fix == first.fix for f in findings) and all(o.instances <= wanting for o in group)
    sensitive = any(f.sensitive for f in findings)
    return replace(first, related=kept, fix=first.fix if agreed else None, sensitive=sensitive)
