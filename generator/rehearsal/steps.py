"""The steps of a rehearsal from init on, in the copy."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from generator.errors import ExitCode, ToolError, UserError, UserErrors
from generator.rehearsal import protection
from generator.rehearsal.isolation import Copy
from generator.rehearsal.tree import Tree
from generator.terraform import inputs, planned
from generator.terraform.driver import PlanArguments, Terraform
from generator.terraform.planned import PlannedChange
from generator.terraform.session import Listener
from generator.terraform.signals import Signals

if TYPE_CHECKING:
    from generator.hcl.variables import VariableArgument

Step = Literal["lint", "init", "validate", "plan", "apply"]
STEPS: Final[tuple[Step, ...]] = ("lint", "init", "validate", "plan", "apply")

_DONE_WORDS = {
    "create": "created",
    "update": "updated",
    "replace": "replaced",
    "destroy": "destroyed",
    "forget": "forgotten",
    "import": "imported",
    "move": "moved",
}


class Audience(Listener, Protocol):
    """Who hears how the rehearsal goes, and judges what it shows."""

    def begins(self, core: str) -> None:
        """It begins, with this Terraform."""

    def step(self, name: str, seconds: float, result: str, details: Sequence[str] = ()) -> None:
        """A step is done."""

    def kept(self, top: Path) -> None:
        """The copy was left there."""

    def ends(self, seconds: float) -> None:
        """It is over."""

    def lint(self, directory: Path) -> tuple[ExitCode, str]:
        """Judge the folder's text: a code, and the result in a few words."""

    def check(self, plan: Mapping[str, Any]) -> tuple[ExitCode, str]:
        """Judge a plan: a code, and the result in a few words."""


@dataclass(slots=True)
class Run:
    """A rehearsal under way.

    Attributes:
        tree: the module tree of the original folder.
        made: the copy.
        terraform: Terraform in the copy.
        arguments: variable values and files, in the order in which they count.
        audience: who hears.
        signals: where interrupts arrive.
    """

    tree: Tree
    made: Copy
    terraform: Terraform
    arguments: tuple[VariableArgument, ...]
    audience: Audience
    signals: Signals
    result: str = field(default="", init=False)
    details: list[str] = field(default_factory=list, init=False)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Time a step and tell how it went; within it `result` and `details` are set."""
        self.result, self.details = "failed", []
        begun = time.monotonic()
        try:
            yield
            self.signals.check()
        finally:
            self.audience.step(name, time.monotonic() - begun, self.result, self.details)

    def plan(self, *, destroy: bool = False) -> tuple[Mapping[str, Any], list[PlannedChange]]:
        """Plan into the copy's plan file, and read it."""
        module = inputs.root_module(self.made.root, self.terraform.binary.product)
        with inputs.opened(self.arguments, module) as files:
            arguments = PlanArguments(var_files=files.paths, descriptors=files.descriptors, destroy=destroy)
            self.terraform.plan(self._file, arguments, self.audience.event)
        self.signals.check()
        data = self.terraform.show(self._file)
        return data, planned.changes(data)

    def apply(self) -> None:
        """Apply the plan that was made last."""
        self.terraform.apply(self._file, PlanArguments(), self.audience.event)

    @contextmanager
    def applying(self, name: str, *, destroy: bool = False) -> Iterator[None]:
        """A step that applies; when that fails, another tells what is there now, and what the next plan does about it."""
        try:
            with self.step(name):
                yield
        except (UserError, UserErrors) as error:
            if error.code is ExitCode.TOOL:
                self._look_on(destroy)
            raise

    def _look_on(self, destroy: bool) -> None:
        # A fault may keep the next plan from being made too; the first error is the one to tell.
        with suppress(ToolError, UserErrors), self.step("next plan"):
            data, changes = self.plan(destroy=destroy)
            self.result = _to_do(changes)
            there = list(_in_state(data.get("prior_state", {}).get("values", {}).get("root_module", {})))
            self.details += [f"in the state: {one}" for one in there] or ["the state is empty"]
            self.details += [f"to do: {_line(change)}" for change in changes if change.matters]

    @property
    def _file(self) -> Path:
        return self.made.top / "plan"


def steps(run: Run, last: Step | None) -> ExitCode:
    """Every step from init on, until one stands in the way or the last one that was asked for is done.

    Raises:
        UserError, UserErrors: Terraform failed; paths lie in the copy.
    """
    with run.step("init"):
        run.terraform.init()
        run.result = "done"
    if last == "init":
        return ExitCode.DONE
    with run.step("validate"):
        warnings = run.terraform.validate()
        run.result = f"valid, {len(warnings)} warnings" if warnings else "valid"
        run.details += [f"warning: {warning.text}" for warning in warnings]
    if last == "validate":
        return ExitCode.DONE
    with run.step("plan"):
        data, changes = run.plan()
        run.result = _to_do(changes)
    with run.step("check"):
        code, run.result = run.audience.check(data)
    if code is not ExitCode.DONE or last == "plan":
        return code
    with run.applying("apply"):
        run.apply()
        run.result = _done(changes)
    return ExitCode.DONE if last == "apply" else _after_apply(run, changes)


def at_home(error: UserError | UserErrors, made: Copy) -> UserError | UserErrors:
    """Errors about files of the copy as errors about the files that they are copies of."""
    for one in error.errors if isinstance(error, UserErrors) else (error,):
        if one.path is not None:
            one.path = made.original(one.path)
    return error


def _after_apply(run: Run, made: Sequence[PlannedChange]) -> ExitCode:
    code = ExitCode.DONE
    with run.step("second plan"):
        data, changes = run.plan()
        left = [change for change in changes if change.matters]
        outputs = planned.changed_outputs(data)
        run.result = "no changes"
        if left or outputs:
            code = ExitCode.FINDINGS
            run.result = f"not empty: {_to_do(changes)}" if left else "not empty: only outputs change"
            run.details += [_line(change) for change in left] + [f"output {name}" for name in outputs]
    _unprotect(run, made)
    with run.applying("destroy", destroy=True):
        _, changes = run.plan(destroy=True)
        run.apply()
        run.result = _done(changes)
    return code


def _unprotect(run: Run, made: Sequence[PlannedChange]) -> None:
    clusters = protection.protected(made)
    prevented = protection.prevented(run.tree.modules)
    if not clusters and not prevented:
        return
    with run.applying("unprotect"):
        protection.take_off(run.made, run.tree.modules)
        if clusters:
            run.plan()
            run.apply()
        told = [f"deletion_protection becomes false: {', '.join(clusters)}"] if clusters else []
        told += [f"prevent_destroy becomes false: {', '.join(prevented)}"] if prevented else []
        run.result = f"in the copy alone, {'; '.join(told)}"


def _in_state(module: Mapping[str, Any]) -> Iterator[str]:
    """The addresses of what a state holds, with what is wrong with it."""
    for resource in module.get("resources", ()):
        if resource.get("mode") == "managed":
            yield f"{resource['address']}{' (tainted)' if resource.get('tainted') else ''}"
    for child in module.get("child_modules", ()):
        yield from _in_state(child)


def _to_do(changes: Sequence[PlannedChange]) -> str:
    return ", ".join(f"{n} to {word}" for word, n in planned.counts(changes).items() if n) or "no changes"


def _done(changes: Sequence[PlannedChange]) -> str:
    return ", ".join(f"{n} {_DONE_WORDS[word]}" for word, n in planned.counts(changes).items() if n) or "nothing to do"


def _line(change: PlannedChange) -> str:
    return f"{change.address} ({change.word}){f': {change.detail}' if change.detail else ''}"
