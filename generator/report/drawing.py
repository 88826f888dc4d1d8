"""What all output formats share: how paths, errors and places are told, and what the caller wants drawn."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from generator.errors import ExitCode, UserError, UserErrors
from generator.findings import Finding, Report


def no_text(path: Path, line: int) -> str | None:
    """Stands in where the text of files is not at hand."""
    del path, line
    return None


@dataclass(frozen=True, slots=True)
class Drawing:
    """How a report is to be drawn.

    Attributes:
        directory: paths are told relative to it.
        color: whether escape sequences for colour are wanted; only `text` has them.
        quiet: only findings and errors.
        statistics: counts for each rule too; only `text` and `json` have a place for them.
        line_text: gives the text of a line (from 1) of a file without its end, or None.
    """

    directory: Path
    color: bool = False
    quiet: bool = False
    statistics: bool = False
    line_text: Callable[[Path, int], str | None] = field(default=no_text)

    def path(self, path: Path | str) -> str:
        """A path relative to the working directory, with `/`; absolute only where no relative one exists."""
        try:
            return Path(os.path.relpath(path, self.directory)).as_posix()
        except ValueError:
            return Path(path).as_posix()


@dataclass(frozen=True, slots=True)
class ErrorEntry:
    """One error of a run in plain words.

    Attributes:
        message: what was found and what is needed.
        hint: what to write instead.
        path: as drawn; None when it is about no file.
        line: 1-based.
        column: 1-based.
        code: the exit code it leads to.
    """

    message: str
    hint: str | None
    path: str | None
    line: int | None
    column: int | None
    code: int

    @property
    def text(self) -> str:
        """Message and hint in one piece."""
        return f"{self.message}\n{self.hint}" if self.hint else self.message


def error_entries(report: Report, drawing: Drawing) -> list[ErrorEntry]:
    """The errors of a report, groups taken apart."""
    entries: list[ErrorEntry] = []
    for error in report.errors:
        for one in error.errors if isinstance(error, UserErrors) else (error,):
            if isinstance(one, UserError):
                path = None if one.path is None else drawing.path(one.path)
                entries.append(ErrorEntry(one.message, one.hint, path, one.line, one.column, int(one.code)))
            else:
                entries.append(ErrorEntry(f"internal error: {one!r}", None, None, None, None, int(ExitCode.INPUT)))
    return entries


def full_text(finding: Finding) -> str:
    """Message, resource and help in one piece, for formats that have one field for all."""
    about = f" ({finding.resource})" if finding.resource else ""
    return f"{finding.message}{about}" + (f"\n{finding.help}" if finding.help else "")


def visible(text: str, *, keep: str = "") -> str:
    r"""Text with its control characters written out (`\x1b`), so that it cannot steer a terminal or a log.

    Args:
        text: any text.
        keep: control characters that stay, such as a newline.
    """
    if text.isprintable():
        return text
    return "".join(c if c in keep or not _steers(c) else c.encode("unicode_escape").decode() for c in text)


def _steers(character: str) -> bool:
    # Control and format characters (bidirectional overrides among them), lone surrogates and line separators.
    import unicodedata

    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
