"""What plan and apply share: the folder, its declarations, the core to drive, and what must not be printed."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from generator.errors import InputError, ToolError
from generator.hcl.module import Module
from generator.terraform import binary, inputs
from generator.terraform.binary import Kind
from generator.terraform.driver import Terraform
from generator.terraform.environment import child_environment
from generator.terraform.events import Event
from generator.terraform.signals import Signals

if TYPE_CHECKING:
    from generator.hcl.module_files import ConfigFile
    from generator.hcl.nodes import Block
    from generator.hcl.variables import VariableArgument

_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?")


class Listener(Protocol):
    """Who hears what happens while Terraform runs."""

    def say(self, text: str) -> None:
        """One line for people."""

    def event(self, event: Event) -> None:
        """One event of Terraform."""


@runtime_checkable
class Watcher(Listener, Protocol):
    """A listener that also wants to know what runs, and that time passes."""

    def begins(self, command: str) -> None:
        """Terraform is started with this command."""

    def tick(self) -> None:
        """Time has passed while Terraform runs."""


@dataclass(slots=True)
class Session:
    """Terraform in one root module, ready to run.

    Attributes:
        directory: the root module's folder, absolute.
        environment: all of Terraform's environment.
        terraform: the adapter.
        module: the root module's declarations.
        arguments: variable values and files, in the order in which they count.
        signals: where interrupts arrive.
        listener: who hears what happens.
        hide: takes secrets out of a text.
        begun: when it began, in seconds since 1970.
    """

    directory: Path
    environment: dict[str, str]
    terraform: Terraform
    module: Module
    arguments: tuple[VariableArgument, ...]
    signals: Signals
    listener: Listener
    hide: Callable[[str], str]
    begun: float = field(default_factory=time.time)

    def hide_also(self, secrets: frozenset[str]) -> None:
        """From now on take further secrets out of everything that is said."""
        before, further = self.hide, hider(secrets)
        self.hide = lambda text: further(before(text))
        self.terraform.hide_also(further)


@contextmanager
def session(
    directory: Path,
    *,
    listener: Listener,
    terraform: str | None = None,
    configured: Kind | None = None,
    workspace: str | None = None,
    arguments: Sequence[VariableArgument] = (),
    timeout: float | None = None,
) -> Iterator[Session]:
    """Find the core and read the declarations; while it is entered, interrupts go to Terraform.

    Raises:
        InputError, ToolError: see `binary.find` and `environment.child_environment`; or Terraform would run elsewhere.
    """
    with Signals(listener.say) as signals:
        environment = child_environment(os.environ, workspace=workspace, say=listener.say)
        core = binary.find(terraform, configured, environment=environment, signals=signals)
        module = inputs.root_module(directory, core.product)
        _refuse_remote(module)
        hide = hider(inputs.secrets(module, tuple(arguments), environment))
        adapter = Terraform(
            core,
            directory,
            environment=environment,
            signals=signals,
            timeout=timeout,
            hide=hide,
        )
        if isinstance(listener, Watcher):
            adapter.watched_by(listener.begins, listener.tick)
        yield Session(directory, environment, adapter, module, tuple(arguments), signals, listener, hide)


def hider(secrets: frozenset[str]) -> Callable[[str], str]:
    """A function that takes secrets out of a text."""
    if not secrets:
        return lambda text: text
    pattern = re.compile("|".join(re.escape(s) for s in sorted(secrets, key=len, reverse=True)))
    return lambda text: pattern.sub("(sensitive value)", text)


def _refuse_remote(module: Module) -> None:
    remote: tuple[ConfigFile, Block] | None = None
    # The files come in the order in which they count: an override file may put another backend in place.
    for file in module.files:
        for block in file.parsed.body.blocks:
            for inner in block.body.blocks if block.type == "terraform" else ():
                label = inner.labels[0].text if inner.labels else ""
                if inner.type == "cloud" or (inner.type == "backend" and label == "remote"):
                    remote = file, inner
                elif inner.type == "backend":
                    remote = None
    if remote is None:
        return
    file, inner = remote
    line, column = file.source.position(inner.start)
    raise ToolError(
        "Terraform runs remotely here, and gives no plan file that could be checked and applied",
        hint="in the pipeline: terraform plan -out=tfplan && terraform show -json tfplan > plan.json\n"
        "then: gke-rdma check-plan plan.json --dir DIR",
        path=file.path,
        line=line,
        column=column,
    )


def seconds(text: str, option: str) -> float:
    """A duration as Terraform writes it: `90s`, `5m`, `1h30m`.

    Raises:
        InputError: it is none.
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None or not any(found.groups()):
        raise InputError(f"{option} {text}: this is no duration", hint=f"write it like {option} 5m or {option} 1h30m")
    hours, minutes, secs = (float(part or 0) for part in found.groups())
    return hours * 3600 + minutes * 60 + secs
