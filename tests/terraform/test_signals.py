"""Interrupts: passed on once and waited for; what was made is in the state, nothing runs on, the state can be locked again."""

from __future__ import annotations

import fcntl
import json
import random
import shutil
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
    command = "exec /bin/cat gate"
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


@pytest.fixture(scope="module")
def slow_once(tmp_path_factory: pytest.TempPathFactory, plan_in_module) -> Path:
    return plan_in_module(tmp_path_factory.mktemp("slow") / "root", SLOW)


@pytest.fixture
def slow(slow_once: Path, tmp_path: Path) -> Path:
    """A folder with a plan whose second resource takes until the gate is opened."""
    return Path(shutil.copytree(slow_once, tmp_path / "root"))


def states(folder: Path) -> set[str]:
    return {r["name"] for r in json.loads((folder / "terraform.tfstate").read_text())["resources"]}


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 143)])
def test_the_first_one_is_passed_on_and_waited_for(
    run, start, gate, alone, slow: Path, number: signal.Signals, code: int
) -> None:
    stop = gate(slow / "gate")
    child = start("apply", slow)
    stop.reached(child)
    child.tell(number)
    result = child.end()
    assert result.code == code, result.err
    assert "waiting for it" in result.err
    assert "terraform_data.quick: done (create)" in result.err
    assert alone(slow)
    assert "quick" in states(slow)
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


def test_a_plan_that_is_interrupted_leaves_nothing(start, gate, alone, folder: Path) -> None:
    (folder / "data.tf").write_text('locals {\n  read = file("gate")\n}\noutput "it" {\n  value = local.read\n}\n')
    stop = gate(folder / "gate")
    child = start("plan", folder)
    stop.reached(child)
    child.tell(signal.SIGINT)
    stop.open()
    result = child.end()
    assert result.code == 130, result.err
    assert "Traceback" not in result.err
    assert alone(folder)
    assert [p.name for p in (folder / ".gke-rdma").glob("*")] in ([], [".gitignore"])


def test_terraform_ends_by_itself_when_we_are_killed(run, start, gate, alone, slow: Path) -> None:
    stop = gate(slow / "gate")
    child = start("apply", slow)
    stop.reached(child)
    child.tell(signal.SIGKILL)
    child.end()
    assert alone(slow)
    assert "quick" in states(slow)
    again = run("plan", slow, "--lock-timeout", "0s")
    assert again.code == 0, again.err


def lockable(state: Path) -> bool:
    """Whether Terraform can lock a local state: it does so with fcntl(2)."""
    with state.open("a") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


@pytest.mark.parametrize("part", range(7))
def test_at_any_moment_nothing_is_left_and_the_state_can_be_locked(run, start, alone, folder: Path, part: int) -> None:
    many = 'resource "terraform_data" "many" {\n  count            = 40\n  triggers_replace = timestamp()\n}\n'
    (folder / "many.tf").write_text(many)
    begun = time.monotonic()
    assert start("plan", folder).end().code == 0
    whole = time.monotonic() - begun
    choice = random.Random()  # other moments in each part, and in each run
    numbers = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
    for turn in range(8):
        command, number, share = ("apply", "plan")[turn % 2], numbers[turn // 2], choice.random()
        told = f"{part}: {command} after {share:.3f} of {whole:.2f} s: {number.name}"
        child = start(command, folder)
        time.sleep(whole * share)
        child.tell(number)
        result = child.end()
        # Before the program is loaded a signal ends it as it ends every Python; when all is done it comes too late.
        assert result.code in (0, 130, 143, -number), (told, result)
        assert "Traceback" not in result.err or result.code == -number, told
        assert alone(folder), told
        assert lockable(folder / "terraform.tfstate"), told
        if turn % 2:
            again = run("plan", folder, "--lock-timeout", "0s")
            assert again.code == 0, (told, again.err)
            private = sorted(p.name for p in (folder / ".gke-rdma").iterdir())
            assert private == [".gitignore", "plan", "plan.receipt.json"], told
