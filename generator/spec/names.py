"""Which key was meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches


def snake(key: str) -> str:
    """A key in the spec's own style: `nodeCount` and `node-count` are `node_count`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).replace("-", "_").lower()


def shown(text: str) -> str:
    """Text as a message quotes it: cut where it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "…")


def nearest(key: str, known: Iterable[str]) -> str | None:
    """The known key that was most likely meant by `key`; None when none is near."""
    return next(iter(get_close_matches(snake(key), list(known), n=1, cutoff=0.6)), None)
