"""Mistakes in the command line, the list of commands, and what the shell completes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from generator.cli import run


@pytest.mark.parametrize(
    ("given", "message", "hint"),
    [
        (["help"], "there is no command 'help'", "`gke-rdma --help`"),
        (["lnt"], "there is no command 'lnt'", "did you mean `gke-rdma lint`?"),
        (["check-paln", "x"], "there is no command 'check-paln'", "did you mean `gke-rdma check-plan`?"),
        (["nccl", "foo"], "there is no command 'foo'", "`gke-rdma nccl --help`"),
        (["generate", "--chek"], "No such option: --chek", "--check"),
        (["schema", "x"], "unexpected extra argument", "`gke-rdma schema --help`"),
        (["manifests", "x"], "Missing option '--output'", "`gke-rdma manifests --help`"),
        (["lint", "--format"], "'--format' requires an argument", "`gke-rdma lint --help`"),
        (["lint", "--jobs", "x"], "'x' is not a whole number", "`gke-rdma lint --help`"),
    ],
)
def test_mistakes_are_told_in_our_own_style(
    given: list[str], message: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(given) == 2
    first, second, *rest = capsys.readouterr().err.splitlines()
    assert first.startswith("error: ") and message in first
    assert second.startswith("  ") and hint in second
    assert not rest


@pytest.mark.parametrize("group", [[], ["nccl"]])
def test_summaries_of_commands_are_whole(group: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*group, "--help"]) == 0
    commands = capsys.readouterr().out.partition("Commands:\n")[2].splitlines()
    assert commands
    assert all(line.endswith(".") and not line.endswith("...") for line in commands)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("gke-rdma rules local-s", ["local-ssd"]),
        ("gke-rdma lint --select local-ssd,acc", ["local-ssd,accelerator"]),
        ("gke-rdma lint --severity local-ssd=a", ["local-ssd=advice"]),
        ("gke-rdma lint --severity local-s", ["local-ssd="]),
        ("gke-rdma lint --format s", ["sarif"]),
        ("gke-rdma plan --format j", ["json"]),
        ("gke-rdma rehearse --provider s", ["stand-in"]),
    ],
)
def test_the_shell_completes(line: str, offered: list[str]) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1), "_GKE_RDMA_COMPLETE": "complete_bash"}
    code = "import sys; from generator.__main__ import main; sys.argv[0] = 'gke-rdma'; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **words}, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == offered, done.stderr
