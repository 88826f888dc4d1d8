"""Cases that try to break the rules: look-alikes, orders, unknowns, both routes, pools inside clusters (cases/README.md)."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_runner import cases_in, run_case

from generator.rules import registry

HERE = Path(__file__).parent
CASES = cases_in(HERE)


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_case(HERE / name, tmp_path, monkeypatch, capsys)
    assert not found, "\n".join(found)


def test_folders_are_named_like_rules() -> None:
    rules = {rule.name for rule in registry.rules()} | {"several"}
    assert {name.partition("/")[0] for name in CASES} <= rules
