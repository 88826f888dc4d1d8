"""Checks for plan, apply and check-plan: lint of the folder, and the rules over planned values.

The rules are the linter's own, asked again of what Terraform has worked out; ignores, severities and baseline hold through the
line of the resource. Refusals are no matter of configuration: only approvals on the command line lift them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import ExitCode, InputError, UserErrors
from generator.findings import Finding, Report
from generator.lint.configuration import Configurations, Flags
from generator.lint.request import Outcome, Request
from generator.report.drawing import Drawing
from generator.terraform.approval import Approval
from generator.terraform.binary import KINDS

if TYPE_CHECKING:
    from generator.hcl.variables import VariableArgument
    from generator.lint.baseline import Baseline
    from generator.lint.found import Occurrence
    from generator.terraform.binary import Kind
    from generator.view import ModuleTree


def known_format(name: str) -> None:
    """Refuse an output format that plan and apply do not have.

    Raises:
        InputError: neither text nor json.
    """
    if name not in ("text", "json"):
        raise InputError(f"there is no format {name!r} here", hint="formats are text, json")


class Checks:
    """Everything that is asked about one root module.

    Args:
        directory: its folder; None for a plan without one.
        arguments: `--var` and `--var-file`, in order.
        say: takes one line for people.

    Attributes:
        outcome: what lint found.
    """

    def __init__(
        self, directory: Path | None, arguments: Sequence[VariableArgument], say: Callable[[str], None]
    ) -> None:
        self.directory = directory.absolute() if directory else None
        self._arguments = tuple(arguments)
        self._say = say
        self._configurations = Configurations(Flags())
        self.outcome = Outcome()
        self._baselines: dict[Path, Baseline] = {}

    def lint(self) -> Outcome:
        """Lint the folder, so that later findings of the plan know their lines."""
        from generator.lint.engine import lint

        if self.directory is not None:
            self.outcome = lint(
                Request(
                    paths=(str(self.directory),),
                    directory=Path.cwd(),
                    variables=self._arguments,
                    environment=os.environ,
                )
            )
            self._tell_without_effect()
        return self.outcome

    @property
    def program(self) -> Kind | None:
        """The configuration's choice of a core."""
        chosen = self._configurations.of(self._folder).terraform
        return next((kind for kind in KINDS if kind == chosen), None)

    @property
    def arguments(self) -> tuple[VariableArgument, ...]:
        """Variable values and files: those of the configuration, then those of the command line."""
        from generator.hcl.variables import FileArgument

        configured = self._configurations.of(self._folder).var_files
        return (*(FileArgument(path) for path in configured), *self._arguments)

    @property
    def _folder(self) -> Path:
        return self.directory or Path.cwd()

    def _tell_without_effect(self) -> None:
        """Say which names in the configuration do nothing, because refusals are not a matter of it."""
        from generator.rules import registry

        for name in sorted(self._configurations.of(self._folder).named):
            if registry.find(name).refuses:
                self._say(f"{name} in the configuration has no effect: --allow-replace and --allow-destroy approve")
        for name, place in sorted(self._commented()):
            self._say(f"{place}: {name} cannot be ignored: --allow-replace and --allow-destroy approve")

    def _commented(self) -> Iterator[tuple[str, str]]:
        """What refuses a plan but is named in an ignore comment of the folder's modules, with the place of the comment."""
        from generator.hcl.parser import parse
        from generator.lint.ignores import MARK, Ignores
        from generator.rules import registry

        refusing = {rule.name for rule in registry.rules() if rule.refuses}
        tree = self.text_tree()
        for source in {f.source.path: f.source for f in tree.files}.values() if tree else ():
            if MARK in source.text:
                for ignore in Ignores(source, parse).items:
                    line, _ = source.position(ignore.span.start)
                    place = f"{Drawing(Path.cwd()).path(source.path)}:{line}"
                    yield from ((name, place) for name in refusing.intersection(ignore.names))

    def text_tree(self) -> ModuleTree | None:
        """The tree of the folder as a root; None when nothing of interest is in it."""
        return next((t for t in self.outcome.trees if Path(t.root) == self._folder), None)

    def findings(
        self, plan: Mapping[str, Any], approval: Approval, *, again: bool = False
    ) -> tuple[list[Finding], list[Finding]]:
        """The findings of a plan, and those of them that stand in the way.

        Args:
            plan: its JSON.
            approval: what may happen all the same.
            again: it was checked before, so nothing about the approvals is said.

        Raises:
            UserErrors: a rule failed, or a baseline cannot be read.
        """
        from generator.view.plan import tree

        planned = tree(plan, self.text_tree())
        found = self._ordinary(planned)
        refusals = self._refusals(planned)
        for option in () if again else approval.idle(refusals):
            self._say(f"{option} approves nothing in this plan")
        refused = [f for f in refusals if not approval.lifts(f)]
        failing = [f for f in found if self._configurations.of(self._at(f)).fails(f.severity)]
        return sorted([*found, *refused], key=lambda f: f.sort_key), [*failing, *refused]

    def _baseline(self, folder: Path) -> Baseline | None:
        from generator.lint.baseline import load

        path = self._configurations.of(folder).baseline
        if path is not None and path not in self._baselines:
            self._baselines[path] = load(path)
        return self._baselines[path] if path else None

    def _at(self, finding: Finding) -> Path:
        return finding.location.path.parent if finding.location else self._folder

    def _ordinary(self, planned: ModuleTree) -> list[Finding]:
        from generator.lint.found import merged
        from generator.lint.judging import Judging
        from generator.rules import registry

        rules = tuple(r for r in registry.rules() if "plan" in r.depths and not r.refuses)
        text = self.text_tree()
        folders = {f.source.path.parent for f in text.files} if text else set()
        judged = Judging(rules, self._configurations, folders | {self._folder}).judge([planned])
        if judged.defects:
            raise UserErrors(judged.defects)
        placeless = [o for o in judged.occurrences if o.path is None]
        judged.occurrences = [o for o in judged.occurrences if o.path is not None]
        new, known = judged.without_known(self._baseline)
        new += self._without_place(placeless)
        self.outcome.report.ignored += known + judged.ignored
        self.outcome.sources.update(judged.sources)
        return [f for f in merged(new) if not self._is_told(f)]

    def _without_place(self, found: Iterable[Occurrence]) -> list[Occurrence]:
        """What is to be shown of findings without a line: the configuration of the root's folder holds for them."""
        configuration = self._configurations.of(self._folder)
        kept = []
        for one in found:
            severity = configuration.level(one.rule.name, one.finding.severity)
            if severity is not None and configuration.runs(one.rule) and configuration.shows(severity):
                kept.append(replace(one, finding=replace(one.finding, severity=severity)))
        baseline = self._baseline(self._folder)
        new = baseline.new(kept) if baseline else kept
        self.outcome.report.ignored += len(kept) - len(new)
        return new

    def _is_told(self, finding: Finding) -> bool:
        """Whether lint has said as much about the same resource already."""
        return any(
            f.rule == finding.rule and f.resource == finding.resource and f.severity.rank >= finding.severity.rank
            for f in self.outcome.report.findings
        )

    def _refusals(self, planned: ModuleTree) -> list[Finding]:
        from generator.lint.asking import Asking
        from generator.lint.found import occurrence
        from generator.rules import registry

        asking = Asking(tuple(r for r in registry.rules() if r.refuses), lambda _rule, _folder: True)
        asking.ask_trees([planned])
        if asking.defects:
            raise UserErrors(asking.defects)
        spans = [r.problem.at for r in asking.raised if r.problem.at is not None]
        self.outcome.sources.update((span.source.path, span.source) for span in spans)
        return [occurrence(raised, raised.problem.severity).finding for raised in asking.raised]

    def line_text(self, path: Path, line: int) -> str | None:
        """A line of a file that findings lie in."""
        source = self.outcome.sources.get(path)
        return source.line_text(line) if source else None

    def drawing(self) -> Drawing:
        """How reports are drawn."""
        return Drawing(Path.cwd(), line_text=self.line_text)

    def report(self, findings: Iterable[Finding]) -> Report:
        """What lint and the check of the plan have found together."""
        linted = self.outcome.report
        every = sorted([*linted.findings, *findings], key=lambda f: f.sort_key)
        return Report(findings=every, errors=list(linted.errors), files=linted.files, ignored=linted.ignored)


def printed(text: str) -> None:
    """Write results to standard output. A reader that has seen enough (`| head`) changes nothing about the exit code."""
    with suppress(BrokenPipeError):
        sys.stdout.write(text)
        sys.stdout.flush()


def code_of(failing: Sequence[Finding]) -> ExitCode:
    """The exit code that findings in the way lead to: refusals are stronger."""
    if any(f.refused for f in failing):
        return ExitCode.REFUSED
    return ExitCode.FINDINGS if failing else ExitCode.DONE
