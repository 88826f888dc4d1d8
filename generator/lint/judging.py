"""What the rules report about module trees, seen through configurations and ignore comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import UserError
from generator.findings import Severity
from generator.hcl.source import Source
from generator.lint.asking import Asking, Raised
from generator.lint.configuration import Configuration, Configurations
from generator.lint.found import Instance, Occurrence, occurrence
from generator.lint.ignores import MARK, Ignore, Ignores
from generator.rules.base import Rule
from generator.view import IgnoreComment, ModuleTree, Span

if TYPE_CHECKING:
    from generator.lint.baseline import Baseline


@dataclass(slots=True)
class Judged:
    """What came of it.

    Attributes:
        occurrences: problems to be shown, before known ones are taken out and those of one place become one.
        ignored: how many places comments have kept quiet.
        unread: a file could not be read, and nobody switched the rule off that says so.
        defects: rules that failed.
        sources: the text of the files that occurrences lie in.
        home: the folder whose configuration counts for what has no place.
    """

    occurrences: list[Occurrence] = field(default_factory=list)
    ignored: int = 0
    unread: bool = False
    defects: list[UserError] = field(default_factory=list)
    sources: dict[Path, Source] = field(default_factory=dict)
    home: Path | None = None

    def without_known(self, baseline: Callable[[Path], Baseline | None]) -> tuple[list[Occurrence], int]:
        """The occurrences that no baseline knows, and how many places one does know.

        Args:
            baseline: the one that counts in a folder.
        """
        by_baseline: dict[Baseline | None, list[Occurrence]] = {}
        for one in self.occurrences:
            folder = one.path.parent if one.path else self.home
            by_baseline.setdefault(baseline(folder) if folder else None, []).append(one)
        new: list[Occurrence] = []
        for known, found in by_baseline.items():
            new += known.new(found) if known else found
        return new, len(_places(self.occurrences) - _places(new))


class Judging:
    """Asks the rules about trees, and keeps what is to be shown.

    Args:
        rules: those that make sense for text.
        configurations: which rules run where, and with what severity.
        asked: the folders of the modules that were asked for, and files that were named.
        home: the folder whose configuration counts for problems without a place; None when there are none.
    """

    def __init__(
        self, rules: Sequence[Rule], configurations: Configurations, asked: set[Path], home: Path | None = None
    ) -> None:
        self.configurations = configurations
        self.asked = asked
        self.by_name = {rule.name: rule for rule in rules}
        self.asking = Asking(tuple(rules), self._runs)
        self.comments: dict[Path, Ignores] = {}
        self.home = home
        self.result = Judged(home=home)
        self._quiet: set[tuple[str, object]] = set()
        self._instances: dict[Instance, frozenset[Instance]] = {}

    def judge(self, trees: Iterable[ModuleTree]) -> Judged:
        """Everything to be shown about these trees."""
        trees = list(trees)
        self._instances = _written_together(trees)
        self.asking.ask_trees(trees)
        self.asking.ask_hidden()
        self._take(_without_giving_way(self.asking.raised))
        self._judge_comments(trees)
        self.result.ignored = len(self._quiet)
        self.result.defects = self.asking.defects
        return self.result

    def _judge_comments(self, trees: Iterable[ModuleTree]) -> None:
        sources = {f.source.path: f.source for tree in trees for f in tree.files}
        views: list[IgnoreComment] = []
        for path, source in sources.items():
            if path.parent in self.asked and MARK in source.text:
                views += self._ignores(source).judged(self._ran_in_full)
        before = len(self.asking.raised)
        self.asking.ask_each(views, lambda view: view.span.source.path.parent)
        self._take(self.asking.raised[before:])

    def _runs(self, rule: Rule, folder: Path) -> bool:
        return self.configurations.of(folder).runs(rule)

    def _take(self, raised: Iterable[Raised]) -> None:
        for one in raised:
            found = self._occurrence(one)
            if found is None or not self._wanted(found):
                continue
            if self._is_ignored(found):
                self._quiet.add((found.rule.name, found.finding.location))
                continue
            if found.rule.unreadable and one.problem.severity is found.rule.severities[0]:
                self.result.unread = True
            configuration = self._configuration(found.span)
            if configuration is None or configuration.shows(found.finding.severity):
                self.result.occurrences.append(found)
                if found.span:
                    self.result.sources[found.span.source.path] = found.span.source

    def _configuration(self, at: Span | None) -> Configuration | None:
        folder = at.source.path.parent if at else self.home
        return self.configurations.of(folder) if folder else None

    def _occurrence(self, raised: Raised) -> Occurrence | None:
        """None when the rule does not run where the problem lies."""
        configuration = self._configuration(raised.problem.at)
        if configuration is None:
            return occurrence(raised, raised.problem.severity)
        if not configuration.runs(raised.rule):
            return None
        severity = configuration.level(raised.rule.name, raised.problem.severity)
        if severity is None:
            return None
        # What is about a whole tree changes no resource.
        key = (raised.tree.root, raised.problem.resource or "") if raised.tree else ("", "")
        alone = raised.problem.fix is None or raised.rule.seeks is ModuleTree
        return occurrence(raised, severity, frozenset() if alone else self._instances.get(key, frozenset()))

    def _wanted(self, found: Occurrence) -> bool:
        """Whether it lies in a module that was asked for, or comes about through a call that is written in one."""
        if found.path and self.configurations.excludes(found.path, folder=False):
            return False
        # What has no place (a plan without its text) was asked for as a whole.
        return found.span is None or found.path in self.asked or any(f in self.asked for f in found.folders)

    def _is_ignored(self, found: Occurrence) -> bool:
        if found.span is None or found.finding.location is None or found.rule.unreadable:
            return False
        return self._ignores(found.span.source).take(found.rule.name, found.finding.location.line)

    def _ignores(self, source: Source) -> Ignores:
        known = self.comments.get(source.path)
        if known is None:
            from generator.hcl.parser import parse

            known = self.comments[source.path] = Ignores(source, parse)
        return known

    def _ran_in_full(self, name: str, ignore: Ignore) -> bool:
        """Whether a rule has looked at all that an ignore comment stands for, so that its silence says something."""
        rule, path = self.by_name.get(name), ignore.span.source.path
        if rule is None or rule.unreadable or rule.seeks is IgnoreComment or not self._runs(rule, path.parent):
            return False
        block = ignore.block
        if block is None:
            return True
        if block.type in ("resource", "data") and not self.asking.has_resource(path, block.start, block.end):
            return False
        return self.asking.ran_in_full(name, path, block.start, block.end)


def _written_together(trees: Iterable[ModuleTree]) -> dict[Instance, frozenset[Instance]]:
    """For each resource instance all those that the same text makes."""
    places: dict[tuple[Path, int], set[Instance]] = {}
    for tree in trees:
        for resource in tree.resources:
            if resource.header is not None:
                place = (resource.header.source.path, resource.header.start)
                places.setdefault(place, set()).add((tree.root, resource.address))
    return {one: frozenset(group) for group in places.values() for one in group}


def _without_giving_way(raised: Iterable[Raised]) -> list[Raised]:
    """What is raised, but for what rules say that keep silent where another one speaks."""
    raised = list(raised)
    taken = {_spot(r) for r in raised if not r.rule.gives_way and r.problem.severity is not Severity.ADVICE}
    return [r for r in raised if not r.rule.gives_way or _spot(r) is None or _spot(r) not in taken]


def _spot(raised: Raised) -> tuple[Path, int, int] | None:
    at = raised.problem.at
    return (at.source.path, at.start, at.end) if at else None


def _places(occurrences: Iterable[Occurrence]) -> set[tuple[object, ...]]:
    return {(o.rule.name, o.finding.location or o.finding.resource) for o in occurrences}
