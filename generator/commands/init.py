"""`gke-rdma init`: a spec to begin with."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from generator.errors import ExitCode, InputError, RefusedError, UserErrors
from generator.render import starter
from generator.spec.load import parse


@dataclass(frozen=True, slots=True)
class Options:
    """The command line; None for what was not given.

    Attributes:
        file: where to write, `-` for standard output.
    """

    file: str = "rdma.yaml"
    machine_type: str | None = None
    networking: str | None = None
    mode: str | None = None
    project: str | None = None
    zone: str | None = None
    name: str | None = None
    capacity: str | None = None
    quiet: bool = False


def run(options: Options) -> ExitCode:
    """Write the spec.

    Raises:
        InputError: a value is wrong, or the file cannot be written.
        RefusedError: the file exists.
    """
    if options.file != "-" and os.path.lexists(options.file):
        raise RefusedError("The file exists, and was left as it is.", hint="Name another file.", path=options.file)
    _check_choice("--capacity", options.capacity, starter.capacities())
    _check_choice("--networking", options.networking, ("dranet", "multi-network"))
    _check_choice("--mode", options.mode, ("standard", "autopilot"))
    if options.mode == "autopilot" and options.networking == "multi-network":
        raise InputError(
            "--networking multi-network is for node pools, and an Autopilot cluster has none.",
            hint="Leave one of the two options out.",
        )
    text = _starter(options).text()
    try:
        parse(text, options.file if options.file != "-" else "rdma.yaml")
    except UserErrors as wrong:
        raise UserErrors([InputError(e.message, hint=e.hint) for e in wrong.errors]) from None
    if options.file == "-":
        sys.stdout.write(text)
        return ExitCode.DONE
    _write(Path(options.file), text)
    if not options.quiet:
        sys.stderr.write(f"Wrote {options.file}. Look through it, then:\n  gke-rdma generate {options.file} -o DIR\n")
    return ExitCode.DONE


def _check_choice(option: str, value: str | None, allowed: tuple[str, ...]) -> None:
    if value is not None and value not in allowed:
        raise InputError(f"{option} has to be one of {', '.join(allowed)}, found {value!r}.")


def _starter(options: Options) -> starter.Starter:
    machine_type = options.machine_type or _ask("Machine type", starter.default_machine_type())
    return starter.Starter(
        machine_type=machine_type,
        networking=options.networking or "dranet",
        mode=options.mode or "standard",
        project=options.project or _ask("Project ID", starter.DEFAULT_PROJECT),
        zone=options.zone or _ask("Zone of the GPUs", starter.default_zone(machine_type)),
        name=options.name or _ask("Name of the cluster", starter.DEFAULT_NAME),
        capacity=options.capacity or _ask("Capacity", "none", starter.capacities()),
        file=options.file if options.file != "-" else "rdma.yaml",
    )


def _ask(question: str, default: str, allowed: tuple[str, ...] = ()) -> str:
    """Ask on a terminal; elsewhere the default holds."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return default
    import typer

    choices = f" ({', '.join(allowed)})" if allowed else ""
    while True:
        answer: str = typer.prompt(f"{question}{choices}", default=default, err=True).strip()
        if not allowed or answer in allowed:
            return answer


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise RefusedError("The file exists, and was left as it is.", hint="Name another file.", path=path) from None
    except OSError as error:
        raise InputError(f"The file cannot be written: {error.strerror}.", path=path) from None
