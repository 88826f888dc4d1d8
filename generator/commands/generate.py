"""`gke-rdma generate`: a spec becomes a folder of Terraform and Kubernetes files."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.errors import ExitCode, InputError, strongest
from generator.render import compare, folder
from generator.spec.load import Loaded, load


@dataclass(frozen=True, slots=True)
class Options:
    """The command line.

    Attributes:
        spec: path of the spec, `-` for standard input; with `check` or `diff` also a generated folder.
        output: the folder to make.
        check: write nothing; tell whether the folder is what would be generated.
        diff: write nothing; show what would change.
        quiet: say nothing about what was made.
    """

    spec: str | None
    output: str | None
    check: bool = False
    diff: bool = False
    quiet: bool = False


def run(options: Options) -> ExitCode:
    """Make or update the folder, or compare it with what would be made.

    Raises:
        UserErrors: the spec is wrong.
        InputError: the folder cannot be written.
        RefusedError: the folder is not ours, or was edited by hand.
    """
    if options.check or options.diff:
        return _compare(options)
    if options.spec is None or options.output is None:
        raise InputError("generate needs a spec and a folder.", hint="gke-rdma generate SPEC -o DIR")
    if options.output == "-":
        raise InputError(
            "A folder cannot be written to standard output.",
            hint="Name a folder with -o; `gke-rdma manifests` can print.",
        )
    loaded = load(options.spec)
    outcome = folder.generate(loaded, Path(options.output))
    for warning in outcome.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    if not options.quiet:
        sys.stderr.write(_summary(outcome, Path(options.output)))
    return ExitCode.DONE


def _compare(options: Options) -> ExitCode:
    codes = [_compare_one(loaded, directory, options) for loaded, directory in _compared(options)]
    return strongest(codes)


def _compare_one(loaded: Loaded, directory: Path, options: Options) -> ExitCode:
    differences = compare.differences(loaded, directory)
    shown = directory.as_posix()
    if options.diff:
        sys.stdout.write("".join(d.text(shown) for d in differences))
    if not options.quiet:
        for difference in differences:
            sys.stderr.write(f"{shown}/{difference.name}: {difference.reason}\n")
        if not differences:
            sys.stderr.write(f"{shown}/ is up to date.\n")
    return ExitCode.FINDINGS if differences else ExitCode.DONE


def _compared(options: Options) -> Iterator[tuple[Loaded, Path]]:
    """The specs and folders to compare: a folder alone brings the spec of its record; without one, all below count."""
    if options.output is not None:
        directory = Path(options.output)
        yield (compare.recorded(directory) if options.spec is None else load(options.spec)), directory
    elif options.spec is None:
        found = compare.generated_folders(Path())
        if not found:
            raise InputError("There is no generated folder here or below.", hint="gke-rdma generate --check DIR")
        for directory in found:
            yield compare.recorded(directory), directory
    elif Path(options.spec).is_dir():
        yield compare.recorded(Path(options.spec)), Path(options.spec)
    else:
        raise InputError(
            "The folder to compare with is missing.",
            hint="gke-rdma generate --check DIR, or gke-rdma generate SPEC -o DIR --check",
        )


def _summary(outcome: folder.Outcome, asked: Path) -> str:
    where = asked.as_posix()
    if outcome.created:
        lines = [f"Made {where}/ with {len(outcome.written)} files, read back and checked."]
    elif not outcome.written and not outcome.removed:
        lines = [f"{where}/ is up to date."]
    else:
        lines = [
            f"Updated {where}/:",
            *(f"  wrote    {n}" for n in outcome.written),
            *(f"  removed  {n}" for n in outcome.removed),
        ]
    word = shlex.quote(where)
    return "\n".join([*lines, "Next:", f"  gke-rdma plan {word}", f"  gke-rdma apply {word}"]) + "\n"
