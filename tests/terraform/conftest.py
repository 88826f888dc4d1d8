"""The real Terraform core, embedded, over folders that need no provider: `terraform_data` is built in."""

from __future__ import annotations

import copy
import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

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


@pytest.fixture(scope="session")
def plan_in_module(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Makes a folder with a plan and its receipt, for a whole module of tests."""

    def make(folder: Path, text: str, tfvars: str = "", **environment: str) -> Path:
        with pytest.MonkeyPatch.context() as patch:
            bare_machine.__wrapped__(patch, tmp_path_factory)  # type: ignore[attr-defined]
            folder.mkdir()
            (folder / "main.tf").write_text(text, encoding="utf-8")
            if tfvars:
                (folder / "terraform.tfvars").write_text(tfvars, encoding="utf-8")
            for name, value in environment.items():
                patch.setenv(name, value)
            assert cli.run(["plan", str(folder)]) == 0
        return folder

    return make


@pytest.fixture(scope="module")
def planned_once(tmp_path_factory: pytest.TempPathFactory, plan_in_module: Callable[..., Path]) -> Path:
    """A folder with a plan and its receipt, made once; see `planned`."""
    made = tmp_path_factory.mktemp("planned") / "root"
    return plan_in_module(made, MAIN, 'password = "from-the-tfvars"\n', TF_VAR_zone="us-central1-a")


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


# Starts the program as its command does, and closes a descriptor when Python itself is ready.
_LAUNCH = """
import os, sys
begun = int(sys.argv.pop(1))
try:
    os.close(begun)
    from generator.__main__ import main
except KeyboardInterrupt:
    raise SystemExit(130)
main()
"""

# How long anything may take on the slowest machine, in seconds; what cannot come any more is noticed at once.
PATIENCE = 300.0


@dataclass
class Child:
    """`gke-rdma` in a process of its own."""

    process: subprocess.Popen[str]

    def tell(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> Result:
        out, err = self.process.communicate(timeout=PATIENCE)
        return Result(self.process.returncode, out, err)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something that happens while it runs."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if self.process.poll() is not None:
                raise AssertionError(f"it has ended too early: {self.end()}")
            assert time.monotonic() < deadline
            time.sleep(0.02)


class Gate:
    """A named pipe at which Terraform stands still, so that tests know exactly where it is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor = -1
        os.mkfifo(path)

    def reached(self, child: Child) -> None:
        """Wait until somebody reads from the pipe; it gets nothing until `open`."""
        child.until(self._is_read)

    def open(self) -> None:
        """Let go who waits here."""
        os.close(self._descriptor)

    def _is_read(self) -> bool:
        try:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            assert error.errno == errno.ENXIO
            return False
        return True


def processes_in(folder: Path) -> list[int]:
    """The ids of the processes whose working directory is this folder: Terraform, and what it has started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        try:
            if entry.readlink() == folder:
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def nobody_is_left_in(folder: Path) -> bool:
    """Wait until no process works in this folder; False when one does not end."""
    deadline = time.monotonic() + PATIENCE
    while processes_in(folder):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.03)
    return True


@pytest.fixture
def alone() -> Callable[[Path], bool]:
    return nobody_is_left_in


@pytest.fixture
def gate() -> Callable[[Path], Gate]:
    return Gate


@pytest.fixture
def start() -> Iterator[Callable[..., Child]]:
    """Starts `gke-rdma` in a process of its own."""
    started: list[Child] = []

    def call(*arguments: object, limit: int | None = None, stdout: int | IO[str] = subprocess.PIPE) -> Child:
        # What a signal does to Python before any code of ours runs is Python's own matter: it is waited for.
        ready, begun = os.pipe()
        command = [sys.executable, "-c", _LAUNCH, str(begun), *map(str, arguments)]
        if limit is not None:
            # As on a full disk: no file can become larger.
            command = ["/bin/sh", "-c", f'ulimit -f {limit // 512}; exec "$@"', "sh", *command]
        process = subprocess.Popen(command, text=True, stdout=stdout, stderr=subprocess.PIPE, pass_fds=[begun])
        started.append(Child(process))
        os.close(begun)
        with os.fdopen(ready, "rb") as pipe:
            pipe.read()
        return started[-1]

    yield call
    for child in started:
        if child.process.poll() is None:
            child.process.kill()
        child.process.communicate()


def constants(data: object) -> object:
    """What the configuration of a plan says about values that are all written as constants."""
    if isinstance(data, dict):
        return {name: constants(value) for name, value in data.items()}
    if isinstance(data, list) and data and all(isinstance(item, dict) for item in data):
        return [constants(item) for item in data]
    return {"constant_value": data}


class PlanMaker:
    """Makes the JSON of plans, entry by entry."""

    def __init__(self) -> None:
        self.entries: list[dict[str, object]] = []
        self.modules: dict[str, dict[str, object]] = {"": {"resources": []}}

    def add(
        self,
        address: str,
        actions: str = "create",
        *,
        before: dict[str, object] | None = None,
        after: dict[str, object] | None = None,
        unknown: dict[str, object] | None = None,
        sensitive: dict[str, object] | None = None,
        written: dict[str, object] | None = None,
        module: str = "",
        **further: object,
    ) -> PlanMaker:
        """One resource; `written` is what its block says, by default all of `after` as constants."""
        own = address.removeprefix(f"{module}.")
        bare = own.split("[")[0]
        change: dict[str, object] = {
            "actions": actions.split("/"),
            "before": before,
            "after": after,
            "after_unknown": unknown or {},
            "after_sensitive": sensitive or {},
            "before_sensitive": {},
        }
        if "replace_paths" in further:
            change["replace_paths"] = further.pop("replace_paths")
        self.entries.append(
            {
                "address": address,
                "mode": "managed",
                "type": bare.split(".")[0],
                "name": bare.split(".")[1],
                "provider_name": "registry.terraform.io/hashicorp/google",
                "change": change,
                **({"module_address": module} if module else {}),
                **further,
            }
        )
        if after is not None or written is not None:
            expressions = constants(after) if written is None else written
            place = self.modules.setdefault(module.split("[")[0], {"resources": []})
            place["resources"].append({"address": bare, "expressions": expressions})  # type: ignore[attr-defined]
        return self

    def json(self, **further: object) -> dict[str, object]:
        root = dict(self.modules[""])
        calls = {n.removeprefix("module."): {"module": m} for n, m in self.modules.items() if n}
        if calls:
            root["module_calls"] = calls
        return {
            "format_version": "1.2",
            "terraform_version": "1.11.4",
            "resource_changes": self.entries,
            "configuration": {"provider_config": {}, "root_module": root},
            **further,
        }


@pytest.fixture
def plans() -> type[PlanMaker]:
    return PlanMaker


POOL = {
    "name": "gpu",
    "cluster": "main",
    "location": "us-central1-b",
    "project": "p",
    "node_count": 2,
    "version": "1.34.8-gke.1278000",
    "node_config": [
        {
            "machine_type": "a3-ultragpu-8g",
            "gpudirect_strategy": "RDMA",
            "image_type": "COS_CONTAINERD",
            "guest_accelerator": [{"type": "nvidia-h200-141gb", "count": 8}],
            "ephemeral_storage_local_ssd_config": [{"local_ssd_count": 32, "data_cache_count": 0}],
            "labels": {
                "cloud.google.com/gke-networking-dra-driver": "true",
                "gke.networks.io/accelerator-network-profile": "auto",
            },
        }
    ],
    "network_config": [{"accelerator_network_profile": "auto"}],
}
CLUSTER = {
    "name": "main",
    "location": "us-central1-b",
    "project": "p",
    "min_master_version": "1.34.8-gke.1278000",
    "datapath_provider": "ADVANCED_DATAPATH",
    "deletion_protection": False,
}


@pytest.fixture
def pool() -> dict[str, object]:
    """A node pool in scope as a plan shows it."""
    return copy.deepcopy(POOL)


@pytest.fixture
def cluster() -> dict[str, object]:
    """Its cluster."""
    return copy.deepcopy(CLUSTER)
