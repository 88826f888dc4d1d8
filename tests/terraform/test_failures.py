"""When something fails in the middle: what exists then, what the next plan will do, and what to do now."""

from __future__ import annotations

import base64
import errno
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from generator.terraform import operations
from generator.terraform.failures import failure, hint_for
from generator.terraform.operations import Operation
from generator.terraform.process import Completed
from generator.terraform.signals import Signals

GKE = """
resource "google_container_cluster" "main" {
  name                = "main"
  project             = "my-project"
  location            = "us-central1-b"
  initial_node_count  = 1
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"
  deletion_protection = false
}

resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  project    = "my-project"
  cluster    = google_container_cluster.main.id
  location   = google_container_cluster.main.location
  node_count = 2

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
    }
    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }
    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }
}

terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}
"""
CLUSTER, POOL = "google_container_cluster.main", "google_container_node_pool.gpu"
MAKE_POOL = "create:google_container_node_pool"


@dataclass
class Provider:
    """The stand-in provider at work."""

    folder: Path
    address: str

    def fail(self, *faults: str) -> None:
        (self.folder / "faults").write_text("\n".join(faults))


@pytest.fixture(scope="module")
def provider_of_module(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    folder = tmp_path_factory.mktemp("provider")
    command = [sys.executable, str(Path(__file__).with_name("serving.py")), str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdin is not None
        yield Provider(folder, process.stdout.readline().strip())
        process.stdin.close()


@pytest.fixture
def provider(provider_of_module: Provider, monkeypatch: pytest.MonkeyPatch) -> Provider:
    """It has no faults and an empty cloud."""
    provider_of_module.fail()
    (provider_of_module.folder / "cloud.json").unlink(missing_ok=True)
    monkeypatch.setenv("TF_REATTACH_PROVIDERS", provider_of_module.address)
    return provider_of_module


@pytest.fixture(scope="module")
def gke_of_module(plan_in_module, provider_of_module: Provider, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gke") / "root"
    return plan_in_module(folder, GKE, TF_REATTACH_PROVIDERS=provider_of_module.address)


@pytest.fixture
def gke(provider: Provider, gke_of_module: Path, tmp_path: Path) -> Path:
    """A folder with a plan of a cluster and a GPU pool."""
    return Path(shutil.copytree(gke_of_module, tmp_path / "root", symlinks=True))


GCLOUD = """#!{python}
import json, sys
with open({log!r}, "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
print({answer!r})
"""


@pytest.fixture
def gcloud(tmp_path: Path):
    """A gcloud that gives one answer; returns where its command lines are noted."""

    def make(answer: str) -> Path:
        program, log = Path(os.environ["PATH"]) / "gcloud", tmp_path / "gcloud.log"
        program.write_text(GCLOUD.format(python=sys.executable, log=str(log), answer=answer))
        program.chmod(0o755)
        return log

    return make


def test_a_pool_in_the_state_error_is_explained(run, provider: Provider, gke: Path, gcloud) -> None:
    log = gcloud(json.dumps([{"status": "DONE", "error": {"code": 8, "message": "GCE_STOCKOUT: no H200\nleft"}}]))
    provider.fail(f"{MAKE_POOL}=error")
    result = run("apply", gke)
    assert result.code == 3
    assert f"{CLUSTER}: done (create)" in result.err
    assert f"{POOL}: in the state, but tainted: the next plan replaces it" in result.err
    assert f"{POOL}: GKE says: GCE_STOCKOUT: no H200 left" in result.err
    assert f"--allow-replace {POOL}" in result.err
    (asked,) = [json.loads(line) for line in log.read_text().splitlines()]
    assert asked[:7] == ["container", "operations", "list", "--project", "my-project", "--location", "us-central1-b"]
    assert "operationType=CREATE_NODE_POOL AND targetLink~/clusters/main" in asked[7] and asked[7].endswith(
        "/nodePools/gpu$"
    )
    again = run("plan", gke)
    assert (again.code, "it is tainted" in again.out) == (4, True)
    gcloud(json.dumps([{"status": "DONE", "startTime": "2999-01-01T00:00:00.123456789Z"}]))
    assert run("plan", gke, "--allow-replace", POOL).code == 0
    assert run("apply", gke).code == 0


@pytest.mark.parametrize("answer", [None, "[]"])
def test_without_an_answer_of_gcloud_the_command_is_printed(run, provider: Provider, gke: Path, gcloud, answer) -> None:
    if answer is not None:
        gcloud(answer)
    provider.fail(f"{MAKE_POOL}=error")
    result = run("apply", gke)
    assert result.code == 3
    assert f"why {POOL} failed, GKE says with: gcloud container operations list --project my-project" in result.err


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("no JSON", None),
        ("[]", None),
        ("{}", None),
        ("[1]", None),
        ('[{"status": "RUNNING"}]', Operation(False, "")),
        ('[{"status": "DONE", "detail": "all is well"}]', Operation(False, "all is well")),
        ('[{"status": "DONE", "error": {"message": "no  room"}}]', Operation(True, "no room")),
        ('[{"status": "DONE", "statusMessage": "no secret"}]', Operation(True, "no ***")),
        ('[{"statusMessage": "of another time", "startTime": "2020-02-02T02:02:02Z"}]', None),
        ('[{"statusMessage": "no room", "startTime": "2999-01-01T00:00:00.123456789Z"}]', Operation(True, "no room")),
        ('[{"statusMessage": "no room", "startTime": "soon"}]', None),
    ],
)
def test_answers_of_gcloud(gcloud, answer: str, found: Operation | None) -> None:
    gcloud(answer)
    at = SimpleNamespace(
        environment=dict(os.environ),
        signals=Signals(print),
        hide=lambda text: text.replace("secret", "***"),
        begun=time.time(),
    )
    values = {"project": "p", "location": "l", "cluster": "projects/p/locations/l/clusters/c", "name": "n"}
    asking = operations.command(operations.POOL, values)
    assert asking is not None
    assert operations.ask(at, asking) == found  # type: ignore[arg-type]
    assert operations.command(operations.POOL, values | {"name": None}) is None
    assert operations.command(operations.POOL, values | {"cluster": None}) is None


def test_what_an_id_tells() -> None:
    cluster = {"project": "p", "location": "us-central1-b", "name": "c"}
    at = "projects/p/locations/us-central1-b/clusters/c"
    assert operations.parts_of_id(at) == cluster
    assert operations.parts_of_id(f"{at}/nodePools/n") == cluster | {"cluster": "c", "name": "n"}
    assert operations.parts_of_id("p/us-central1-b/c/n") == {}


def test_a_failed_operation_that_terraform_does_not_notice(run, provider: Provider, gke: Path, gcloud) -> None:
    log = gcloud(json.dumps([{"status": "DONE", "statusMessage": "Only 1 of 2 nodes came up"}]))
    provider.fail(f"{MAKE_POOL}=unnoticed")
    result = run("apply", gke)
    assert result.code == 3
    assert "applied: 2 added" in result.out
    assert f"{POOL}: Terraform reports it as made, but its operation failed in GKE: Only 1 of 2 nodes" in result.err
    # The plan did not know yet how the cluster is called in full.
    assert "targetLink~/clusters/main/nodePools/gpu$" in log.read_text()
    assert "spent" in run("apply", gke).err


def test_whether_a_pool_is_whole_can_be_asked_by_hand(run, gke: Path) -> None:
    result = run("apply", gke)
    assert result.code == 0
    assert "  gcloud container operations list --project my-project --location us-central1-b" in result.out
    assert "targetLink~/clusters/main/nodePools/gpu$" in result.out


@pytest.mark.parametrize(
    ("fault", "words", "advice", "row"),
    [
        ("permission", "Error 403", "lacks a permission", "not in the state: the next plan creates it"),
        ("quota", "quota", "quota is used up", "not in the state: the next plan creates it"),
        ("stockout", "GCE_STOCKOUT", "another zone", "not in the state: the next plan creates it"),
        ("timeout", "PROVISIONING", "terraform untaint", "tainted: the next plan replaces it"),
    ],
)
def test_an_api_error_in_the_middle(
    run, provider: Provider, gke: Path, fault: str, words: str, advice: str, row: str
) -> None:
    provider.fail(f"{MAKE_POOL}={fault}")
    result = run("apply", gke)
    assert result.code == 3
    for expected in (f"{CLUSTER}: done (create)", f"{POOL}: ", row, words, advice, "main.tf:12:", "gke-rdma plan"):
        assert expected in result.err, expected
    assert run("apply", gke).code == 4


@pytest.mark.parametrize("fault", [None, f"{MAKE_POOL}=error", f"{MAKE_POOL}=permission"])
@pytest.mark.parametrize("format_", ["text", "json"])
def test_a_secret_in_what_tells_where_things_are(
    run, provider: Provider, folder: Path, fault: str | None, format_: str
) -> None:
    """A project may be a secret; ids, commands and messages hold it."""
    secret = "hush-project-42"
    declared = 'variable "project" {\n  type      = string\n  sensitive = true\n}\n'
    (folder / "main.tf").write_text(GKE.replace('"my-project"', "var.project") + declared)
    (folder / "terraform.tfvars").write_text(f'project = "{secret}"\n')
    planned = run("plan", folder, "--format", format_)
    assert planned.code == 0, planned.err
    if fault:
        provider.fail(fault)
    applied = run("apply", folder, "--format", format_)
    assert applied.code == (3 if fault else 0)
    assert CLUSTER in applied.out + applied.err
    assert secret not in planned.out + planned.err + applied.out + applied.err


@pytest.mark.parametrize(("command", "words"), [("plan", "nothing was changed"), ("apply", "look before you plan")])
def test_what_took_too_long(command: str, words: str) -> None:
    (error,) = failure(command, Completed(1, "", "", timed_out=True), ()).errors
    assert error.hint is not None and words in error.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            'Error listing: Get "https://compute.googleapis.com/x": dial tcp: lookup a on 1.2.3.4:53: no such host',
            "endpoints",
        ),
        (
            "Error: Failed to query available provider packages\n\nlookup registry.terraform.io: no such host",
            "registry",
        ),
    ],
)
def test_what_cannot_be_reached(text: str, words: str) -> None:
    hint = hint_for(text)
    assert hint is not None and words in hint


