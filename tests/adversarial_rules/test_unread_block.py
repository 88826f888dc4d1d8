"""What lies beyond the limits of the reader is told, and the rest of the module is still judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.cli import run

POOL = """\
resource "google_container_node_pool" "gpu" {
  cluster    = "c"
  node_count = 1

  node_config {
    machine_type = "a3-ultragpu-8g"
    disk_type    = "pd-ssd"
  }
}
"""
DEEP = f"locals {{\n  deep = {'[' * 5_000}{']' * 5_000}\n}}\n"


def findings(folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[int, set[tuple[str, ...]]]:
    code = run(["lint", "--format", "json", *options, str(folder)])
    found = json.loads(capsys.readouterr().out)["findings"]
    return code, {(f["rule"], f["severity"], f["path"].rpartition("/")[2], str(f["line"])) for f in found}


def test_beside_a_pool_it_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.tf").write_text(POOL)
    (tmp_path / "deep.tf").write_text(DEEP)
    code, found = findings(tmp_path, capsys, "--select", "unread-block,boot-disk")
    assert found == {("unread-block", "warning", "deep.tf", "2"), ("boot-disk", "error", "main.tf", "7")}
    assert code == 1


def test_a_warning_does_not_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.tf").write_text(POOL)
    (tmp_path / "deep.tf").write_text(DEEP)
    code, found = findings(tmp_path, capsys, "--select", "unread-block")
    assert (code, {rule for rule, *_ in found}) == (0, {"unread-block"})
