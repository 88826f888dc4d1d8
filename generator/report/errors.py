"""Drawing errors of users for a terminal or a log."""

from __future__ import annotations

import os
from pathlib import Path

from generator.errors import UserError


def relative(path: Path | str) -> str:
    """A path as people like to read it: relative to the working directory unless it lies far from that, with `/`."""
    path = Path(path)
    if not path.is_absolute():
        return path.as_posix()
    try:
        below = Path(os.path.relpath(path)).as_posix()
    except (ValueError, OSError):
        return path.as_posix()
    return below if not below.startswith("../") or len(below) < len(path.as_posix()) else path.as_posix()


def place(path: Path | str | None, line: int | None, column: int | None) -> str:
    """`path:line:column`, as far as known; "" when nothing is."""
    parts = [] if path is None else [relative(path)]
    parts += [str(n) for n in (line, column) if n is not None]
    return ":".join(parts)


def draw(error: UserError, *, color: bool = False) -> str:
    """One error as text, with a newline at its end."""
    head = "\x1b[1;31merror\x1b[0m" if color else "error"
    where = place(error.path, error.line, error.column)
    lines = [f"{head}: {where + ': ' if where else ''}{error.message}"]
    if error.hint:
        lines += [f"  {line}" for line in error.hint.splitlines()]
    return "\n".join(lines) + "\n"
