"""The real Terraform core, embedded, over folders that need no provider: `terraform_data` is built in."""

from __future__ import annotations

import copy
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
