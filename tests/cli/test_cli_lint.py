from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from generator.cli import run

WRONG = """\
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = "projects/p/locations/us-central1-b/clusters/c"
  location = "us-central1-b"

  node_config {
    machine_type       = "n1-standard-1"
    gpudirect_strategy = "RDMA"
  }
}
"""
SELECT = ("--select", "machine-type")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "main.tf").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_findings_go_to_standard_output(folder, capsys):
    assert run(["lint", *SELECT]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("error[machine-type]: ")
    assert " --> main.tf:7:26\n" in out and '"n1-standard-1"' in out and "^^^^" in out
    assert out.endswith("1 error in 1 file\n")
    assert err == ""


def test_errors_go_to_standard_error_in_text(folder, capsys):
    assert run(["lint", *SELECT, "nope", "main.tf"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith("error: nope: there is no such file or folder\n  name a folder")
    assert "machine-type" in out


@pytest.mark.parametrize("format_", ["json", "sarif", "junit", "github", "gitlab"])
def test_errors_go_out_in_the_format(folder, capsys, format_):
    assert run(["lint", "--format", format_, "nope"]) == 2
    out, err = capsys.readouterr()
    assert "there is no such file or folder" in out
    assert err == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--select", "no-such-rule"], "no-such-rule"),
        (["--ignore", "local-ssd,no-such-rule"], "no-such-rule"),
        (["--severity", "local-ssd=info"], "local-ssd=info"),
        (["--severity", "local-ssd"], "RULE=SEVERITY"),
        (["--severity", "no-such-rule=off"], "no-such-rule"),
        (["--fail-on", "off"], "--fail-on"),
        (["--var", "novalue"], "NAME=VALUE"),
        (["--var-file", "nope.tfvars"], "nope.tfvars"),
        (["--baseline", "-"], "--baseline"),
        (["--write-baseline", ""], "--write-baseline"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_wrong_options_are_told_in_the_format(folder, capsys, arguments, words):
    assert run(["lint", "--format", "json", *arguments]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["findings"] == []
    assert any(words in f"{e['message']} {e['hint']}" for e in document["errors"])


@pytest.mark.parametrize(
    "arguments",
    [
        ["--format", "xml"],
        ["--output", "json"],
        ["--output", "xml:out.xml"],
        ["--output", "json:-", "--output", "sarif:-"],
        ["--output", "json:-", "--format", "text"],
        ["--no-such-option"],
        ["--jobs", "many"],
    ],
)
def test_wrong_outputs_are_told_as_text(folder, capsys, arguments):
    assert run(["lint", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err


def test_several_outputs_at_once(folder, capsys):
    outputs = ["--output", "sarif:a.sarif", "--output", "junit:b.xml", "--output", "json:-"]
    assert run(["lint", *SELECT, *outputs]) == 1
    document = json.loads(capsys.readouterr().out)
    assert [f["rule"] for f in document["findings"]] == ["machine-type"]
    assert json.loads((folder / "a.sarif").read_text())["runs"][0]["results"][0]["ruleId"] == "machine-type"
    assert "<testsuites" in (folder / "b.xml").read_text()


def test_an_output_that_cannot_be_written_is_exit_2(folder, capsys):
    assert run(["lint", "--output", "json:nope/x.json"]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_text_file_holds_errors_too(folder, capsys):
    assert run(["lint", *SELECT, "--output", "text:out.txt", "nope", "."]) == 2
    text = (folder / "out.txt").read_text()
    assert "error: nope" in text and "error[machine-type]" in text


def test_annotations_under_github_actions(folder, capsys, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    run(["lint", *SELECT])
    out, err = capsys.readouterr()
    assert out.startswith("error[machine-type]")
    assert err.startswith("::error file=main.tf,line=7,")
    run(["lint", *SELECT, "--format", "github"])
    out, err = capsys.readouterr()
    assert out.startswith("::error file=main.tf") and err == ""


def test_colour(folder, capsys, monkeypatch):
    run(["lint", *SELECT])
    assert "\x1b[" not in capsys.readouterr().out
    run(["lint", *SELECT, "--color"])
    assert "\x1b[1;31m" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    run(["lint", *SELECT])
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    run(["lint", *SELECT])
    assert "\x1b[" not in capsys.readouterr().out


def test_quiet_and_verbose(folder, capsys):
    run(["lint", *SELECT, "--quiet"])
    out, err = capsys.readouterr()
    assert "1 error" not in out and err == ""
    run(["lint", *SELECT, "--verbose"])
    out, err = capsys.readouterr()
    assert re.search(r"^ +[0-9.]+ ms  rules$", err, re.MULTILINE)


def test_statistics(folder, capsys):
    run(["lint", *SELECT, "--statistics"])
    assert "\n1  machine-type  error\n" in capsys.readouterr().out


def test_accepted_without_effect(folder, capsys):
    assert run(["lint", *SELECT, "--no-cache", "--jobs", "4"]) == 1


def test_nothing_to_check_is_said(folder, capsys):
    (folder / "main.tf").unlink()
    assert run(["lint"]) == 0
    out, err = capsys.readouterr()
    assert "no findings in 0 files" in out and "no Terraform files" in err
    assert run(["lint", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_var_and_var_file_count_in_their_order(folder, capsys):
    (folder / "main.tf").write_text('variable "m" {\n  type = string\n}\n' + WRONG.replace('"n1-standard-1"', "var.m"))
    (folder / "good.tfvars").write_text('m = "a3-ultragpu-8g"\n')
    wrong, good = ("--var", "m=n1-standard-1"), ("--var-file", "good.tfvars")
    assert run(["lint", *SELECT, *good, *wrong]) == 1
    assert run(["lint", *SELECT, *wrong, *good]) == 0


def test_a_baseline_is_written_and_read(folder, capsys):
    assert run(["lint", *SELECT, "--write-baseline", "known.json"]) == 0
    assert "the baseline knows 1 finding" in capsys.readouterr().err
    assert run(["lint", *SELECT, "--baseline", "known.json"]) == 0
    assert "1 ignored" in capsys.readouterr().out


def test_show_config(folder, capsys):
    (folder / ".gke-rdma.toml").write_text('fail-on = "warning"\n')
    assert run(["lint", "--show-config", "main.tf", "--pedantic"]) == 0
    out = capsys.readouterr().out
    assert 'fail-on = "warning"  # .gke-rdma.toml' in out and "pedantic = true  # --pedantic" in out
    assert run(["lint", "--show-config", ".", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == ".gke-rdma.toml"
    assert run(["lint", "--show-config", "nope"]) == 2


def test_paths_are_relative_to_the_working_directory(folder, capsys, monkeypatch):
    (folder / "deep").mkdir()
    monkeypatch.chdir(folder / "deep")
    assert run(["lint", *SELECT, "--format", "json", ".."]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["path"] == "../main.tf"


def test_an_unreadable_file_is_told(folder, capsys):
    (folder / "main.tf").chmod(0)
    if os.access(folder / "main.tf", os.R_OK):
        pytest.skip("this user reads everything")
    assert run(["lint"]) == 2
    assert stat.S_IMODE((folder / "main.tf").stat().st_mode) == 0


def test_a_defect_has_no_traceback_unless_verbose(folder, capsys, monkeypatch):
    def broken(*_: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr("generator.lint.judging.Judging.judge", broken)
    assert run(["lint"]) == 2
    out, err = capsys.readouterr()
    assert "internal error" in err and "boom" in err and "Traceback" not in err + out
    assert run(["lint", "--verbose"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_value_without_a_name_is_not_repeated(folder, capsys):
    assert run(["lint", "--var", "=hush-hush"]) == 2
    out, err = capsys.readouterr()
    assert "NAME=VALUE" in out + err and "hush-hush" not in out + err


def test_a_variable_that_no_root_declares_is_told(folder, capsys):
    (folder / "main.tf").write_text('variable "m" {\n  type = string\n}\n' + WRONG.replace('"n1-standard-1"', "var.m"))
    assert run(["lint", *SELECT, "--var", "m=a3-ultragpu-8g", "--var", "other=1"]) == 0
    told = capsys.readouterr().err
    assert "warning: --var other: no root module that is checked declares it" in told
    assert "--var m:" not in told


def test_fixes_are_offered_after_the_summary(folder):
    (folder / "main.tf").write_text(WRONG.replace('"RDMA"', '"rdma"').replace("n1-standard-1", "a3-ultragpu-8g"))
    code = "import sys; from generator.cli import run; sys.exit(run(['lint']))"
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60
    )
    lines = done.stdout.splitlines()
    assert lines[-1].startswith("can be fixed: ") and " in 1 file" in lines[-2], done.stdout
