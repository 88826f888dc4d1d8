"""Looking into data that may still be wrong: what the schema has refused is not there for the checks."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from generator.spec.document import Document, Path, Problem
from generator.spec.names import nearest

# A check yields problems; it stays silent where a value it needs is missing or of the wrong type.
Check = Callable[["Look"], Iterator[Problem]]


@dataclass(frozen=True, slots=True)
class Look:
    """A mapping within the document.

    Attributes:
        document: the whole spec.
        path: where the mapping lies.
    """

    document: Document
    path: Path = ()

    def value(self, *steps: str | int) -> Any:
        """What is written there; None when nothing is, or null."""
        return self._find(steps)[1]

    def has(self, *steps: str | int) -> bool:
        """Whether the key is written, null or not."""
        return self._find(steps)[0]

    def _find(self, steps: tuple[str | int, ...]) -> tuple[bool, Any]:
        found: Any = self.document.data
        for step in (*self.path, *steps):
            if isinstance(step, int):
                inside = isinstance(found, list) and step < len(found)
            else:
                inside = isinstance(found, dict) and step in found
            if not inside:
                return False, None
            found = found[step]
        return True, found

    def meant(self, key: str) -> bool:
        """Whether the key is written, perhaps misspelt: then the schema has said so, and nothing is missing."""
        written = self.value()
        return self.path in self.document.damaged or (
            isinstance(written, dict) and (key in written or any(nearest(k, [key]) for k in written if len(k) > 3))
        )

    def text(self, *steps: str | int) -> str | None:
        """A text that is written there."""
        found = self.value(*steps)
        return found if isinstance(found, str) else None

    def number(self, *steps: str | int) -> int | None:
        """A whole number that is written there."""
        found = self.value(*steps)
        return found if isinstance(found, int) and not isinstance(found, bool) else None

    def mapping(self, *steps: str | int) -> dict[str, Any]:
        """A mapping that is written there; empty when none is."""
        found = self.value(*steps)
        return found if isinstance(found, dict) else {}

    def items(self, *steps: str | int) -> list[Any]:
        """A list that is written there; empty when none is."""
        found = self.value(*steps)
        return found if isinstance(found, list) else []

    def at(self, *steps: str | int) -> Look:
        """The same for a mapping within this one."""
        return Look(self.document, (*self.path, *steps))

    def top(self) -> Look:
        """The same for the whole spec."""
        return Look(self.document)

    def pools(self) -> Iterator[Look]:
        """Each node pool that is a mapping."""
        for index, pool in enumerate(self.top().items("node_pools")):
            if isinstance(pool, dict):
                yield self.top().at("node_pools", index)

    def problem(self, *steps: str | int, message: str, hint: str = "", key: bool = True) -> Problem:
        """A problem at a key of this mapping, or at its value."""
        return self.document.problem((*self.path, *steps), message, hint, key=key)


def ip_range(text: str | None) -> ipaddress.IPv4Network | None:
    """An IPv4 range whose address is its first one; None for anything else."""
    try:
        return ipaddress.IPv4Network(text) if text else None
    except ValueError:
        return None
