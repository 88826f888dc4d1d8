"""What a run of the linter is asked for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import ExitCode
from generator.findings import Report
from generator.lint.configuration import Flags

if TYPE_CHECKING:
    from generator.hcl.source import Source
    from generator.hcl.variables import VariableArgument
    from generator.view import ModuleTree


@dataclass(frozen=True, slots=True)
class Request:
    """One run.

    Attributes:
        paths: folders and files, as on the command line.
        directory: the working directory, absolute.
        flags: what the command line says about rules and severities.
        variables: `--var` and `--var-file`, in the order of the command line.
        environment: where `TF_VAR_*` are looked up.
        write_baseline: file to write the findings to as known ones, absolute; None for none.
    """

    paths: tuple[str, ...]
    directory: Path
    flags: Flags = field(default_factory=Flags)
    variables: tuple[VariableArgument, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    write_baseline: Path | None = None


@dataclass(slots=True)
class Outcome:
    """What a run found.

    Attributes:
        report: findings and errors.
        code: the exit code it leads to.
        sources: the files that findings lie in, by path.
        notices: what else is to be said, one line each.
        timings: seconds of each stage, in order.
        baseline: text of the baseline that was asked for.
        trees: the module trees that were judged.
        asked: the folders of the modules that were asked for.
    """

    report: Report = field(default_factory=Report)
    code: ExitCode = ExitCode.DONE
    sources: dict[Path, Source] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    timings: dict[str, float] = field(default_factory=dict)
    baseline: str | None = None
    trees: list[ModuleTree] = field(default_factory=list)
    asked: frozenset[Path] = frozenset()
