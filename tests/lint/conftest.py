"""Folders of Terraform for the tests of the linter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from generator.lint.configuration import Flags
from generator.lint.engine import lint
from generator.lint.request import Outcome, Request

Write = Callable[[Mapping[str, str]], Path]
Lint = Callable[..., Outcome]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files by relative path below a repository root, and gives that root."""

    def make(files: Mapping[str, str]) -> Path:
        root = tmp_path / "repository"
        (root / ".git").mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return root

    return make


@pytest.fixture
def check() -> Lint:
    """Lints paths below a folder, by default all of it; keywords are those of `Flags`, or of the request."""

    def run(root: Path, *paths: str, **options: object) -> Outcome:
        own = {name: options.pop(name) for name in ("variables", "environment", "write_baseline") if name in options}
        request = Request(paths or (".",), root, Flags(**options), **own)  # type: ignore[arg-type]
        return lint(request)

    return run
