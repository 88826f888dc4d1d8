"""One run of the linter: files to modules to rules to findings.

Everything heavy is imported where the first module of interest is found, so that a run over folders without any stays quick.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import ExitCode, UserError, UserErrors, strongest
from generator.findings import Finding
from generator.lint.configuration import Configurations
from generator.lint.defects import defect
from generator.lint.discovery import Group, configuration_files, discover
from generator.lint.request import Outcome, Request

if TYPE_CHECKING:
    from generator.hcl.project import Project, Root
    from generator.lint.baseline import Baseline
    from generator.lint.judging import Judged
    from generator.view import ModuleTree


def lint(request: Request) -> Outcome:
    """Check what is asked for.

    What is wrong with the request or its configuration is in the outcome's errors, like a file that cannot be read.
    """
    return _Run(request).outcome()


class _Run:
    """One run, stage by stage."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.configurations = Configurations(request.flags)
        self.baselines: dict[Path, Baseline] = {}
        self.result = Outcome()

    def outcome(self) -> Outcome:
        result = self.result
        try:
            with self._stage("discovery"):
                groups = self._discovered()
            trees = result.trees = self._trees(groups)
            asked = {m for group in groups for m in group.modules}
            result.asked = frozenset(asked)
            judged = self._judged(trees, asked) if trees else None
        except (UserError, UserErrors) as error:
            result.report.errors.append(error)
            result.code = ExitCode.INPUT
            return result
        except Exception as error:
            result.report.errors.append(defect("the linter", error))
            result.code = ExitCode.INPUT
            return result
        self._conclude(judged)
        return result

    def _discovered(self) -> list[Group]:
        report = self.result.report
        groups = discover(self.request.paths, self.request.directory, self.configurations, report.errors)
        for module in (m for group in groups for m in group.modules):
            # A wrong configuration or baseline is told of even where there is nothing to check.
            self._load_baseline(self.configurations.of(module).baseline)
            report.files += sum(1 for _ in configuration_files(module))
        if not groups and not report.errors:
            self.result.notices.append("no Terraform files were found in what was asked for")
        return groups

    def _baseline(self, folder: Path) -> Baseline | None:
        path = self.configurations.of(folder).baseline
        return self.baselines.get(path) if path else None

    def _load_baseline(self, path: Path | None) -> None:
        if path is None or path in self.baselines or self.request.write_baseline:
            return
        from generator.lint.baseline import load

        self.baselines[path] = load(path)

    def _trees(self, groups: list[Group]) -> list[ModuleTree]:
        from generator.lint.modules import Modules

        modules = Modules(self.request, self.configurations)
        trees: list[ModuleTree] = []
        every: list[tuple[Project, Root]] = []
        for group in groups:
            with self._stage("modules"):
                roots = modules.roots(group)
            with self._stage("views"):
                trees += modules.trees(roots, self.result.report.errors)
            every += roots
        for name in modules.undeclared(every):
            self.result.notices.append(
                f"warning: --var {name}: no root module that is checked declares it; terraform would refuse it"
            )
        return trees

    def _judged(self, trees: list[ModuleTree], asked: set[Path]) -> Judged:
        from generator.lint.judging import Judging
        from generator.rules import registry

        with self._stage("loading rules"):
            rules = tuple(r for r in registry.rules() if "text" in r.depths)
        self._tell_without_effect(asked)
        with self._stage("rules"):
            return Judging(rules, self.configurations, asked | self._named_files(trees)).judge(trees)

    def _named_files(self, trees: list[ModuleTree]) -> set[Path]:
        """The variable files that the command line or a configuration names, wherever they lie."""
        from generator.hcl.variables import FileArgument

        named = {file for tree in trees for file in self.configurations.of(Path(tree.root)).var_files}
        return named | {a.path for a in self.request.variables if isinstance(a, FileArgument)}

    def _tell_without_effect(self, asked: set[Path]) -> None:
        """Say which names do nothing: what refuses a plan is no matter of configuration."""
        from generator.rules import registry

        for name in sorted({name for folder in asked for name in self.configurations.of(folder).named}):
            if registry.find(name).refuses:
                self.result.notices.append(f"{name} in the configuration has no effect; only approvals of plan lift it")

    def _conclude(self, judged: Judged | None) -> None:
        result, report = self.result, self.result.report
        codes = [ExitCode.INPUT] if report.errors else []
        if judged is not None:
            with self._stage("findings"):
                report.errors += judged.defects
                report.ignored = judged.ignored
                findings = self._known_removed(judged)
            report.findings = findings
            result.sources = judged.sources
            codes += self._codes(judged, findings)
        elif self.request.write_baseline:
            self._write_baseline(None)
        result.code = strongest(codes)

    def _known_removed(self, judged: Judged) -> list[Finding]:
        from generator.lint.found import merged

        if self.request.write_baseline:
            self._write_baseline(judged)
            return merged(o for o in judged.occurrences if o.rule.unreadable)
        new, known = judged.without_known(self._baseline)
        self.result.report.ignored += known
        return merged(new)

    def _write_baseline(self, judged: Judged | None) -> None:
        from generator.lint.baseline import text_of

        path = self.request.write_baseline
        assert path is not None
        self.result.baseline, count = text_of(judged.occurrences if judged else (), path)
        self.result.notices.append(f"the baseline knows {count} finding{'' if count == 1 else 's'}")

    def _codes(self, judged: Judged, findings: list[Finding]) -> Iterator[ExitCode]:
        if self.result.report.errors or judged.unread:
            yield ExitCode.INPUT
        for finding in findings:
            folder = finding.location.path.parent if finding.location else self.request.directory
            if self.configurations.of(folder).fails(finding.severity):
                yield ExitCode.FINDINGS

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            timings = self.result.timings
            timings[name] = timings.get(name, 0.0) + time.perf_counter() - start
