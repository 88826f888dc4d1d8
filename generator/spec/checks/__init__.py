"""What a schema cannot say: which values go together. Each check is a small function over the data of the spec."""

from __future__ import annotations

from collections.abc import Iterator

from generator.spec.checks import capacity, cluster, maintenance, names, networks, pools, top
from generator.spec.checks.look import Check, Look
from generator.spec.document import Document, Problem


def problems(document: Document) -> list[Problem]:
    """Every combination that cannot be, each with its place."""
    look = Look(document)
    return [problem for check in _checks() for problem in check(look)]


def doubts(document: Document) -> list[Problem]:
    """Text that arrives as it is written, but that Kubernetes or Google Cloud will refuse: no reason to generate nothing."""
    look = Look(document)
    return [problem for check in names.CHECKS for problem in check(look)]


def _checks() -> Iterator[Check]:
    for room in (top, cluster, maintenance, pools, capacity, networks):
        yield from room.CHECKS
