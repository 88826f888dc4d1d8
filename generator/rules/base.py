"""What a rule is: a requirement written once, over a view.

A rule's file holds its docstring, which is its page (see `docs/rules/`), one check function, and one `RULE`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import UnionType
from typing import Any

from generator.findings import Fix, Severity
from generator.view import Cluster, HiddenCheck, IgnoreComment, ModuleTree, NodePool, Resource, Span, TextFile

ERROR, WARNING, ADVICE = Severity.ERROR, Severity.WARNING, Severity.ADVICE

# A rule says which view it seeks; the engine walks each kind once and hands it to the rules that seek it.
View = Resource | NodePool | Cluster | ModuleTree | TextFile | IgnoreComment | HiddenCheck
Seeks = (
    type[Resource]
    | type[NodePool]
    | type[Cluster]
    | type[ModuleTree]
    | type[TextFile]
    | type[IgnoreComment]
    | type[HiddenCheck]
    | UnionType
)


@dataclass(frozen=True, slots=True)
class Note:
    """Another place that a finding mentions."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What a check reports; the engine makes a finding of it.

    Attributes:
        severity: one of those that the rule declares.
        message: what was found and what is needed.
        help: what to write.
        at: the span to point at; None in a plan without its text.
        resource: the address it is about.
        notes: further places.
        fix: the edits that mend it.
        refused: the plan must not be applied for this (plan rules only).
        sensitive: `at` may be the text of a sensitive value.
    """

    severity: Severity
    message: str
    help: str
    at: Span | None
    resource: str | None = None
    notes: tuple[Note, ...] = ()
    fix: Fix | None = None
    refused: bool = False
    sensitive: bool = False


# `Any` because each rule's check takes the one view that it seeks.
Check = Callable[[Any], Iterable[Problem]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule's declaration.

    Attributes:
        name: as users write it: `local-ssd`.
        severities: the severities it may report, strongest first.
        seeks: the view it is asked about, or several (`Resource | TextFile`).
        check: yields the problems of one view.
        summary: one line for `gke-rdma rules`.
        depths: where the question makes sense.
        unreadable: its errors mean that a file could not be read: it runs also when it is not selected, its errors lead to
            exit code 2, and no baseline makes them known.
        refuses: its errors stop a plan (`Problem.refused`); no configuration, comment or baseline changes that.
        gives_way: it says nothing about a place where another rule has an error or a warning.
    """

    name: str
    severities: tuple[Severity, ...]
    seeks: Seeks
    check: Check
    summary: str
    depths: frozenset[str] = field(default=frozenset({"text", "plan"}))
    unreadable: bool = False
    refuses: bool = False
    gives_way: bool = False
