"""The document's example, damaged in single ways: each damage is found, where it is, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.cli import run

EXAMPLE = """\
# main.tf

terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0" # Min version that supports the automated RDMA NCCL installer
    }
  }
}

provider "google" {
  project = "my-project"
  region  = "us-central1"
  zone    = "us-central1-b"
}

resource "google_container_cluster" "cluster" {
  name               = "example-rdma-tf"
  location           = "us-central1-b"

  initial_node_count  = 3 # Number of CPU nodes in default pool
  deletion_protection = false # Optional, allows Terraform to delete clusters

  min_master_version      = "1.34.8-gke.1278000" # Required, min version for Standard clusters with automated RDMA NCCL installer support
  datapath_provider       = "ADVANCED_DATAPATH" # Required, enable GKE Dataplane v2
}

resource "google_container_node_pool" "rdma_pool" {
  name       = "rdma-pool"
  cluster    = google_container_cluster.cluster.name
  location   = google_container_cluster.cluster.location
  node_count = 3

  network_config {
    accelerator_network_profile = "auto" # Required if per-NIC networks are not manually configured
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
    }

    ephemeral_storage_local_ssd_config { # Required, see https://github.com/hashicorp/terraform-provider-google/issues/17068
      data_cache_count = 0
      local_ssd_count = 32
    }

    gpudirect_strategy = "RDMA"

    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true" # Automatically install DRANET driver
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }
}
"""  # noqa: E501

PLACES = {
    "cluster": 'resource "google_container_cluster"',
    "pool": 'resource "google_container_node_pool"',
    "node_config": "node_config {",
    "network_config": "network_config {",
    "accelerator": "guest_accelerator {",
    "ssd": "ephemeral_storage_local_ssd_config {",
}


def part(start: str) -> str:
    """The line that begins so, with all of its block."""
    lines = EXAMPLE.splitlines(keepends=True)
    (first,) = [n for n, line in enumerate(lines) if line.strip().startswith(start)]
    if not lines[first].split("#")[0].rstrip().endswith("{"):
        return lines[first]
    indent = lines[first][: -len(lines[first].lstrip())]
    last = next(n for n in range(first, len(lines)) if lines[n] == f"{indent}}}\n")
    return "".join(lines[first : last + 1])


def damaged(how: str, what: str, other: str) -> str:
    """The example with one thing changed."""
    old = what if how == "instead" else part(what)
    assert old in EXAMPLE
    if how == "move":
        lines = EXAMPLE.replace(old, "", 1).splitlines(keepends=True)
        place = next(n for n, line in enumerate(lines) if line.strip().startswith(other))
        return "".join([*lines[:place], old, *lines[place:]])
    new = {"remove": "", "replace": other + "\n", "add": old + other + "\n", "instead": other}[how]
    return EXAMPLE.replace(old, new, 1)


def places(text: str, wanted: str) -> set[tuple[str, str, int]]:
    found = set()
    for finding in wanted.split("; ") if wanted != "nothing" else ():
        rule, _, place = finding.partition(" @ ")
        mark = PLACES.get(place, place)
        lines = text.split("\n")
        numbers = [n for n, line in enumerate(lines, 1) if line.strip().startswith(mark)]
        numbers = numbers or [n for n, line in enumerate(lines, 1) if mark in line]
        found.add((*rule.split(), numbers[-1]))
    return found


def findings(text: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    (folder / "main.tf").write_text(text, encoding="utf-8")
    run(["lint", "--format", "json", "--pedantic", str(folder)])
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)["findings"]
    return found


DAMAGES = [
    [part.replace("\\n", "\n") for part in line.split(" | ")]
    for line in (Path(__file__).parent / "damages.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("how", "what", "other", "wanted"), DAMAGES)
def test_damage(
    how: str, what: str, other: str, wanted: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = damaged(how, what, other)
    assert text != EXAMPLE
    found = findings(text, tmp_path, capsys)
    asked = places(text, wanted)
    advice = {rule for rule, severity, _ in asked if severity == "advice"}
    heard = {(f["rule"], f["severity"], f["line"]) for f in found if f["severity"] != "advice" or f["rule"] in advice}
    assert heard == asked


def test_example_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = findings(EXAMPLE, tmp_path, capsys)
    assert {f["severity"] for f in found} == {"advice"}
    assert {f["rule"] for f in found} == {"capacity", "cluster-reference", "gpu-driver"}
