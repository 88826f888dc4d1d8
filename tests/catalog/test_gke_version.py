"""GKE versions: parts, aliases, order."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.catalog.gke_version import is_below, is_part, parse

SMALL = st.integers(0, 3)
FULL = st.tuples(SMALL, SMALL, SMALL, SMALL)
UNIVERSE = [(a, b, c, d) for a in range(4) for b in range(4) for c in range(4) for d in range(4)]


def written(numbers: tuple[int, ...]) -> str:
    text = ".".join(map(str, numbers[:3]))
    return f"{text}-gke.{numbers[3]}" if len(numbers) == 4 else text


@given(version=FULL, length=st.integers(1, 4), floor=FULL)
@settings(deadline=None, max_examples=100)
def test_a_part_is_below_only_when_all_it_can_mean_is(
    version: tuple[int, ...], length: int, floor: tuple[int, ...]
) -> None:
    part = version[:length]
    # One number more than the floor can have stands for the versions that are still to come.
    newest = (*part, *[4] * (4 - length))
    meant = [v for v in [*UNIVERSE, newest] if v[:length] == part]
    assert is_below(written(part), written(floor)) == all(v < floor for v in meant)


@pytest.mark.parametrize(
    ("text", "floor", "below"),
    [
        ("1.34.8-gke.1278000", "1.34.8-gke.1278000", False),
        ("1.34.8-gke.1277999", "1.34.8-gke.1278000", True),
        ("1.34.10-gke.1", "1.34.8-gke.1278000", False),
        ("1.9.10-gke.9999999", "1.34.8-gke.1278000", True),
        ("1.34.7", "1.34.8-gke.1278000", True),
        ("1.34", "1.34.8-gke.1278000", False),
        ("1", "1.34.8-gke.1278000", False),
        ("0", "1.34.8-gke.1278000", True),
        ("latest", "1.34.8-gke.1278000", False),
        ("-", "1.34.8-gke.1278000", False),
        ("", "1.34.8-gke.1278000", False),
        ("v1.20", "1.34.8-gke.1278000", False),
        ("1.20.x", "1.34.8-gke.1278000", False),
    ],
)
def test_below(text: str, floor: str, below: bool) -> None:
    assert is_below(text, floor) is below


@pytest.mark.parametrize(
    "text", ["", "1.", "1.34.8-gke", "1.34.8-gke.x", "1.34-gke.1", "1.34.8.1", "v1.34", "1.34.8-gke.1 2", "١.٣٤"]
)
def test_no_version(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("1.34", True),
        ("1.34.8", True),
        ("1", True),
        ("1.34.8-gke.1", False),
        ("latest", False),
        ("-", False),
        ("x", False),
    ],
)
def test_part(text: str, part: bool) -> None:
    assert is_part(text) is part


def test_the_floor_has_to_be_full() -> None:
    with pytest.raises(ValueError, match="not a full GKE version"):
        is_below("1.34", "1.34")
