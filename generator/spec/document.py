"""A spec file as plain data, with the place of every key and value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

# Where a value lies in the data: keys and list indexes from the top.
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value is written. Lines and columns start at 1 and count characters.

    Attributes:
        line: line of the value.
        column: column of the value.
        key_line: line of its key; that of the value for a list item.
        key_column: column of its key.
        text: a scalar as it is written, without quotes; "" for a list or a mapping.
        plain: a YAML scalar without quotes, whose type YAML has guessed.
    """

    line: int
    column: int
    key_line: int
    key_column: int
    text: str = ""
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a spec.

    Attributes:
        line: from 1; None when the mistake has no place in the text.
        column: from 1, in characters.
        message: what was found and what is needed.
        hint: what to write instead.
    """

    line: int | None
    column: int | None
    message: str
    hint: str = ""


@dataclass(slots=True)
class Document:
    """What a reader makes of a file.

    Attributes:
        data: dicts, lists, strings, numbers, booleans and None; None when nothing could be read.
        places: the place of each value, by its path.
        problems: what is wrong with the text itself.
        damaged: mappings with a key that could not be read: what seems to be missing there may not be.
    """

    data: Any = None
    places: dict[Path, Place] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    damaged: set[Path] = field(default_factory=set)

    def place(self, path: Path) -> Place:
        """The place of a value, or of the nearest thing around it that is written."""
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, Place(1, 1, 1, 1))

    def value(self, path: Path) -> Any:
        """What lies at a path; None when nothing does."""
        found = self.data
        for step in path:
            inside = step in found if isinstance(found, dict) else isinstance(found, list) and step in range(len(found))
            if not inside:
                return None
            found = found[step]
        return found

    def problem(self, path: Path, message: str, hint: str = "", *, key: bool = False) -> Problem:
        """A problem at the value of `path`, or at its key. A path that is not written points at what should hold it."""
        at = self.place(path)
        missing = path not in self.places
        if key or missing:
            return Problem(at.key_line, at.key_column, message, hint)
        return Problem(at.line, at.column, message, hint)


def dotted(path: Path) -> str:
    """A path as people write it: `node_pools[0].capacity.kind`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text or "the spec"
