"""`gke-rdma rehearse` as its users run it."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from generator.cli import run
from generator.terraform.binary import find
from generator.terraform.signals import Signals

pytestmark = pytest.mark.terraform

POOL = """
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
  backend "gcs" {
    bucket = "my-state"
  }
}

provider "google" {
  project = "my-project"
  region  = "us-central1"
}

variable "nodes" {
  type    = number
  default = 2
}

resource "google_container_cluster" "c" {
  name                = "gpu"
  location            = "us-central1-b"
  initial_node_count  = 1
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"
  deletion_protection = true
}

resource "google_container_node_pool" "p" {
  name       = "cpu-pool"
  cluster    = google_container_cluster.c.id
  location   = google_container_cluster.c.location
  node_count = var.nodes

  node_config {
    machine_type = "e2-standard-4"
    labels = {
      team = "x"
    }
  }
}
"""


@pytest.fixture
def rehearse(tmp_path, monkeypatch, capfd):
    """Run the command in this process, in the test's folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    for name in [name for name in os.environ if name.startswith("TF_")]:
        monkeypatch.delenv(name)

    def run_it(*arguments, **environment):
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        code = run(["rehearse", *map(str, arguments)])
        told = capfd.readouterr()
        return SimpleNamespace(returncode=code, stdout=told.out, stderr=told.err)

    return run_it


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "main.tf").write_text(POOL)
    return folder


@pytest.mark.skipif(shutil.which("ps") is None, reason="ps tells which processes are left")
def test_a_rehearsal_from_lint_to_destroy(rehearse, root, tmp_path):
    (root / ".terraform.lock.hcl").write_text(
        'provider "registry.terraform.io/hashicorp/google" {\n  version = "7.40.0"\n  hashes  = ["h1:x="]\n}\n'
    )
    files = {p: p.read_bytes() for p in root.rglob("*")}
    done = rehearse(root, GOOGLE_APPLICATION_CREDENTIALS="/nowhere.json")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("rehearsing ") and lines[0].endswith("nothing in Google Cloud is asked")
    assert lines[-1].endswith("nothing in Google Cloud was asked")
    steps = [re.match(r"(\S+(?: \S+)?) +([\d.]+) s  (.*)", line).groups() for line in lines[1:-1]]
    assert [(name, result) for name, _, result in steps] == [
        ("lint", "no findings"),
        ("init", "done"),
        ("validate", "valid"),
        ("plan", "2 to create"),
        ("check", "no findings"),
        ("apply", "2 created"),
        ("second plan", "no changes"),
        ("unprotect", "in the copy alone, deletion_protection becomes false: google_container_cluster.c"),
        ("destroy", "2 destroyed"),
    ]
    assert "Creat" not in done.stderr and "Destr" not in done.stderr
    assert {p: p.read_bytes() for p in root.rglob("*")} == files
    assert names(tmp_path / "tmp") == []
    processes = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    assert str(tmp_path) not in processes


def test_a_second_plan_that_is_not_empty_is_a_finding(rehearse, root, tmp_path):
    text = POOL.replace("deletion_protection = true", "deletion_protection = false")
    (root / "main.tf").write_text(text.replace("node_count = var.nodes", 'node_count = 1\n  version = "1.34"'))
    done = rehearse(root)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "not empty: 1 to update" in done.stdout
    assert "google_container_node_pool.p (update): version" in done.stdout
    assert "2 destroyed" in done.stdout and "unprotect" not in done.stdout


