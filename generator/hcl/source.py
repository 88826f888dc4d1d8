"""A file's text and stretches of it.

All offsets in this package count characters of the decoded text from 0, a byte order mark included.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True, eq=False)
class Source:
    """One file as it was read. Two sources are equal only when they are the same object.

    Attributes:
        path: absolute path of the file.
        text: its decoded text, line ends and byte order mark as they are in the file.
        undecodable: offsets of characters (U+FFFD) that stand for bytes which are not UTF-8.
    """

    path: Path
    text: str
    _lines: list[int] = field(default_factory=list, repr=False)
    undecodable: tuple[int, ...] = ()

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, in characters; a byte order mark takes no column."""
        if not self._lines:
            starts = [0]
            find, at = self.text.find, 0
            while (at := find("\n", at) + 1) > 0:
                starts.append(at)
            self._lines = starts
        line = bisect_right(self._lines, offset)
        column = offset - self._lines[line - 1] + 1
        if line == 1 and self.text.startswith("\ufeff") and column > 1:
            column -= 1
        return line, column

    def line_text(self, line: int) -> str:
        """The text of a line (from 1) without its end."""
        self.position(0)
        start = self._lines[line - 1]
        end = self._lines[line] if line < len(self._lines) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` (exclusive) of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The text it covers."""
        return self.source.text[self.start : self.end]

    def contains(self, other: Span) -> bool:
        """Whether `other` lies wholly within this span, in the same source."""
        return other.source is self.source and self.start <= other.start and other.end <= self.end
