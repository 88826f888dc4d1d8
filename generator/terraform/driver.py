"""The one adapter over python-terraform.

python-terraform builds the command lines; how they run is ours, because its own way leaves variable files behind, logs
secrets, waits for ever for answers, and lets Terraform go on alone after Ctrl-C. Only what is named here can be called.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from python_terraform import IsFlagged
from python_terraform import Terraform as _Base

from generator.errors import ToolError, UserErrors
from generator.terraform import events, process
from generator.terraform.binary import Binary
from generator.terraform.events import Diagnostic, Event
from generator.terraform.failures import failure
from generator.terraform.process import Completed
from generator.terraform.signals import Signals

# It logs whole outputs, in which secrets are in clear.
logging.getLogger("python_terraform").setLevel(logging.CRITICAL + 1)

# How long reading the state may take, in seconds.
_STATE_SECONDS = 120.0

OnEvent = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class PlanArguments:
    """The options of `terraform plan` and `apply` that we pass on.

    Attributes:
        var_files: in order, as Terraform opens them.
        descriptors: file descriptors that `var_files` speak of.
        targets: resource addresses.
        replace: resource addresses.
        destroy: plan the destruction of everything.
        lock_timeout: "5m".
        parallelism: operations at once.
    """

    var_files: tuple[str, ...] = ()
    descriptors: tuple[int, ...] = ()
    targets: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    destroy: bool = False
    lock_timeout: str | None = None
    parallelism: int | None = None


@dataclass(slots=True)
class Outcome:
    """What a command with an event stream has said.

    Attributes:
        diagnostics: its errors and warnings, each once.
        summary: its last `change_summary`.
        done: what was applied to completion: address and action.
        ids: ids of what was made or changed, by address.
        begun: addresses at which work has begun.
        failed: addresses at which it has failed.
    """

    diagnostics: list[Diagnostic] = field(default_factory=list)
    summary: Mapping[str, int] = field(default_factory=dict)
    done: list[tuple[str, str]] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)

    def take(self, event: Event) -> bool:
        """Note what an event says; False when it repeats a diagnostic."""
        if event.changes is not None:
            self.summary = event.changes
        if event.type == "apply_start" and event.address is not None:
            self.begun.add(event.address)
        if event.type == "apply_errored" and event.address is not None:
            self.failed.add(event.address)
        if event.type == "apply_complete" and event.address is not None:
            self.done.append((event.address, event.action or ""))
            if event.id is not None:
                self.ids[event.address] = event.id
        if event.diagnostic is not None:
            if event.diagnostic in self.diagnostics:
                return False
            self.diagnostics.append(event.diagnostic)
        return True


def _nothing(_command: str) -> None:
    """Nobody wants to know."""


class Terraform(_Base):  # type: ignore[misc]
    """Terraform or OpenTofu in one directory.

    Args:
        binary: the core to run.
        directory: the root module's folder, absolute.
        environment: all of the child's environment.
        signals: where interrupts arrive.
        timeout: seconds for all commands together; None for no limit.
        hide: takes secrets out of a text; everything that Terraform says goes through it, except plans as JSON.
    """

    def __init__(
        self,
        binary: Binary,
        directory: Path,
        *,
        environment: Mapping[str, str],
        signals: Signals,
        timeout: float | None = None,
        hide: Callable[[str], str] = str,
    ) -> None:
        super().__init__(working_dir=str(directory), terraform_bin_path=binary.command[0])
        self.binary = binary
        self.directory = directory
        self._environment = environment
        self._signals = signals
        self._hide = hide
        self._begins: Callable[[str], None] = _nothing
        self._tick: Callable[[], None] | None = None
        self._ends = None if timeout is None else time.monotonic() + timeout

    def watched_by(self, begins: Callable[[str], None], tick: Callable[[], None]) -> None:
        """From now on tell which command is started, and several times a second that it still runs."""
        self._begins, self._tick = begins, tick

    def hide_also(self, hide: Callable[[str], str]) -> None:
        """From now on take further secrets out of everything that Terraform says."""
        before = self._hide
        self._hide = lambda text: hide(before(text))

    def __getattr__(self, name: str) -> Any:
        """python-terraform makes a command of every unknown name; here a mistake is a mistake."""
        raise AttributeError(name)

    def read_state_file(self, file_path: str | None = None) -> None:
        """Does nothing: python-terraform would read a state that may be another backend's, or hold secrets."""

    def cmd(self, cmd: str, *args: str, **options: Any) -> tuple[int, str, str]:
        """Run one command, as python-terraform's own methods ask for it; see `_run`."""
        for ignored in ("capture_output", "raise_on_error", "synchronous"):
            options.pop(ignored, None)
        done = self._run(cmd, *args, **options)
        return done.returncode, done.stdout, done.stderr

    def init(self, *, backend: bool = True, backend_config: Sequence[str] = (), lockfile: str | None = None) -> None:
        """`terraform init`.

        Args:
            backend: False leaves the backend alone.
            backend_config: `KEY=VALUE` or a file, in order.
            lockfile: "readonly", or None.

        Raises:
            UserErrors: it failed.
        """
        done = self._run(
            "init",
            input=False,
            no_color=IsFlagged,
            backend=None if backend else False,
            backend_config=list(backend_config),
            lockfile=lockfile,
        )
        if done.returncode != 0:
            raise self._failure("init", done, ())

    def validate(self) -> list[Diagnostic]:
        """`terraform validate`: its warnings.

        Raises:
            UserErrors: the configuration is not valid.
        """
        done = self._run("validate", json=IsFlagged)
        data = self._json("validate", done)
        found = [events.diagnostic(d, self.directory) for d in data.get("diagnostics", [])]
        if done.returncode != 0 or not data.get("valid"):
            raise self._failure("validate", done, found)
        return found

    def plan(self, out: Path, arguments: PlanArguments, on_event: OnEvent) -> Outcome:
        """`terraform plan` into a file.

        Raises:
            UserErrors: it failed.
            InterruptedRun: a signal came; Terraform was waited for.
        """
        outcome = Outcome()
        self._stream(
            "plan",
            outcome,
            on_event,
            arguments.descriptors,
            out=str(out),
            var_file=list(arguments.var_files),
            target=list(arguments.targets),
            replace=list(arguments.replace),
            destroy=IsFlagged if arguments.destroy else None,
            lock_timeout=arguments.lock_timeout,
            parallelism=arguments.parallelism,
        )
        return outcome

    def show(self, plan: Path) -> dict[str, Any]:
        """A plan file as JSON. It holds every value in clear: it must never be printed or written.

        Raises:
            UserErrors: the file cannot be read as a plan.
        """
        done = self._run("show", str(plan), json=IsFlagged)
        if done.returncode != 0:
            raise self._failure("show", done, ())
        return self._json("show", done)

    def show_state(self) -> dict[str, Any]:
        """The state as JSON, after everything else: a limit of its own holds. It holds every value in clear, like a plan.

        Raises:
            UserErrors: it cannot be read.
        """
        self._ends = time.monotonic() + _STATE_SECONDS
        done = self._run("show", json=IsFlagged)
        if done.returncode != 0:
            raise self._failure("show", done, ())
        return self._json("show", done)

    def apply(self, plan: Path, arguments: PlanArguments, on_event: OnEvent, outcome: Outcome | None = None) -> Outcome:
        """`terraform apply` of a plan file. Everything that a plan fixes is not passed on.

        Args:
            plan: the plan file.
            arguments: values for ephemeral variables, and how to run.
            on_event: hears each event.
            outcome: filled as it goes, so that it says what was done when this raises.

        Raises:
            UserErrors: it failed, or the plan no longer fits its state.
            InterruptedRun: a signal came; Terraform was waited for.
        """
        outcome = Outcome() if outcome is None else outcome
        self._stream(
            "apply",
            outcome,
            on_event,
            arguments.descriptors,
            str(plan),
            var_file=list(arguments.var_files),
            lock_timeout=arguments.lock_timeout,
            parallelism=arguments.parallelism,
        )
        return outcome

    def _stream(
        self,
        command: str,
        outcome: Outcome,
        on_event: OnEvent,
        descriptors: Sequence[int],
        *positional: str,
        **options: Any,
    ) -> None:
        deaf = False

        def on_line(line: str) -> None:
            nonlocal deaf
            event = events.parse(line, self.directory)
            if event is None:
                return
            event = event.hiding(self._hide)
            if outcome.take(event) and not deaf:
                try:
                    on_event(event)
                except OSError:
                    # Our own output cannot be written any more. What Terraform makes is not stopped for that; who writes
                    # the result afterwards meets the same error.
                    deaf = True

        options |= {"json": IsFlagged, "input": False}
        done = self._run(command, *positional, on_line=on_line, descriptors=descriptors, **options)
        if done.returncode != 0:
            self._signals.check()
            raise self._failure(command, done, outcome.diagnostics)

    def _run(
        self,
        command: str,
        *positional: str,
        on_line: Callable[[str], None] | None = None,
        descriptors: Sequence[int] = (),
        **options: Any,
    ) -> Completed:
        if any(isinstance(value, dict) for value in options.values()):
            raise TypeError("python-terraform writes a dict into a file that may stay behind")
        built = self.generate_cmd_string(command, *positional, **options)
        self._begins(command)
        left = None if self._ends is None else max(0.0, self._ends - time.monotonic())
        try:
            done = process.run(
                [*self.binary.command, *built[1:]],
                directory=self.directory,
                environment=self._environment,
                signals=self._signals,
                timeout=left,
                on_line=on_line,
                on_tick=self._tick,
                descriptors=descriptors,
            )
        except process.NotStarted as error:
            raise ToolError(f"{self.binary} cannot be run: {error}") from error
        if done.timed_out:
            raise self._failure(command, done, ())
        if on_line is None:
            self._signals.check()
        return done

    def _failure(self, command: str, done: Completed, found: Sequence[Diagnostic]) -> UserErrors:
        said = replace(done, stdout=self._hide(done.stdout), stderr=self._hide(done.stderr))
        return failure(command, said, [d.hiding(self._hide) for d in found])

    def _json(self, command: str, done: Completed) -> dict[str, Any]:
        try:
            data = json.loads(done.stdout)
        except ValueError:
            raise self._failure(command, done, ()) from None
        if not isinstance(data, dict):
            raise self._failure(command, done, ())
        return data