def test_no_permission_to_read_stops_a_plan(run, provider: Provider, gke: Path) -> None:
    assert run("apply", gke).code == 0
    provider.fail("read:google_container_cluster=permission")
    result = run("plan", gke)
    assert result.code == 3
    assert "lacks a permission" in result.err
    assert not (gke / ".gke-rdma" / "plan").exists()


def test_what_exists_already_can_be_taken_over(run, provider: Provider, gke: Path) -> None:
    assert run("apply", gke).code == 0
    (gke / "terraform.tfstate").unlink()
    assert run("plan", gke).code == 0
    result = run("apply", gke)
    assert result.code == 3
    assert f"terraform import {CLUSTER} ID" in result.err
    assert f"{POOL}: not begun" in result.err


def test_a_provider_that_crashes_in_the_middle(run, gke: Path, tmp_path: Path, monkeypatch) -> None:
    command = [sys.executable, str(Path(__file__).with_name("serving.py")), str(tmp_path)]
    (tmp_path / "faults").write_text("crash:google_container_node_pool")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        monkeypatch.setenv("TF_REATTACH_PROVIDERS", process.stdout.readline().strip())
        result = run("apply", gke)
    assert result.code == 3
    assert "the provider crashed" in result.err
    assert "TF_LOG_PATH" in result.err
    assert (
        CLUSTER in (gke / "terraform.tfstate").read_text()
        or "google_container_cluster" in (gke / "terraform.tfstate").read_text()
    )
    assert "done (create)" in result.err or "begun" in result.err


