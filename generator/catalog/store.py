"""Reads the data files of this package, each once and only when it is asked for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact comes from.

    Attributes:
        title: a name for people.
        url: the page or the repository.
    """

    title: str
    url: str


@cache
def load(name: str) -> Any:
    """The content of `data/NAME.json`. Do not change what it returns: it is shared."""
    return json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def source(name: str) -> Source:
    """The source that data files call `name`.

    Raises:
        KeyError: when there is none.
    """
    entry = load("sources")[name]
    return Source(entry["title"], entry["url"])
