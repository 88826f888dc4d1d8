"""`gke-rdma init`: a spec to begin with."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from generator.catalog import machines
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
    if options.file.lower().endswith(".json"):
        raise InputError(
            "A spec to begin with has comments, which JSON does not take.", hint="Name a file that ends in .yaml."
        )
    _check_choice("--capacity", options.capacity, starter.capacities())
    _check_choice("--networking", options.networking, ("dranet", "multi-network"))
    _check_choice("--mode", options.mode, ("standard", "autopilot"))
    if options.mode == "autopilot" and options.networking == "multi-network":
        raise InputError(
            "--networking multi-network is for node pools, and an Autopilot cluster has none.",
            hint="Leave one of the two options out.",
        )
    starting = _starter(options)
    if wrong := _wrong(starting):
        raise UserErrors(wrong)
    text = starting.text()
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
    """The options, and for what they leave open the answers of a user on a terminal; elsewhere the defaults hold."""
    machine_type = options.machine_type or starter.default_machine_type()
    chosen = starter.Starter(
        machine_type=machine_type,
        networking=options.networking or "dranet",
        mode=options.mode or "standard",
        project=options.project or starter.DEFAULT_PROJECT,
        zone=options.zone or starter.default_zone(machine_type),
        name=options.name or starter.DEFAULT_NAME,
        capacity=options.capacity or "none",
        file=options.file if options.file != "-" else "rdma.yaml",
    )
    if not (sys.stdin.isatty() and sys.stderr.isatty()) or _wrong(chosen):
        return chosen
    if options.mode is None and options.networking != "multi-network":
        chosen = _ask("Mode", "mode", chosen, ("standard", "autopilot"))
    if options.machine_type is None:
        chosen = _ask("Machine type", "machine_type", chosen, tuple(m.name for m in machines.served()))
        if options.zone is None:
            chosen = replace(chosen, zone=starter.default_zone(chosen.machine_type))
    if options.networking is None and chosen.mode == "standard":
        chosen = _ask("Networking", "networking", chosen, ("dranet", "multi-network"))
    for question, field, given in (
        ("Project ID", "project", options.project),
        ("Zone of the GPUs", "zone", options.zone),
        ("Name of the cluster", "name", options.name),
    ):
        if given is None:
            chosen = _ask(question, field, chosen)
    return chosen if options.capacity else _ask("Capacity", "capacity", chosen, starter.capacities())


def _wrong(chosen: starter.Starter) -> list[InputError]:
    """What is wrong with the spec that would be written."""
    try:
        parse(chosen.text(), chosen.file)
    except UserErrors as wrong:
        return [InputError(e.message, hint=e.hint) for e in wrong.errors]
    return []


def _ask(question: str, field: str, chosen: starter.Starter, allowed: tuple[str, ...] = ()) -> starter.Starter:
    """Ask until the answer is one that a spec takes."""
    import typer

    choices = f" ({', '.join(allowed)})" if allowed else ""
    while True:
        answer: str = typer.prompt(f"{question}{choices}", default=getattr(chosen, field), err=True).strip()
        if allowed and answer not in allowed:
            sys.stderr.write(f"Write one of {', '.join(allowed)}.\n")
            continue
        answered = replace(chosen, **{field: answer})
        wrong = _wrong(answered)
        if not wrong:
            return answered
        sys.stderr.write(f"{wrong[0].message}{f' {wrong[0].hint}' if wrong[0].hint else ''}\n")


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise RefusedError("The file exists, and was left as it is.", hint="Name another file.", path=path) from None
    except OSError as error:
        raise InputError(f"The file cannot be written: {error.strerror}.", path=path) from None
