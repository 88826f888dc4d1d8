"""Doubles of gcloud and kubectl on PATH, and nothing else of Google Cloud."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gcloud_stage import ROUTES, Cloud, Outcome, outcome_of


@pytest.fixture
def cloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    """An empty project, with the doubles on PATH."""
    monkeypatch.chdir(tmp_path)
    return Cloud(tmp_path)


@pytest.fixture
def new_cloud(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Cloud]:
    """Makes further empty projects."""
    return lambda: Cloud(tmp_path_factory.mktemp("cloud"))


@pytest.fixture(scope="session")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Outcome]:
    """Runs a route's script twice; each route once for all tests."""
    found: dict[str, Outcome] = {}

    def run(name: str) -> Outcome:
        if name not in found:
            found[name] = outcome_of(ROUTES[name], Cloud(tmp_path_factory.mktemp(name)))
        return found[name]

    return run
