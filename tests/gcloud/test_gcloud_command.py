"""`gke-rdma gcloud`, and the script in a generated folder."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import yaml
from gcloud_stage import ROUTES, script_of, spec_of

from generator.cli import run
from generator.render.files import folder_files


@pytest.fixture(autouse=True)
def _working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", ["dranet", "multi-network", "autopilot"])
def test_it_prints_the_script(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("rdma.yaml").write_text(yaml.safe_dump(ROUTES[name]), encoding="utf-8")
    assert run(["gcloud", "rdma.yaml"]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (script_of(ROUTES[name]), "")


def test_it_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(yaml.safe_dump(ROUTES["dranet"]).encode())))
    assert run(["gcloud", "-"]) == 0
    assert capsys.readouterr().out == script_of(ROUTES["dranet"])


def test_a_wrong_spec_prints_no_script(capsys: pytest.CaptureFixture[str]) -> None:
    Path("rdma.yaml").write_text("version: 2\n", encoding="utf-8")
    assert run(["gcloud", "rdma.yaml"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "rdma.yaml" in printed.err


def test_the_folder_holds_the_same_script() -> None:
    assert folder_files(spec_of(ROUTES["dranet"]))["gcloud/create.sh"] == script_of(ROUTES["dranet"])
