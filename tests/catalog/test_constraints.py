"""Version constraints against a model that tries every version of a small world."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.catalog.constraints import Constraint, Version, admits, admits_above, admits_below, parse, parse_version

TOP = 3
RELEASES = [(a, b, c) for a in range(TOP + 2) for b in range(TOP + 2) for c in range(TOP + 2)]
PRERELEASES = ["", "alpha", "rc.1", "rc.2"]
OPERATORS = ["=", "!=", ">", ">=", "<", "<=", "~>"]

number = st.integers(0, TOP)
versions = st.builds(
    lambda numbers, length, pre: ".".join(map(str, numbers[:length])) + (f"-{pre}" if pre else ""),
    st.tuples(number, number, number),
    st.integers(1, 3),
    st.sampled_from([*[""] * 6, *PRERELEASES]),
)
constraints = st.lists(st.tuples(st.sampled_from(OPERATORS), versions), min_size=1, max_size=4)
floors = st.tuples(number, number, number)


def order(text: str) -> tuple[int, int, int, int, str]:
    """The order of the model's versions; its pre-releases sort as text."""
    release, _, pre = text.partition("-")
    a, b, c = (*[int(n) for n in release.split(".")], 0, 0)[:3]
    return (a, b, c, 0 if pre else 1, pre)


def holds(operator: str, bound: str, version: str) -> bool:
    this, other = order(version), order(bound)
    written = len(bound.partition("-")[0].split("."))
    same = this[: 2 if written == 3 else 1] == other[: 2 if written == 3 else 1]
    return {
        "=": this == other,
        "!=": this != other,
        ">": this > other,
        ">=": this >= other,
        "<": this < other,
        "<=": this <= other,
        "~>": this >= other and same,
    }[operator]


def model(wanted: list[tuple[str, str]], version: str) -> bool:
    exactly = any(o == "=" and order(b) == order(version) for o, b in wanted)
    return ("-" not in version or exactly) and all(holds(o, b, version) for o, b in wanted)


# The world has one number more than constraints write, for what lies beyond all of them.
WORLD = [".".join(map(str, r)) + (f"-{p}" if p else "") for r in RELEASES for p in PRERELEASES]


def text_of(wanted: list[tuple[str, str]]) -> str:
    return ", ".join(f"{o} {b}" for o, b in wanted)


@given(wanted=constraints, floor=floors)
@settings(deadline=None, max_examples=60)
def test_below_a_floor(wanted: list[tuple[str, str]], floor: tuple[int, int, int]) -> None:
    parsed = parse(text_of(wanted))
    assert parsed is not None
    limit = order(".".join(map(str, floor)))
    assert admits_below(parsed, Version(floor)) == any(model(wanted, v) for v in WORLD if order(v) < limit)


@given(wanted=constraints, ceiling=floors)
@settings(deadline=None, max_examples=60)
def test_above_a_ceiling(wanted: list[tuple[str, str]], ceiling: tuple[int, int, int]) -> None:
    parsed = parse(text_of(wanted))
    assert parsed is not None
    limit = order(".".join(map(str, ceiling)))
    assert admits_above(parsed, Version(ceiling)) == any(model(wanted, v) for v in WORLD if order(v) > limit)


@given(wanted=constraints, version=versions)
@settings(deadline=None, max_examples=100)
def test_one_version(wanted: list[tuple[str, str]], version: str) -> None:
    parsed, one = parse(text_of(wanted)), parse_version(version)
    assert parsed is not None
    assert one is not None
    assert admits(parsed, one) == model(wanted, version)


FLOOR = Version((7, 34, 0))


@pytest.mark.parametrize(
    ("text", "below"),
    [
        (">= 7.34.0", False),
        (">=7.34", False),
        ("7.34.0", False),
        ("~> 7.34", False),
        ("~> 7.33.0", True),
        ("~> 7.33", True),
        ("~> 7", True),
        ("> 7.34", False),
        ("> 7.33.0", True),
        ("> 7.33.0, < 7.34", True),
        ("= 7.34.0-rc.1", True),
        (">= 7.34.0-rc.1", False),
        ("< 8", True),
        ("!= 7.33.0", True),
        (">= 7.33.5, < 7.33.6, != 7.33.5", False),
        (">= 7.33.5, < 7.33.7, != 7.33.5", True),
        ("= 7.33.0, != 7.33.0", False),
        (">= 8, < 7", False),
        (">= 7.102.0", False),
        ("<= 7.34.0-rc.1", True),
        (">= 7.34.0-beta, = 7.34.0-rc.1", True),
    ],
)
def test_the_floor_of_the_installer(text: str, below: bool) -> None:
    parsed = parse(text)
    assert parsed is not None
    assert admits_below(parsed, FLOOR) is below


@pytest.mark.parametrize(
    "text",
    ["", "latest", ">= ", "=> 7", "7.34.0.1", ">= 7.x", ">= v7.34", ">= 7 < 8", ">= 7,", ">= 7 8", "~ 7", "7.34.0-"],
)
def test_what_is_no_constraint(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize("text", [" >=7.34.0 ", "= 7", "!=7.1,~>7.2", "7.34.0-rc.1+build.5", ">= 07.34"])
def test_what_is_one(text: str) -> None:
    assert parse(text) is not None


def test_precedence_of_prereleases_is_that_of_semver() -> None:
    ordered = [
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
    ]
    keys = [v.key for t in ordered if (v := parse_version(t))]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(ordered)


def test_all_constraints_hold_together() -> None:
    together = [Constraint(">=", Version((6, 33, 0))), Constraint(">=", Version((7, 34, 0)))]
    assert not admits_below(together, FLOOR)
    assert admits_below(together[:1], FLOOR)
