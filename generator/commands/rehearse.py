"""`gke-rdma rehearse`: lint, init, validate, plan, check, apply, plan again and destroy, in a throw-away copy."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.commands.checks import Checks, code_of
from generator.commands.progress import Progress
from generator.errors import ExitCode, InputError, UserError, UserErrors
from generator.findings import Report, Severity
from generator.rehearsal import choices, faults
from generator.rehearsal.rehearse import RehearsalOptions, rehearse
from generator.rehearsal.settings import Settings
from generator.rehearsal.steps import STEPS, Step
from generator.render import journal
from generator.report import formats
from generator.report.drawing import Drawing, visible
from generator.report.output import write_stream
from generator.schema.provider import PROVIDER_VERSION
from generator.terraform.approval import Approval
from generator.terraform.events import Event

PROVIDERS = ("auto", "google", "stand-in")
_NAME_WIDTH = len("second plan")
# Events that come at once for every resource; a step's line sums them up.
_OF_EVERY_RESOURCE = frozenset({"apply_start", "apply_complete"})


def run(options: RehearsalOptions, *, verbose: bool = False) -> ExitCode:
    """Rehearse a folder and tell how it goes.

    Args:
        options: what is asked for.
        verbose: tell of each resource too.

    Raises:
        UserError, UserErrors: see `generator.rehearsal.rehearse.rehearse`; or an update of the folder was cut short, and a
            file of it was edited since.
    """
    audience = _Audience(options, verbose=verbose)
    if journal.recover(options.directory):
        audience.say(f"{options.directory}: an update that was cut short has been finished first")
    about = Checks(options.directory, options.arguments, audience.say)
    return rehearse(replace(options, configured=about.program, arguments=about.arguments), audience)


def known_provider(name: str) -> None:
    """Refuse a provider that a rehearsal cannot take.

    Raises:
        InputError: it is none, or Google's own.
    """
    if name not in PROVIDERS:
        raise InputError(f"--provider {name}: there is no such choice", hint=f"choices are {', '.join(PROVIDERS)}")
    if name == "google":
        raise InputError(
            "--provider google: Google's own provider cannot be rehearsed with yet, only the stand-in",
            hint="leave --provider out, or write --provider stand-in",
        )


def known_step(name: str | None) -> Step | None:
    """The step to stop after.

    Raises:
        InputError: there is no step of that name.
    """
    found = next((step for step in STEPS if step == name), None)
    if name is not None and found is None:
        raise InputError(f"--stop-after {name}: there is no such step", hint=f"steps are {', '.join(STEPS)}")
    return found


def settings(fail: Sequence[str], answer: Sequence[str]) -> Settings:
    """What the stand-in cloud is to answer.

    Args:
        fail: values of `--fail`.
        answer: values of `--answer`.

    Raises:
        InputError: one of them means nothing.
    """
    return Settings(choices.parse(answer), faults.parse(fail))


class _Audience(Progress):
    """Draws a rehearsal: one line a step on stdout; on stderr warnings, and of resources what takes long."""

    def __init__(self, options: RehearsalOptions, *, verbose: bool) -> None:
        super().__init__(as_json=False)
        self._options = options
        self._verbose = verbose
        self._drawing = Drawing(Path.cwd())
        self._checks: Checks | None = None

    def begins(self, core: str) -> None:
        self._line(
            f"rehearsing {self._options.directory} in a throw-away copy, with {core} and a stand-in for "
            f"hashicorp/google {PROVIDER_VERSION}; nothing in Google Cloud is asked"
        )
        for fault in self._options.settings.faults:
            self._line(f"to fail: {fault} ({faults.KINDS[fault.kind].meaning})")
        for name, value in self._options.settings.choices.items():
            if value != choices.CHOICES[name].default:
                self._line(f"answered: {name}={value} ({choices.CHOICES[name].meaning})")

    def step(self, name: str, seconds: float, result: str, details: Sequence[str] = ()) -> None:
        self._line(f"{name:{_NAME_WIDTH}} {seconds:6.2f} s  {result}")
        for detail in details:
            self._line(f"{'':{_NAME_WIDTH}}           {detail}")

    def event(self, event: Event) -> None:
        if self._verbose or event.type not in _OF_EVERY_RESOURCE:
            super().event(event)

    def kept(self, top: Path) -> None:
        self._line(f"the copy is kept: {top}")
        self._line(
            "  copy: the configuration; plan, terraform.tfstate: the last plan, the state; provider.log, cloud.json"
        )
        self._line(
            "  the stand-in has ended, so terraform cannot run there; to try on, change the folder and rehearse again"
        )
        self._line(f"  to remove it: rm -r {shlex.quote(str(top))}")

    def ends(self, seconds: float) -> None:
        self._line(f"the rehearsal took {seconds:.2f} s; nothing in Google Cloud was asked")

    def lint(self, directory: Path) -> tuple[ExitCode, str]:
        self._checks = Checks(directory, self._options.arguments, self.say)
        outcome = self._checks.lint()
        for notice in outcome.notices:
            self.say(notice)
        return self._judged(outcome.code, outcome.report)

    def check(self, plan: Mapping[str, Any]) -> tuple[ExitCode, str]:
        # Not of the copy: the configuration of the linter may lie above the folder, and lines are those of its files.
        assert self._checks is not None
        findings, failing = self._checks.findings(plan, Approval())
        return self._judged(code_of(failing), Report(findings=findings))

    def _judged(self, code: ExitCode, report: Report) -> tuple[ExitCode, str]:
        errors = [error for error in report.errors if isinstance(error, UserError)]
        if code == ExitCode.INPUT and errors:
            raise UserErrors(errors)
        shown = [f for f in report.findings if f.severity is not Severity.ADVICE]
        if not shown:
            return code, "no findings"
        self._line(formats.write(Report(findings=shown, files=report.files), "text", self._drawing).rstrip("\n"))
        return code, f"{len(shown)} finding{'' if len(shown) == 1 else 's'}"

    @staticmethod
    def _line(text: str) -> None:
        # A reader that has gone away (`| head`) ends no rehearsal, and changes no exit code.
        write_stream(sys.stdout, visible(text, keep="\n") + "\n")
