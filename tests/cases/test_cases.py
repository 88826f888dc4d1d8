"""Runs every case of this folder (README.md says how one is written)."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_runner import NOT_INPUT, Case, cases_in, read, run_case

__all__ = ["CASES", "HERE", "NOT_INPUT", "Case", "read"]

HERE = Path(__file__).parent
CASES = cases_in(HERE)
PENDING = frozenset((HERE / "pending.txt").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_case(HERE / name, tmp_path, monkeypatch, capsys)
    if name in PENDING:
        assert found, f"{name} passes; take it out of pending.txt"
    else:
        assert not found, "\n".join(found)


def test_pending_names_cases() -> None:
    assert set(CASES) >= PENDING