def test_an_interrupt_while_a_pool_is_made(start, run, provider: Provider, gke: Path) -> None:
    provider.fail(f"{MAKE_POOL}=slow,seconds=600")
    child = start("apply", gke)
    child.until(lambda: not (provider.folder / "faults").read_text())
    child.tell(signal.SIGINT)
    result = child.end()
    assert result.code == 130
    assert f"{CLUSTER}: done (create)" in result.err
    assert f"{POOL}: GKE is still at work on it (operation-" in result.err
    assert run("plan", gke, "--lock-timeout", "0s").code == 0


def test_a_second_interrupt_while_a_pool_is_made(
    start, run, gate, provider: Provider, gke: Path, tmp_path: Path
) -> None:
    stop = gate(tmp_path / "gate")
    provider.fail(f"stop:google_container_node_pool={stop.path}")
    child = start("apply", gke)
    stop.reached(child)
    child.tell(signal.SIGINT)
    assert child.process.stderr is not None
    told = iter(child.process.stderr.readline, "")
    assert any("waiting for it" in line for line in told)
    child.tell(signal.SIGINT)
    result = child.end()
    stop.open()
    assert result.code == 130
    assert "forgets what it was making" in result.err
    assert f"{POOL}: not in the state: the next plan creates it" in result.err
    assert f"terraform import {POOL} my-project/us-central1-b/CLUSTER/gpu" in result.err
    assert run("plan", gke, "--lock-timeout", "0s").code == 0


