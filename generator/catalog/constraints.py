"""Terraform's version constraints: `>= 7.34.0, < 8.0`, and what a set of them admits.

The rules are those by which Terraform chooses providers (https://developer.hashicorp.com/terraform/language/expressions/version-constraints):
parts that are not written are zero, except that `~>` leaves its last written part open; a pre-release is admitted only
where `=` names it exactly; constraints of all modules hold together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Operator = Literal["=", "!=", ">", ">=", "<", "<=", "~>"]
Release = tuple[int, int, int]
_Key = tuple[int, int, int, int, tuple[tuple[int, int, str], ...]]

_NUMBER = r"(\d{1,18})"
_VERSION = re.compile(
    rf"{_NUMBER}(?:\.{_NUMBER}(?:\.{_NUMBER})?)?(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?",
    re.ASCII,
)
_CONSTRAINT = re.compile(r"\s*(!=|>=|<=|~>|=|>|<)?\s*(\S+)\s*", re.ASCII)
_BEYOND: Release = (10**18, 0, 0)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a provider or of Terraform.

    Attributes:
        release: major, minor, patch; zero where not written.
        prerelease: `rc.1`, or "".
        written: how many of the three numbers are written.
    """

    release: Release
    prerelease: str = ""
    written: int = 3

    @property
    def key(self) -> _Key:
        """Orders versions as SemVer does: a pre-release is older than its release."""
        if not self.prerelease:
            return (*self.release, 1, ())
        parts = self.prerelease.split(".")
        return (*self.release, 0, tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts))

    def __str__(self) -> str:
        return ".".join(map(str, self.release)) + (f"-{self.prerelease}" if self.prerelease else "")


@dataclass(frozen=True, slots=True)
class Constraint:
    """One operator and its version."""

    operator: Operator
    version: Version

    def holds(self, version: Version) -> bool:
        """Whether the comparison holds, taken by itself (pre-releases are compared like any other version)."""
        this, other = version.key, self.version.key
        match self.operator:
            case "=":
                return this == other
            case "!=":
                return this != other
            case ">":
                return this > other
            case ">=":
                return this >= other
            case "<":
                return this < other
            case "<=":
                return this <= other
        return this >= other and version.release < self._end_of_pessimistic()

    def _end_of_pessimistic(self) -> Release:
        major, minor, _ = self.version.release
        return (major, minor + 1, 0) if self.version.written == 3 else (major + 1, 0, 0)

    def releases(self) -> tuple[Release, Release]:
        """The releases it admits, from the first to the one after the last (`!=` admits all here)."""
        at, is_pre = self.version.release, bool(self.version.prerelease)
        after = at if is_pre else (at[0], at[1], at[2] + 1)
        match self.operator:
            case "=":
                return (at, after)
            case ">":
                return (after, _BEYOND)
            case ">=":
                return (at, _BEYOND)
            case "<":
                return ((0, 0, 0), at)
            case "<=":
                return ((0, 0, 0), after)
            case "~>":
                return (at, self._end_of_pessimistic())
        return ((0, 0, 0), _BEYOND)


def parse_version(text: str) -> Version | None:
    """Read `7`, `7.34`, `7.34.0` or `7.34.0-rc.1`; None for anything else."""
    match = _VERSION.fullmatch(text.strip())
    if match is None:
        return None
    numbers = [int(n) for n in match.group(1, 2, 3) if n is not None]
    major, minor, patch = (*numbers, 0, 0)[:3]
    return Version((major, minor, patch), match.group(4) or "", len(numbers))


def parse(text: str) -> tuple[Constraint, ...] | None:
    """Read a list of constraints; None when Terraform would refuse it."""
    found: list[Constraint] = []
    for piece in text.split(","):
        match = _CONSTRAINT.fullmatch(piece)
        version = parse_version(match.group(2)) if match else None
        if match is None or version is None:
            return None
        operator: Operator = match.group(1) or "="  # type: ignore[assignment]
        found.append(Constraint(operator, version))
    return tuple(found)


def admits(constraints: Sequence[Constraint], version: Version) -> bool:
    """Whether Terraform would take `version` under all `constraints`."""
    if version.prerelease and not any(c.operator == "=" and c.version.key == version.key for c in constraints):
        return False
    return all(c.holds(version) for c in constraints)


def admits_below(constraints: Iterable[Constraint], floor: Version) -> bool:
    """Whether all constraints together admit any version older than `floor`."""
    every = tuple(constraints)
    if any(admits(every, c.version) and c.version.key < floor.key for c in every):
        return True
    return _any_release(every, (0, 0, 0), floor.release)


def admits_above(constraints: Iterable[Constraint], ceiling: Version) -> bool:
    """Whether all constraints together admit any version newer than `ceiling`."""
    every = tuple(constraints)
    if any(admits(every, c.version) and c.version.key > ceiling.key for c in every):
        return True
    major, minor, patch = ceiling.release
    return _any_release(every, ceiling.release if ceiling.prerelease else (major, minor, patch + 1), _BEYOND)


def raised(text: str, floor: Version) -> tuple[str, bool] | None:
    """A constraint with its lower end raised to a version, everything else as it is written.

    Args:
        text: the constraint.
        floor: the new lower end; not a pre-release.

    Returns:
        The new text, and whether it keeps to major versions that the old one admits; None when there is nothing to raise,
        when that is not all there is to do, or when Terraform would refuse the text.
    """
    every = parse(text)
    if every is None or floor.prerelease:
        return None
    pieces = text.split(",")
    found, is_near = False, admits(every, floor)
    for at, constraint in enumerate(every):
        if constraint.operator in ("=", ">", ">=", "~>"):
            found = True
            if constraint.version.key < floor.key:
                if constraint.operator == "~>" and constraint.version.written < 3 and floor.release[2]:
                    return None
                pieces[at] = _with_version(pieces[at], constraint, floor)
                is_near = is_near or constraint.version.release[0] == floor.release[0]
    if not found:
        pieces.insert(0, f">= {floor}")
        pieces[1] = f" {pieces[1].lstrip()}"
    new = ",".join(pieces)
    after = parse(new)
    if after is None or new == text or admits_below(after, floor) or not admits(after, floor):
        return None
    return new, is_near


def _with_version(piece: str, constraint: Constraint, floor: Version) -> str:
    """One piece with another version, written with as many numbers as that needs."""
    match = _CONSTRAINT.fullmatch(piece)
    assert match is not None
    # `~>` with two numbers stays within the major version, with three within the minor one.
    short = (
        constraint.version.written < 3
        and floor.release[2] == 0
        and (constraint.operator == "~>" or constraint.version.written == 2)
    )
    version = ".".join(map(str, floor.release[:2])) if short else str(floor)
    if constraint.operator == ">":
        at = match.start(1)
        return f"{piece[:at]}>={piece[match.end(1) : match.start(2)]}{version}{piece[match.end(2) :]}"
    return f"{piece[: match.start(2)]}{version}{piece[match.end(2) :]}"


def _any_release(constraints: Sequence[Constraint], first: Release, end: Release) -> bool:
    """Whether a release from `first` up to but not including `end` satisfies all constraints."""
    for constraint in constraints:
        low, high = constraint.releases()
        first, end = max(first, low), min(end, high)
    if first >= end:
        return False
    if first[:2] != end[:2]:
        # Patches are without end, so finitely many `!=` cannot shut out all that lies before the next minor version.
        return True
    shut_out = {c.version.release for c in constraints if c.operator == "!=" and not c.version.prerelease}
    within = {r for r in shut_out if first <= r < end}
    return len(within) < end[2] - first[2]
