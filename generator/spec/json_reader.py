"""JSON to data with positions. `json` of the standard library keeps none and takes the last of two equal keys."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable
from json import decoder
from typing import Any

from generator.spec.document import Document, Path, Place, Problem

MAX_DEPTH = 40

# The standard library's own string reader: text and offset to string and end.
_scan_string: Callable[[str, int, bool], tuple[str, int]] = decoder.scanstring  # type: ignore[attr-defined]
_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None}


class _Stop(Exception):
    """The text cannot be read on from an offset."""

    def __init__(
        self, at: int, message: str, hint: str = "Check quotes, commas and brackets around this place."
    ) -> None:
        super().__init__(message)
        self.at, self.message, self.hint = at, message, hint


def read_json(text: str) -> Document:
    """Read JSON text; problems are in the document, `data` is None when it is not JSON."""
    reader = _Reader(text)
    try:
        data, end = reader.value(reader.blank(0), (), None, 0)
        end = reader.blank(end)
        if end < len(text):
            raise _Stop(end, f"Text follows the end of the JSON value: `{text[end : end + 20]}`.", "Remove it.")
        reader.document.data = data
    except _Stop as stop:
        line, column = reader.position(stop.at)
        reader.document.problems.append(Problem(line, column, stop.message, stop.hint))
    return reader.document


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.document = Document()
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def blank(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int, path: Path, key_at: int | None, depth: int) -> tuple[Any, int]:
        if depth > MAX_DEPTH:
            raise _Stop(
                at, f"Values are nested more than {MAX_DEPTH} levels deep.", "No key of a spec needs more than 6."
            )
        char = self.text[at : at + 1]
        if char == "{":
            self._place(path, at, key_at)
            return self._object(at, path, depth)
        if char == "[":
            self._place(path, at, key_at)
            return self._array(at, path, depth)
        data, end = self._scalar(at, char)
        self._place(path, at, key_at, data if isinstance(data, str) else self.text[at:end])
        return data, end

    def _place(self, path: Path, at: int, key_at: int | None, text: str = "") -> None:
        self.document.places[path] = Place(*self.position(at), *self.position(at if key_at is None else key_at), text)

    def _scalar(self, at: int, char: str) -> tuple[Any, int]:
        if char == '"':
            return self._string(at)
        for word, data in _WORDS.items():
            if self.text.startswith(word, at):
                return data, at + len(word)
        match = _NUMBER.match(self.text, at)
        if match is None:
            found = f"`{self.text[at : at + 20].splitlines()[0]}`" if char.strip() else "the end of the text"
            raise _Stop(at, f"A JSON value is needed here, found {found}.")
        if match[1] or match[2]:
            return float(match[0]), match.end()
        if len(match[0]) > 30:
            raise _Stop(at, "This number has more than 30 digits.")
        return int(match[0]), match.end()

    def _string(self, at: int) -> tuple[str, int]:
        try:
            return _scan_string(self.text, at + 1, True)
        except json.JSONDecodeError as error:
            raise _Stop(error.pos, f"This JSON string cannot be read: {error.msg}.") from None

    def _object(self, at: int, path: Path, depth: int) -> tuple[dict[str, Any], int]:
        result: dict[str, Any] = {}
        lines: dict[str, int] = {}
        at = self.blank(at + 1)
        if self.text[at : at + 1] == "}":
            return result, at + 1
        while True:
            if self.text[at : at + 1] != '"':
                raise _Stop(at, "A key in double quotes is needed here.")
            key_at, (key, at) = at, self._string(at)
            at = self.blank(at)
            if self.text[at : at + 1] != ":":
                raise _Stop(at, f"`:` is needed after the key `{key}`.")
            line, column = self.position(key_at)
            if key in result:
                self.document.problems.append(
                    Problem(
                        line,
                        column,
                        f"The key `{key}` is written twice; the first is on line {lines[key]}.",
                        "Remove one of the two.",
                    )
                )
                _, at = _Reader(self.text).value(self.blank(at + 1), (), None, depth + 1)
            else:
                lines[key] = line
                result[key], at = self.value(self.blank(at + 1), (*path, key), key_at, depth + 1)
            at, done = self._next(at, "}")
            if done:
                return result, at

    def _array(self, at: int, path: Path, depth: int) -> tuple[list[Any], int]:
        result: list[Any] = []
        at = self.blank(at + 1)
        if self.text[at : at + 1] == "]":
            return result, at + 1
        while True:
            item, at = self.value(at, (*path, len(result)), None, depth + 1)
            result.append(item)
            at, done = self._next(at, "]")
            if done:
                return result, at

    def _next(self, at: int, close: str) -> tuple[int, bool]:
        at = self.blank(at)
        char = self.text[at : at + 1]
        if char == close:
            return at + 1, True
        if char != ",":
            raise _Stop(at, f"`,` or `{close}` is needed here.")
        return self.blank(at + 1), False