def test_prevent_destroy_is_taken_off_modules_outside_are_copied_and_other_providers_served(rehearse, root, tmp_path):
    module = tmp_path / "modules" / "net"
    module.mkdir(parents=True)
    (module / "main.tf").write_text(
        'resource "random_id" "s" {\n  byte_length = 4\n}\n'
        'resource "google_compute_network" "n" {\n  name = "n-${random_id.s.hex}"\n'
        "  lifecycle {\n    prevent_destroy = true\n  }\n}\n"
        'resource "time_sleep" "t" {\n  create_duration = "30s"\n}\n'
        'resource "null_resource" "n" {\n  triggers = {\n    id = random_id.s.hex\n  }\n}\n'
    )
    (root / "main.tf").write_text('module "net" {\n  source = "../modules/net"\n}\n')
    done = rehearse(root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "prevent_destroy becomes false: google_compute_network.n" in done.stdout
    assert "4 created" in done.stdout and "4 destroyed" in done.stdout
    assert "prevent_destroy = true" in (module / "main.tf").read_text()


def test_variables_reach_the_plan_and_the_copy_can_be_kept(rehearse, root, tmp_path):
    (tmp_path / "more.tfvars").write_text("nodes = 7\n")
    done = rehearse(
        "root",
        "--var-file",
        "more.tfvars",
        "--keep",
        "--stop-after",
        "apply",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "destroy" not in done.stdout
    kept = Path(re.search(r"the copy is kept: (.*)", done.stdout)[1])
    state = json.loads((kept / "terraform.tfstate").read_text())
    assert [r["instances"][0]["attributes"].get("node_count") for r in state["resources"]] == [None, 7]
    assert names(tmp_path / "tmp") == [kept.name]


@pytest.mark.parametrize(("step", "steps"), [("lint", 1), ("init", 2)])
def test_it_stops_after_a_step(rehearse, root, tmp_path, step, steps):
    done = rehearse(root, "--stop-after", step, "--var", "nodes=3")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == steps + 2


def test_no_account_reaches_terraform(rehearse, root, tmp_path):
    core = find(None, "embedded", environment=os.environ, signals=Signals(lambda _text: None))
    wrapper = tmp_path / "terraform"
    wrapper.write_text(f'#!/bin/sh\nenv >> "$SEEN"\nexec {shlex.join(core.command)} "$@"\n')
    wrapper.chmod(0o755)
    secrets = {
        "GOOGLE_APPLICATION_CREDENTIALS": "SECRET-1",
        "GOOGLE_OAUTH_ACCESS_TOKEN": "SECRET-2",
        "CLOUDSDK_CONFIG": "SECRET-3",
        "KUBECONFIG": "SECRET-4",
        "TF_TOKEN_app_terraform_io": "SECRET-5",
        "HOME": "/SECRET-6",
    }
    done = rehearse(root, "--terraform", wrapper, "--stop-after", "apply", SEEN=str(tmp_path / "seen"), **secrets)
    assert done.returncode == 0, done.stdout + done.stderr
    seen = (tmp_path / "seen").read_text()
    assert seen.count("TF_REATTACH_PROVIDERS") == 5
    # The core is asked for its version first, outside of the copy.
    assert "SECRET" not in seen.replace("HOME=/SECRET-6", "", 1)


def test_errors_name_the_line_of_the_folder_and_not_of_the_copy(rehearse, root, tmp_path):
    (root / "main.tf").write_text(POOL.replace("node_count = var.nodes", "node_count = var.undeclared"))
    done = rehearse(root)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "root/main.tf:37" in done.stderr
    assert "gke-rdma-rehearsal-" not in done.stdout + done.stderr


def test_a_configuration_above_the_folder_holds(rehearse, root, tmp_path):
    (root / "main.tf").write_text(POOL.replace("e2-standard-4", "a3-ultragpu-8g").replace("default = 2", ""))
    (tmp_path / "more.tfvars").write_text("nodes = 5\n")
    (tmp_path / ".gke-rdma.toml").write_text('var-files = ["more.tfvars"]\nselect = ["provider-lock"]\n')
    done = rehearse("root", "--stop-after", "plan")
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / ".gke-rdma.toml").write_text('terraform = "tofu"\n')
    assert "tofu" in rehearse("root", "--stop-after", "plan").stderr


def test_findings_of_lint_end_it(rehearse, root, tmp_path):
    (root / "main.tf").write_text(POOL.replace("e2-standard-4", "a3-ultragpu-8g") + "")
    done = rehearse(root)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "init" not in done.stdout
    assert "root/main.tf:" in done.stdout


def test_a_refusal_comes_before_anything_is_started(rehearse, root, tmp_path):
    (root / "other.tf").write_text('\nresource "aws_vpc" "v" {\n}\n')
    done = rehearse("root")
    assert done.returncode == 3
    assert done.stdout == ""
    assert "root/other.tf:2" in done.stderr and "hashicorp/aws" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no such folder"),
        (["root/main.tf"], "is a file"),
        (["tmp"], "holds no .tf file"),
        (["root", "--provider", "google"], "cannot be rehearsed with yet"),
        (["root", "--provider", "aws"], "there is no such choice"),
        (["root", "--stop-after", "dinner"], "there is no such step"),
        (["root", "--var", "made_up=1"], "declares no variable of that name"),
        (["root", "--timeout", "soon"], "this is no duration"),
        (["root", "--terraform", "no-such-terraform"], "there is no such program"),
    ],
)
def test_a_command_line_that_is_wrong(rehearse, root, tmp_path, arguments, message):
    done = rehearse(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in done.stderr


def children(parent):
    found = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in found.splitlines()]
    return [int(pid) for pid, ppid, args in rows if int(ppid) == parent and "rehearsal.server" in args]


@pytest.mark.skipif(shutil.which("ps") is None, reason="ps tells which processes are left")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_provider_stays_when_the_program_is_stopped(root, tmp_path, number):
    (tmp_path / "tmp").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "tmp"), "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "rehearse", str(root)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    )
    provider, ends = [], time.monotonic() + 30
    while not provider and process.poll() is None and time.monotonic() < ends:
        provider = children(process.pid)
        time.sleep(0.01)
    process.send_signal(number)
    code = process.wait(30)
    assert provider
    while Path(f"/proc/{provider[0]}").exists() and time.monotonic() < ends:
        time.sleep(0.05)
    assert not Path(f"/proc/{provider[0]}").exists()
    if number != signal.SIGKILL:
        assert code == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
        assert names(tmp_path / "tmp") == []
