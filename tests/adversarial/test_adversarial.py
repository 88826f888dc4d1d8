"""Cases that try to break what lint evaluates, where it points and what it leaves alone (cases/README.md).

Their folders' names say what they show. What needs a repository around it stands here, because git stores no `.git`.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from case_runner import cases_in, run_case

from generator.cli import run

HERE = Path(__file__).parent
CASES = cases_in(HERE)
CALLER = 'module "pool" {{\n  source   = "../../pool"\n  strategy = "{}"\n}}\n'
POOL = """\
variable "strategy" {}

resource "google_container_node_pool" "p" {
  name     = "p"
  cluster  = "c"
  location = "us-central1-b"

  node_config {
    gpudirect_strategy = var.strategy
  }
}
"""


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_case(HERE / name, tmp_path, monkeypatch, capsys)
    assert not found, "\n".join(found)


def _repository(folder: Path, *, as_file: bool) -> None:
    (folder / "pool").mkdir()
    (folder / "pool" / "main.tf").write_text(POOL)
    for name, strategy in (("wrong", "rdma"), ("right", "RDMA")):
        (folder / "envs" / name).mkdir(parents=True)
        (folder / "envs" / name / "main.tf").write_text(CALLER.format(strategy))
    if as_file:
        (folder / ".git").write_text("gitdir: ../main/.git/worktrees/x\n")
    else:
        (folder / ".git").mkdir()


@pytest.mark.parametrize("as_file", [False, True])
@pytest.mark.parametrize(
    ("path", "found"), [("pool", True), ("pool/main.tf", True), ("envs/wrong", True), ("envs/right", False)]
)
def test_callers_are_sought_from_the_repository_root(
    path: str,
    found: bool,
    as_file: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _repository(tmp_path, as_file=as_file)
    monkeypatch.chdir(tmp_path)
    run(["lint", "--format", "json", "--select", "gpudirect-strategy", path])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [(f["path"], f["line"]) for f in findings] == ([("pool/main.tf", 9)] if found else [])


def test_a_configuration_above_the_repository_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".gke-rdma.toml").write_text('ignore = ["gpudirect-strategy"]\n')
    inner = tmp_path / "repository"
    inner.mkdir()
    _repository(inner, as_file=True)
    shutil.rmtree(inner / "envs" / "right")
    monkeypatch.chdir(tmp_path)
    run(["lint", "--format", "json", "--select", "local-ssd,gpudirect-strategy", "repository"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [f["rule"] for f in findings] == ["gpudirect-strategy"]


SECRETS = """\
variable "token" {
  type      = string
  sensitive = true
}

resource "google_container_node_pool" "literal" {
  name    = "literal"
  cluster = "c"

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = sensitive("hunter2")
  }
}

resource "google_container_node_pool" "given" {
  name    = "given"
  cluster = "c"

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = var.token
  }
}
"""


@pytest.mark.parametrize("format_", ["text", "json", "sarif", "junit", "github", "gitlab"])
def test_no_format_shows_the_text_of_a_secret(
    format_: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "main.tf").write_text(SECRETS)
    (tmp_path / "terraform.tfvars").write_text('token = "hunter2"\n')
    (tmp_path / "more.auto.tfvars").write_text('other = { password = "hunter2 }\n')
    monkeypatch.chdir(tmp_path)
    run(["lint", "--format", format_, "--pedantic"])
    shown = capsys.readouterr().out
    assert shown.count("(sensitive value)") >= 2
    assert "parse-error" in shown
    assert "hunter2" not in shown
