"""Where results go when names, files and streams are not what one would wish."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from urllib.parse import unquote

import pytest

from generator.cli import run
from generator.report import formats

POOL = 'resource "google_container_node_pool" "gpu" {\n  node_config {\n    gpudirect_strategy = "RDMA"\n  }\n}\n'
NAMES = [
    "a b.tf",
    "ü 値.tf",
    "100%.tf",
    "a\nb.tf",
    "q\"uo'te.tf",
    "c:d,e.tf",
    "#?.tf",
    "\udcff.tf",
    "back\\slash.tf",
    "-x.tf",
    "\x1b[31m.tf",
    "<b>&]]>.tf",
    "\u202egnp.tf",
]
SELECT = ("--select", "machine-type")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for number, name in enumerate(NAMES):
        (tmp_path / f"{number:02}").mkdir()
        (tmp_path / f"{number:02}" / name).write_text(POOL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return tmp_path


def expected() -> list[str]:
    return [f"{number:02}/{name}" for number, name in enumerate(NAMES)]


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["lint", *SELECT, *arguments]) == 1
    return capsys.readouterr().out


def test_json_has_every_name(hostile, capsys):
    assert [f["path"] for f in json.loads(output(capsys, "--format", "json"))["findings"]] == expected()


def test_sarif_has_every_name(hostile, capsys):
    (run_,) = json.loads(output(capsys, "--format", "sarif"))["runs"]
    places = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in run_["results"]]
    assert [unquote(p, errors="surrogateescape") for p in places] == expected()


def test_gitlab_has_every_name(hostile, capsys):
    entries = json.loads(output(capsys, "--format", "gitlab"))
    assert [e["location"]["path"] for e in entries] == expected()
    assert len({e["fingerprint"] for e in entries}) == len(NAMES)


def test_junit_has_every_name_that_xml_can_hold(hostile, capsys):
    root = ElementTree.fromstring(output(capsys, "--format", "junit"))
    found = [suite.get("name") for suite in root]
    assert found == [name.replace("\udcff", "\ufffd").replace("\x1b", "\ufffd") for name in expected()]


@pytest.mark.parametrize("format_", ["github", "text"])
def test_a_name_cannot_begin_a_line_or_steer_a_terminal(hostile, capsys, format_):
    text = output(capsys, "--format", format_)
    assert "\x1b" not in text and "\u202e" not in text
    if format_ == "github":
        assert len(text.splitlines()) == len(NAMES)
        assert "file=05/c%3Ad%2Ce.tf," in text and "file=02/100%25.tf," in text and "file=03/a%0Ab.tf," in text


@pytest.mark.parametrize("format_", formats.NAMES)
def test_nothing_found(tmp_path, capsys, monkeypatch, format_):
    (tmp_path / "main.tf").write_text("locals {}\n")
    monkeypatch.chdir(tmp_path)
    assert run(["lint", "--format", format_]) == 0
    text = capsys.readouterr().out
    if format_ == "junit":
        assert ElementTree.fromstring(text).get("failures") == "0"
    elif format_ in ("json", "sarif", "gitlab"):
        json.loads(text)
    else:
        assert text == ("" if format_ == "github" else "no findings in 1 file\n")


def test_one_output_that_fails_does_not_keep_the_others(hostile, capsys):
    arguments = ["--output", "json:nowhere/x.json", "--output", "sarif:x.sarif", "--output", "json:-"]
    assert run(["lint", *SELECT, *arguments]) == 2
    out, err = capsys.readouterr()
    assert len(json.loads(out)["findings"]) == len(NAMES)
    assert json.loads((hostile / "x.sarif").read_text())["version"] == "2.1.0"
    assert "nowhere/x.json: the file cannot be written" in err


def program(folder: Path, *arguments: str, **streams: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "generator", *arguments]
    return subprocess.run(command, cwd=folder, text=True, timeout=60, **streams)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("arguments", [("lint", "--format", "json"), ("lint",), ("rules",), ("--version",)])
def test_no_space_for_results_is_told(tmp_path, arguments):
    (tmp_path / "main.tf").write_text(POOL)
    with Path("/dev/full").open("w") as full:
        done = program(tmp_path, *arguments, stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert "error: the results cannot be written: No space left on device\n" in done.stderr
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_streams_that_are_closed_leave_the_exit_code(tmp_path):
    (tmp_path / "main.tf").write_text(POOL)

    def closed() -> None:
        os.close(1)
        os.close(2)

    assert program(tmp_path, "lint", *SELECT, preexec_fn=closed).returncode == 1
    assert program(tmp_path, "lint", "nowhere", preexec_fn=closed).returncode == 2


@pytest.mark.parametrize(("selected", "code"), [("machine-type", 1), ("boot-disk", 0)])
def test_a_reader_that_leaves_is_no_error(hostile, selected, code):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        arguments = ["lint", "--select", selected, "--format", "json"]
        done = program(hostile, *arguments, stdout=gone, stderr=subprocess.PIPE)
    assert done.returncode == code
    assert "Error" not in done.stderr and "error" not in done.stderr