def test_a_state_that_another_holds(run, planned: Path) -> None:
    assert run("apply", planned).code == 0
    info = {"ID": "12345678-aaaa-bbbb-cccc-1234567890ab", "Operation": "OperationTypeApply", "Who": "someone@elsewhere"}
    (planned / ".terraform.tfstate.lock.info").write_text(json.dumps(info))
    held = (
        "import fcntl, os, sys\n"
        f"file = open({str(planned / 'terraform.tfstate')!r}, 'r+')\n"
        "fcntl.lockf(file, fcntl.LOCK_EX)\nprint('held', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdin is not None
        other.stdout.readline()
        result = run("plan", planned)
        other.stdin.close()
    assert result.code == 3
    assert "someone@elsewhere" in result.err
    assert "--lock-timeout" in result.err
    assert "force-unlock 12345678-aaaa-bbbb-cccc-1234567890ab" in result.err


PROVIDED = """
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "7.40.0"
    }
  }
}
provider "google" {}
"""


@pytest.fixture
def mirrored(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that asks for a provider, and a mirror with a file in its place; returns that file."""
    (folder / "main.tf").write_text(PROVIDED)
    system = "linux_amd64" if os.uname().machine == "x86_64" else "linux_arm64"
    place = tmp_path / "mirror" / "registry.terraform.io" / "hashicorp" / "google" / "7.40.0" / system
    place.mkdir(parents=True)
    program = place / "terraform-provider-google_v7.40.0"
    program.write_text("#!/bin/sh\nexit 7\n")
    program.chmod(0o755)
    (tmp_path / "cli").write_text(
        f'provider_installation {{\n  filesystem_mirror {{\n    path = "{tmp_path / "mirror"}"\n  }}\n}}\n'
    )
    monkeypatch.setenv("TF_CLI_CONFIG_FILE", str(tmp_path / "cli"))
    return program


def test_init_without_a_network(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "main.tf").write_text(PROVIDED)
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    result = run("plan", folder)
    assert result.code == 3
    assert "check network, proxy and CLI configuration" in result.err


def test_a_lock_file_with_other_checksums(run, mirrored: Path, folder: Path) -> None:
    lock = 'provider "registry.terraform.io/hashicorp/google" {\n  version = "7.40.0"\n  hashes = [\n    "h1:AAAA",\n  ]\n}\n'
    (folder / ".terraform.lock.hcl").write_text(lock)
    result = run("plan", folder)
    assert result.code == 3
    assert "terraform providers lock" in result.err


def test_a_provider_that_does_not_start(run, mirrored: Path, folder: Path) -> None:
    result = run("plan", folder)
    assert result.code == 3
    assert "the provider crashed" in result.err


@pytest.fixture
def big(planned: Path) -> Path:
    """A folder with a resource of 2 MB that does not get smaller when it is packed."""
    (planned / "main.tf").write_text('resource "terraform_data" "big" {\n  input = file("big")\n}\n')
    (planned / "terraform.tfvars").unlink()
    (planned / "big").write_bytes(base64.b64encode(random.Random(0).randbytes(1_500_000)))
    return planned


def test_a_state_that_cannot_be_written(run, start, big: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    assert run("plan", big).code == 0
    result = start("apply", big, limit=500_000).end()
    assert result.code == 3, result
    assert "Traceback" not in result.err
    assert "terraform state push errored.tfstate" in result.err


def test_a_plan_that_cannot_be_written(start, big: Path) -> None:
    result = start("plan", big, limit=500_000).end()
    assert result.code == 3, result
    assert "Traceback" not in result.err
    assert "make room on the disk" in result.err
    assert [p.name for p in (big / ".gke-rdma").iterdir() if p.name not in (".gitignore", "plan")] == []


def test_a_receipt_that_cannot_be_written(run, planned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_options: object) -> tuple[int, str]:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("generator.terraform.receipt.tempfile", SimpleNamespace(mkstemp=full))
    applied = run("apply", planned)
    assert applied.code == 0, applied.err
    assert "is applied and spent, but the receipt cannot be written" in applied.err
    again = run("apply", planned)
    assert (again.code, "is gone" in again.err) == (4, True)
    another = run("plan", planned)
    assert (another.code, "make room on the disk" in another.err) == (3, True)
    assert run("apply", planned).code == 4


@pytest.mark.parametrize("arguments", [(), ("--format", "json")])
def test_a_result_that_cannot_be_printed(start, planned: Path, arguments: tuple[str, ...]) -> None:
    """The apply goes on to its end, and its plan is spent."""
    with Path("/dev/full").open("w") as full:
        result = start("apply", planned, *arguments, stdout=full).end()
    assert result.code == 2
    assert "Traceback" not in result.err
    assert "was applied to its end, and is spent" in result.err
    assert json.loads((planned / "terraform.tfstate").read_text())["resources"]
    assert json.loads((planned / ".gke-rdma" / "plan.receipt.json").read_text())["receipt"]["applied"]


def test_a_reader_that_has_gone(start, planned: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = start("apply", planned, "--format", "json", stdout=writing).end()
    os.close(writing)
    assert "Traceback" not in result.err
    assert "was applied to its end, and is spent" in result.err
    assert json.loads((planned / ".gke-rdma" / "plan.receipt.json").read_text())["receipt"]["applied"]
