"""Which full GKE version the stand-in cloud runs for what a configuration writes."""

from __future__ import annotations

from typing import Any

from generator.catalog import gke_version
from generator.catalog.versions import default_version, newest
from generator.rehearsal.behaviour import api_error

# Of a version that the catalog has no full form of, these numbers are made up.
_MADE_UP = (0, 0, 0, 1000000)


def running(written: Any) -> str | None:
    """The full version for a version, a part of one or an alias; None when nothing is written.

    Raises:
        Refusal: it is none of these.
    """
    if not isinstance(written, str) or not written:
        return None
    if written in gke_version.ALIASES:
        return default()
    wanted = gke_version.parse(written)
    if wanted is None:
        raise api_error(400, f'Version "{written}" is invalid.', "badRequest")
    return newest(written) or _completed(wanted.numbers)


def default(autopilot: bool = False) -> str:
    """The version of a cluster that asks for none."""
    part = default_version("autopilot" if autopilot else "standard")
    return newest(part) or part


def is_newer(version: str, than: str) -> bool:
    """Whether a full version is newer than another."""
    return gke_version.is_below(than, version)


def _completed(numbers: tuple[int, ...]) -> str:
    major, minor, patch, build = numbers + _MADE_UP[len(numbers) :]
    return f"{major}.{minor}.{patch}-gke.{build}"
