"""GKE versions: `1.34.8-gke.1278000`, parts of one (`1.34`, `1.34.8`), and the aliases `latest` and `-`.

A part stands for the highest version it can mean, as GKE resolves it. Versions are compared as numbers, never as text:
1.34.10 is newer than 1.34.8.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORM = re.compile(r"(\d{1,9})(?:\.(\d{1,9})(?:\.(\d{1,9})(?:-gke\.(\d{1,18}))?)?)?", re.ASCII)

# Above every number that a version holds; stands for "the newest there is" in a part that is not written.
_HIGHEST = 10**18

ALIASES = ("latest", "-")


@dataclass(frozen=True, slots=True)
class GkeVersion:
    """A version or a part of one.

    Attributes:
        numbers: 1 to 4 numbers: major, minor, patch, GKE build; empty for an alias.
    """

    numbers: tuple[int, ...]

    @property
    def is_full(self) -> bool:
        """Whether all four numbers are written, so that it means one version only."""
        return len(self.numbers) == 4

    @property
    def highest(self) -> tuple[int, int, int, int]:
        """The highest version it can mean, as numbers; beyond every real one where a part is not written."""
        a, b, c, d = (*self.numbers, *[_HIGHEST] * (4 - len(self.numbers)))
        return (a, b, c, d)

    def is_below(self, floor: GkeVersion) -> bool:
        """Whether everything it can mean is older than `floor`, which is a full version."""
        return self.highest < floor.highest


def parse(text: str) -> GkeVersion | None:
    """Read a version, a part of one or an alias.

    Returns:
        None for what is no version. An alias has no numbers and is never below anything.
    """
    text = text.strip()
    if text in ALIASES:
        return GkeVersion(())
    match = _FORM.fullmatch(text)
    return GkeVersion(tuple(int(n) for n in match.groups() if n is not None)) if match else None


def is_below(text: str, floor: str) -> bool:
    """Whether all that `text` can mean is older than the full version `floor`; False when `text` is no version.

    Raises:
        ValueError: when `floor` is no full version.
    """
    bound = parse(floor)
    if bound is None or not bound.is_full:
        raise ValueError(f"not a full GKE version: {floor!r}")
    version = parse(text)
    return version is not None and version.is_below(bound)


def is_part(text: str) -> bool:
    """Whether it is a part of a version (`1.34`, `1.34.8`), which GKE resolves to a full one."""
    version = parse(text)
    return version is not None and 0 < len(version.numbers) < 4
