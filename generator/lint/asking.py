"""Hands every view to the rules that seek its kind, once, and keeps what they report.

Nothing here knows a rule by name. A rule that fails hides nothing that the others find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from generator.errors import UserError
from generator.lint.defects import defect
from generator.rules.base import Problem, Rule, View
from generator.view import Cluster, HiddenCheck, ModuleTree, NodePool, Resource, Span, TextFile, Unknown
from generator.view.convert import unknowns_seen

T = TypeVar("T", bound=View)


@dataclass(frozen=True, slots=True)
class Raised:
    """A problem with where it came up.

    Attributes:
        rule: the rule that reported it.
        problem: what it reported.
        tree: the tree it came up in; None for a file, which belongs to all trees that read it.
        module: address of the module instance it concerns, "" for the root.
    """

    rule: Rule
    problem: Problem
    tree: ModuleTree | None = None
    module: str = ""


@dataclass(slots=True)
class _Met:
    """An unknown value that rules came upon."""

    unknown: Unknown
    resource: str | None
    tree: ModuleTree
    module: str
    rules: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Asking:
    """One round of questions.

    Attributes:
        rules: all that may be asked.
        asked: whether a rule is asked about what lies in a folder.
        raised: what they reported, in the order of the views.
        defects: rules that failed, as errors to be shown.
    """

    rules: tuple[Rule, ...]
    asked: Callable[[Rule, Path], bool]
    raised: list[Raised] = field(default_factory=list)
    defects: list[UserError] = field(default_factory=list)
    _met: dict[tuple[object, ...], _Met] = field(default_factory=dict)
    _partly: dict[tuple[str, Path], set[int]] = field(default_factory=dict)
    _partly_everywhere: set[tuple[str, Path]] = field(default_factory=set)
    _failed: set[str] = field(default_factory=set)
    _resources: dict[Path, set[int]] = field(default_factory=dict)

    def ask_trees(self, trees: Iterable[ModuleTree]) -> None:
        """Ask about everything in module trees; a file of several trees is asked about once."""
        files: dict[Path, TextFile] = {}
        for tree in trees:
            folders = {f.source.path.parent for f in tree.files} or {Path(tree.root)}
            rules = [r for r in self.rules if any(self.asked(r, folder) for folder in folders)]
            for view, resource in _views(tree):
                self._note_header(resource)
                for rule in rules:
                    if isinstance(view, rule.seeks):
                        self._ask_in_tree(rule, view, resource, tree)
            files.update((f.source.path, f) for f in tree.files)
        self.ask_each(files.values(), lambda file: file.source.path.parent)

    def ask_each(self, views: Iterable[T], folder: Callable[[T], Path | None]) -> None:
        """Ask about views that belong to no tree of their own.

        Args:
            views: what to ask about.
            folder: where a view lies; None when nobody knows, then every rule is asked.
        """
        for view in views:
            at = folder(view)
            for rule in self.rules:
                if isinstance(view, rule.seeks) and (at is None or self.asked(rule, at)):
                    self.raised += [Raised(rule, problem) for problem in self._problems(rule, view)]

    def ask_hidden(self) -> None:
        """Ask about every unknown that a rule has come upon so far."""
        for met in list(self._met.values()):
            view = HiddenCheck(met.unknown, tuple(sorted(met.rules)), met.resource)
            for rule in self.rules:
                if rule.seeks is HiddenCheck:
                    for problem in self._problems(rule, view):
                        self.raised.append(Raised(rule, problem, met.tree, met.module))

    def ran_in_full(self, name: str, path: Path, start: int, end: int) -> bool:
        """Whether a rule met neither a defect nor an unknown in a stretch of a file."""
        if (name, path) in self._partly_everywhere:
            return False
        partly = self._partly.get((name, path), ())
        return name not in self._failed and not any(start <= at < end for at in partly)

    def has_resource(self, path: Path, start: int, end: int) -> bool:
        """Whether a stretch of a file holds a resource that was asked about."""
        return any(start <= at < end for at in self._resources.get(path, ()))

    def _note_header(self, resource: Resource | None) -> None:
        if resource is not None and resource.header is not None:
            header = resource.header
            self._resources.setdefault(header.source.path, set()).add(header.start)

    def _ask_in_tree(self, rule: Rule, view: View, resource: Resource | None, tree: ModuleTree) -> None:
        token = unknowns_seen.set([])
        try:
            problems = list(self._problems(rule, view))
            unknowns = unknowns_seen.get() or []
        finally:
            unknowns_seen.reset(token)
        module = resource.module if resource else ""
        address = resource.address if resource else None
        self.raised += [Raised(rule, p, tree, _module_of(p, tree) or module) for p in problems]
        if unknowns or (not tree.complete and isinstance(view, ModuleTree)):
            self._note_partly(rule, view, tree, unknowns)
        for unknown in unknowns:
            span = unknown.span
            place = (span.source.path, span.start) if span else (address, unknown.reason)
            met = self._met.setdefault(place, _Met(unknown, address, tree, module))
            met.rules.add(rule.name)

    def _note_partly(self, rule: Rule, view: View, tree: ModuleTree, unknowns: Iterable[Unknown]) -> None:
        """Remember where a rule may have kept silent because of an unknown: all that it could have pointed at."""
        spans = [u.span for u in unknowns] + _headers(view)
        for span in spans:
            if span is not None:
                self._partly.setdefault((rule.name, span.source.path), set()).add(span.start)
        if isinstance(view, ModuleTree):
            self._partly_everywhere.update((rule.name, file.source.path) for file in tree.files)

    def _problems(self, rule: Rule, view: View) -> Iterator[Problem]:
        try:
            yield from rule.check(view)
        except Exception as error:
            if rule.name not in self._failed:
                self._failed.add(rule.name)
                span = _span(view)
                path, line = (span.source.path, span.source.position(span.start)[0]) if span else (None, None)
                self.defects.append(defect(f"the rule {rule.name}", error, path=path, line=line))


def _views(tree: ModuleTree) -> Iterator[tuple[View, Resource | None]]:
    """Every view of a tree but its files, with the resource that it is about."""
    for resource in tree.resources:
        yield resource, resource
    for pool in tree.pools:
        yield pool, pool.resource
    for cluster in tree.clusters:
        yield cluster, cluster.resource
    yield tree, None


def _module_of(problem: Problem, tree: ModuleTree) -> str:
    """The innermost module instance whose address begins the address that a problem names."""
    around = (problem.resource or "").rpartition(".")[0]
    return next((address for address in addresses_around(around) if address in tree.calls), "")


def addresses_around(address: str) -> Iterator[str]:
    """An address and all that it begins with up to a dot, longest first; a dot in a key makes some that name nothing."""
    while address:
        yield address
        address = address.rpartition(".")[0]


def _span(view: View) -> Span | None:
    if isinstance(view, Cluster):
        return view.resource.header
    return view.header if isinstance(view, Resource | NodePool) else None


def _headers(view: View) -> list[Span | None]:
    """The headers of what a view shows: of a pool its cluster's too, of a cluster those of its pools."""
    if isinstance(view, Cluster):
        return [view.resource.header, *(pool.header for pool in view.pools), *(p.resource.header for p in view.pools)]
    if isinstance(view, NodePool):
        around = [view.cluster.resource.header] if isinstance(view.cluster, Cluster) else []
        return [view.header, view.resource.header, *around]
    return [view.header] if isinstance(view, Resource) else []
