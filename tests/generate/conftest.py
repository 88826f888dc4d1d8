"""Specs and folders made in a test."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.cli import run

BASE: dict[str, Any] = {
    "version": 1,
    "name": "train",
    "project": "my-project",
    "zone": "us-central1-b",
    "node_pools": [
        {"name": "rdma-pool", "machine_type": "a3-ultragpu-8g", "node_count": 2, "capacity": {"kind": "none"}}
    ],
}

Generate = Callable[..., int]


@pytest.fixture(autouse=True)
def _working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)


@pytest.fixture
def spec_file() -> Callable[..., Path]:
    """Writes `rdma.yaml` in the working folder: a good spec, changed at its top level and in its only pool."""

    def write(pool: dict[str, Any] | None = None, **changes: Any) -> Path:
        data = {**BASE, "node_pools": [{**BASE["node_pools"][0], **(pool or {})}], **changes}
        path = Path("rdma.yaml")
        path.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True), encoding="utf-8")
        return path

    return write


@pytest.fixture
def generate() -> Generate:
    """Runs `gke-rdma generate` and gives the exit code."""

    def make(*arguments: object) -> int:
        return run(["generate", *map(str, arguments)])

    return make


def files_in(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its path in it."""
    return {
        Path(root, name).relative_to(folder).as_posix(): Path(root, name).read_bytes()
        for root, _, names in os.walk(folder)
        for name in names
    }


@pytest.fixture
def contents() -> Callable[[Path], dict[str, bytes]]:
    return files_in
