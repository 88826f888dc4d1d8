"""The real Terraform core, embedded, over folders that need no provider: `terraform_data` is built in."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator import cli
from generator.terraform import binary
from generator.terraform.binary import Binary
from generator.terraform.driver import Terraform
from generator.terraform.environment import child_environment
from generator.terraform.signals import Signals

MAIN = """
variable "zone" {
  type    = string
  default = "us-central1-b"
}

variable "password" {
  type      = string
  default   = "from-the-default"
  sensitive = true
}

resource "terraform_data" "a" {
  input = { zone = var.zone, password = var.password }
}

resource "terraform_data" "b" {
  triggers_replace = var.zone
}
"""


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No terraform on PATH, so the embedded core is taken, and nothing of the user's own settings."""
    home = tmp_path_factory.mktemp("home")
    for name in [n for n in os.environ if n.startswith(("TF_", "GOOGLE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", str(home))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a blank and a letter that is not ASCII in its name."""
    made = tmp_path / "a földer"
    made.mkdir()
    (made / "main.tf").write_text(MAIN, encoding="utf-8")
    return made


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """The command line, in this process."""

    def call(*arguments: object) -> Result:
        capsys.readouterr()
        code = cli.run([str(a) for a in arguments])
        said = capsys.readouterr()
        return Result(int(code), said.out, said.err)

    return call


@pytest.fixture(scope="module")
def planned_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a plan and its receipt, made once; see `planned`."""
    with pytest.MonkeyPatch.context() as patch:
        bare_machine.__wrapped__(patch, tmp_path_factory)  # type: ignore[attr-defined]
        made = tmp_path_factory.mktemp("planned") / "root"
        made.mkdir()
        (made / "main.tf").write_text(MAIN, encoding="utf-8")
        (made / "terraform.tfvars").write_text('password = "from-the-tfvars"\n', encoding="utf-8")
        patch.setenv("TF_VAR_zone", "us-central1-a")
        assert cli.run(["plan", str(made)]) == 0
    return made


@pytest.fixture
def planned(planned_once: Path, tmp_path: Path) -> Path:
    """A folder of its own with a plan that can be applied."""
    return Path(shutil.copytree(planned_once, tmp_path / "root", symlinks=True))


@pytest.fixture(scope="session")
def embedded() -> Binary:
    with Signals(print) as signals:
        return binary.find(None, "embedded", environment=dict(os.environ), signals=signals)


@pytest.fixture
def terraform(embedded: Binary, folder: Path) -> Iterator[Terraform]:
    """The adapter over the embedded core in `folder`."""
    with Signals(print) as signals:
        environment = child_environment(os.environ, workspace=None, say=print)
        yield Terraform(embedded, folder, environment=environment, signals=signals, timeout=120)


@dataclass
class Child:
    """`gke-rdma` in a process of its own."""

    process: subprocess.Popen[str]

    def terraform(self, *words: str) -> int:
        """The process id of the Terraform that it started with these arguments, once it is there."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            for pid in children(self.process.pid):
                command = command_of(pid)
                if any("embedded.py" in c for c in command) and all(w in command for w in words):
                    return pid
            time.sleep(0.005)
        raise AssertionError(f"terraform {words} was not seen: {self.process.poll()}")

    def tell(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> Result:
        out, err = self.process.communicate(timeout=60)
        return Result(self.process.returncode, out, err)


def children(pid: int) -> list[int]:
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def command_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


@pytest.fixture
def start() -> Iterator[Callable[..., Child]]:
    """Starts `gke-rdma` in a process of its own."""
    started: list[Child] = []

    def call(*arguments: object, env: dict[str, str] | None = None) -> Child:
        command = [sys.executable, "-m", "generator", *map(str, arguments)]
        process = subprocess.Popen(
            command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(env or {})}
        )
        started.append(Child(process))
        return started[-1]

    yield call
    for child in started:
        if child.process.poll() is None:
            child.process.kill()
        child.process.communicate()
