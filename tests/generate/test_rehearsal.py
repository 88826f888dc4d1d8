"""Generated folders with the real Terraform core, against the stand-in provider: valid, applied, nothing left to change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from generator.cli import run

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.terraform
@pytest.mark.skipif(shutil.which("terraform") is None, reason="no terraform on PATH")
@pytest.mark.parametrize("name", ["a3-ultra-existing-cluster", "a3-ultra-spot-private", "a4-flex-start"])
def test_a_second_plan_is_empty(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(GOLDEN / name, "folder")
    code = run(["rehearse", "folder"])
    told = capfd.readouterr()
    assert code == 0, told.err + told.out
    assert "no changes" in told.err + told.out
