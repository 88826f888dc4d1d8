"""When a name is so near to a known one that it must be meant for it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from generator.catalog.provider_names import bare

_DIGITS = re.compile(r"\D")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is meant, or None when none is near enough to be sure.

    A changed digit is another thing (`ipv4`, `ipv6`), and so are further words: newer providers may know those.
    """
    names = sorted(known)
    plain = {bare(name), bare(name).removeprefix("desired")}
    same = next((k for k in names if bare(k) in plain), None)
    if same is not None:
        return same
    candidates = [k for k in names if _DIGITS.sub("", k) == _DIGITS.sub("", name)]
    words = name.lower().split("_")
    for candidate in candidates:
        if sorted(candidate.split("_")) == sorted(words):
            return candidate
    rated = sorted((_distance(name.lower(), k), k) for k in candidates)
    if rated and rated[0][0] <= _tolerance(name):
        return rated[0][1]
    longer = [k for k in candidates if len(words) > 1 and (k.startswith(f"{name}_") or k.endswith(f"_{name}"))]
    if len(longer) == 1:
        return longer[0]
    alike = [k for k in candidates if len(name) >= 12 and SequenceMatcher(None, name, k).ratio() >= 0.88]
    return alike[0] if len(alike) == 1 else None


def _tolerance(name: str) -> int:
    return 0 if len(name) < 4 else 1 if len(name) < 8 else 2 if len(name) < 16 else 3


def _distance(one: str, other: str) -> int:
    """How many letters have to be put in, taken out, changed or swapped with their neighbour."""
    if abs(len(one) - len(other)) > 3:
        return 4
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row, older = row, [i], before
        for j, b in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
        before = last
    return row[-1]
