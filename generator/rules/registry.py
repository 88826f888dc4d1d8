"""Finds the rules: every module of this package that has a `RULE`.

A rule's module is named like the rule, with `_` for `-`, so that names can be checked without importing any of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import InputError

if TYPE_CHECKING:
    from generator.rules.base import Rule

# How much less similar than the nearest another suggestion may be.
_SIMILAR = 0.15
_DECLARATION = re.compile(rb"^RULE\b", re.MULTILINE)


@cache
def names() -> tuple[str, ...]:
    """The names of all rules in alphabetical order, without importing them."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return tuple(f.stem.replace("_", "-") for f in files if _DECLARATION.search(f.read_bytes()))


@cache
def rules() -> tuple[Rule, ...]:
    """All rules in order of name."""
    return tuple(_load(name) for name in names())


def find(name: str) -> Rule:
    """The rule of that name.

    Raises:
        InputError: there is none; the hint names the nearest.
    """
    if name not in names():
        raise InputError(f"there is no rule {name!r}", hint=suggestion(name))
    return _load(name)


def suggestion(name: str, candidates: Iterable[str] | None = None) -> str:
    """A hint for a name that does not exist: the nearest ones, or how to list them.

    Args:
        name: what was written.
        candidates: what could have been meant; the rules when None.
    """
    import difflib

    known = names() if candidates is None else list(candidates)
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    if near:
        # What is much less like it than the nearest was not meant.
        best, *others = (difflib.SequenceMatcher(None, one, name).ratio() for one in near)
        near = near[: 1 + sum(1 for ratio in others if ratio > best - _SIMILAR)]
        return f"did you mean {' or '.join(near)}?"
    return "gke-rdma rules lists them" if candidates is None else f"known are {', '.join(sorted(candidates))}"


def document(name: str) -> str:
    """The docstring of a rule's module, which is its page."""
    return (import_module(_module(name)).__doc__ or "").strip()


def _load(name: str) -> Rule:
    rule: Rule = import_module(_module(name)).RULE
    return rule


def _module(name: str) -> str:
    return f"generator.rules.{name.replace('-', '_')}"
