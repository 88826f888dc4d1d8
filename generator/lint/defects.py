"""Defects of this program as errors of a run, so that one of them hides nothing that the rest has found."""

from __future__ import annotations

from pathlib import Path

from generator.errors import InputError


class Defect(InputError):
    """A mistake of this program; its cause is the exception that nobody expected."""


def defect(where: str, error: Exception, *, path: Path | None = None, line: int | None = None) -> Defect:
    """The error to show for an exception that nobody expected.

    Args:
        where: what failed, as in "the rule local-ssd".
        error: kept as the cause, for --verbose.
        path: the file that was looked at.
        line: its line, from 1.
    """
    found = Defect(
        f"internal error in {where}: {type(error).__name__}: {error}",
        hint="This is a defect of gke-rdma; please report it. --verbose shows where it happened.",
        path=path,
        line=line,
    )
    found.__cause__ = error
    return found
