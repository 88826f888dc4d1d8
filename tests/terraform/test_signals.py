"""Interrupts: passed on once and waited for; what was made is in the state, nothing runs on, the state can be locked again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SLOW = """
resource "terraform_data" "quick" {
  input = "quick"
}

resource "terraform_data" "slow" {
  input = terraform_data.quick.output
  provisioner "local-exec" {
    command = "/bin/sleep 60"
  }
}
"""
# Runs a child that gives in at the second interrupt only.
STUBBORN = """
import os, sys
from pathlib import Path
from generator.terraform import process
from generator.terraform.signals import Signals

child = '''
import signal, sys, time
count = 0
def told(*_):
    global count
    count += 1
    if count == 2:
        sys.exit(9)
signal.signal(signal.SIGINT, told)
print("ready", flush=True)
while True:
    time.sleep(0.05)
'''

with Signals(lambda text: print(text, flush=True)) as signals:
    done = process.run(
        [sys.executable, "-c", child],
        directory=Path.cwd(),
        environment=os.environ,
        signals=signals,
        on_line=lambda line: print(line, flush=True),
    )
    print(done.returncode, signals.received)
"""


@pytest.fixture
def slow(run, folder: Path) -> Path:
    (folder / "main.tf").write_text(SLOW)
    assert run("plan", folder).code == 0
    return folder


def started(folder: Path) -> None:
    """Wait until the first resource is there and the second one is at work."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if b"quick" in _read(folder / "terraform.tfstate"):
            return
        time.sleep(0.01)
    raise AssertionError("the apply did not start")


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def states(folder: Path) -> set[str]:
    return {r["name"] for r in json.loads((folder / "terraform.tfstate").read_text())["resources"]}


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_first_one_is_passed_on_and_waited_for(run, start, slow: Path, number: signal.Signals, code: int) -> None:
    child = start("apply", slow)
    pid = child.terraform("apply")
    started(slow)
    child.tell(number)
    result = child.end()
    assert result.code == code, result.err
    assert "waiting for it" in result.err
    assert gone(pid)
    assert "quick" in states(slow)
    assert not (slow / ".terraform.tfstate.lock.info").exists()
    assert run("plan", slow, "--lock-timeout", "0s").code == 0


def test_a_second_one_is_passed_on_with_a_warning() -> None:
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, text=True) as ours:
        assert ours.stdout is not None
        assert ours.stdout.readline() == "ready\n"
        ours.send_signal(signal.SIGINT)
        assert "waiting for it" in ours.stdout.readline()
        time.sleep(0.2)
        assert ours.poll() is None
        ours.send_signal(signal.SIGINT)
        assert "forgets what it was making" in ours.stdout.readline()
        assert ours.stdout.readline() == "9 2\n"


def test_a_plan_that_is_interrupted_leaves_nothing(start, folder: Path) -> None:
    (folder / "data.tf").write_text('data "terraform_remote_state" "s" {\n  backend = "local"\n}\n')
    child = start("plan", folder)
    child.terraform()
    child.tell(signal.SIGINT)
    result = child.end()
    assert result.code == 130
    assert "Traceback" not in result.err
    assert [p.name for p in (folder / ".gke-rdma").glob("*")] in ([], [".gitignore"])


def test_terraform_ends_by_itself_when_we_are_killed(run, start, slow: Path) -> None:
    child = start("apply", slow)
    pid = child.terraform("apply")
    started(slow)
    child.tell(signal.SIGKILL)
    child.end()
    assert gone(pid)
    assert "quick" in states(slow)
    again = run("plan", slow, "--lock-timeout", "0s")
    assert again.code == 0, again.err
