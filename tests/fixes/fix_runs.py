"""Runs the fixes of a folder."""

from __future__ import annotations

from pathlib import Path

from generator.lint.configuration import Flags
from generator.lint.fixes import Fixing, fix
from generator.lint.request import Request


def fixing(folder: Path, *, unsafe: bool = True, select: tuple[str, ...] | None = None) -> Fixing:
    return fix(Request((".",), folder, Flags(pedantic=True, select=select)), unsafe=unsafe)
