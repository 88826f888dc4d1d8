"""What fixes make of small folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fix_runs import fixing

Fixes = Callable[..., str]


@pytest.fixture
def fixed(tmp_path: Path) -> Fixes:
    """The text of `main.tf` after fixes; nothing is written by them."""

    def run(
        text: str, *rules: str, unsafe: bool = True, files: dict[str, str] | None = None, of: str = "main.tf"
    ) -> str:
        for name, content in {"main.tf": text, **(files or {})}.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode())
        result = fixing(tmp_path, unsafe=unsafe, select=rules or None)
        path = (tmp_path / of).resolve()
        return result.after.get(path, path.read_bytes()).decode()

    return run
