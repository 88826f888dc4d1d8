"""`gke-rdma generate`: a spec becomes a folder of Terraform and Kubernetes files."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import ExitCode, InputError, strongest
from generator.render import compare, folder, record
from generator.report.errors import place
from generator.spec.load import Loaded, load

if TYPE_CHECKING:
    from generator.render.readback import Advice


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
        raise InputError("generate needs a spec and a folder.", hint=_what_to_write(options))
    if options.output == "-":
        raise InputError(
            "A folder cannot be written to standard output.",
            hint="Name a folder with -o; `gke-rdma manifests` can print.",
        )
    loaded = load(options.spec)
    for doubt in loaded.doubts:
        where = place(doubt.path, doubt.line, doubt.column)
        sys.stderr.write(f"warning: {where}: {doubt.message} {doubt.hint}\n")
    outcome = folder.generate(loaded, Path(options.output))
    for warning in outcome.warnings:
        sys.stderr.write(f"warning: {warning}\n")
    if not options.quiet:
        sys.stderr.write(_made(outcome, Path(options.output)))
        for line in _notes(outcome.advice, loaded.data):
            sys.stderr.write(f"note: {line}\n")
        sys.stderr.write(_next(Path(options.output), is_module=loaded.spec.layout == "module"))
    return ExitCode.DONE


def _notes(advice: Iterable[Advice], data: dict[str, Any]) -> list[str]:
    """What the rules advise, a line each, but for what the spec leaves open with a written null."""
    open_pools = {
        pool["name"].replace("-", "_")
        for pool in data.get("node_pools") or ()
        if "gpu_driver" in pool and pool["gpu_driver"] is None
    }
    cluster = data.get("cluster") or {}
    no_version = "version" in cluster and cluster["version"] is None

    def is_asked_for(one: Advice) -> bool:
        if one.rule == "gpu-driver":
            return (one.resource or "").rpartition(".")[2] in open_pools
        return one.rule == "gke-version" and no_version

    return list(dict.fromkeys(f"{a.message} ({a.rule})" for a in advice if not is_asked_for(a)))


def _what_to_write(options: Options) -> str:
    """The command that was meant, as far as it can be told."""
    given = Path(options.spec or ".")
    if options.spec is not None and not given.is_dir():
        return f"gke-rdma generate {shlex.quote(options.spec)} -o DIR"
    if not (given / record.NAME).is_file():
        return f"gke-rdma generate SPEC -o {shlex.quote(options.output or 'DIR')}"
    where, source = shlex.quote(options.output or given.as_posix()), compare.spec_file(given)
    if source is None:
        return f"gke-rdma generate SPEC -o {where}; the spec file that {given} was made from is gone"
    return f"gke-rdma generate {shlex.quote(os.path.relpath(source))} -o {where}"


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
            sys.stderr.write(f"{_within(shown, difference.name)}: {difference.reason}\n")
        if not differences:
            sys.stderr.write(f"{shown}/ is up to date.\n")
    return ExitCode.FINDINGS if differences else ExitCode.DONE


def _compared(options: Options) -> Iterator[tuple[Loaded, Path]]:
    """The specs and folders to compare: a folder alone brings the spec of its record; without one, all below count."""
    if options.output is not None:
        directory = Path(options.output)
        yield (_recorded(directory) if options.spec is None else load(options.spec)), directory
    elif options.spec is None:
        found = compare.generated_folders(Path())
        if not found:
            raise InputError("There is no generated folder here or below.", hint="gke-rdma generate --check DIR")
        for directory in found:
            yield _recorded(directory), directory
    elif not Path(options.spec).is_file():
        yield _recorded(Path(options.spec)), Path(options.spec)
    else:
        raise InputError(
            "The folder to compare with is missing.",
            hint="gke-rdma generate --check DIR, or gke-rdma generate SPEC -o DIR --check",
        )


def _recorded(directory: Path) -> Loaded:
    loaded, remark = compare.recorded(directory)
    if remark is not None:
        sys.stderr.write(f"warning: {remark}\n")
    return loaded


def _within(directory: str, name: str) -> str:
    return name if directory == "." else f"{directory}/{name}"


def _made(outcome: folder.Outcome, asked: Path) -> str:
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
    return "\n".join(lines) + "\n"


def _next(asked: Path, *, is_module: bool) -> str:
    where = asked.as_posix()
    word = shlex.quote(_within(where, "examples/basic") if is_module else where)
    return f"Next:\n  gke-rdma plan {word}\n  gke-rdma apply {word}\n"
