"""Node pools inside a cluster, and resources of which nobody knows whether they exist."""

from __future__ import annotations

from pathlib import Path

import pytest
from good_folder import GOOD, Edits, Says

from generator.lint.engine import lint
from generator.lint.request import Request

CLUSTER = 'resource "google_container_cluster" "c"'
INLINE = """\
terraform {
  required_providers {
    google = { source = "hashicorp/google", version = ">= 7.34.0" }
  }
}

variable "list" { type = list(string) }
variable "number" { type = number }

resource "google_container_cluster" "c" {
  name                = "c"
  location            = "us-central1-b"
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"

  node_pool {
    name       = "cpu"
    node_count = 1
    node_config {
      machine_type = "n2-standard-8"
      disk_type    = "pd-balanced"
    }
  }

  node_pool {
    name       = "gpu"
    node_count = 2

    network_config {
      accelerator_network_profile = "auto"
    }

    node_config {
      machine_type       = "a4-highgpu-8g"
      gpudirect_strategy = "RDMA"
      spot               = true

      guest_accelerator {
        type  = "nvidia-b200"
        count = 8
        gpu_driver_installation_config {
          gpu_driver_version = "DEFAULT"
        }
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
}
"""
SSD = """
      ephemeral_storage_local_ssd_config {
        local_ssd_count  = 32
        data_cache_count = 0
      }
"""
LOCATION = '  location            = "us-central1-b"\n'
COUNT = "    node_count = 2\n"
MASTER = '  min_master_version  = "1.34.8-gke.1278000"\n'


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({}, []),
        ({'"nvidia-b200"': '"nvidia-h200-141gb"'}, ['accelerator error: "nvidia-h200-141gb"']),
        ({SSD: ""}, ["local-ssd error: node_config"]),
        ({'"RDMA"': '"rdma"'}, ['gpudirect-strategy error: "rdma"']),
        (
            {'    network_config {\n      accelerator_network_profile = "auto"\n    }\n': ""},
            ["network-profile error: node_pool"],
        ),
        ({LOCATION: '  location            = "us-central1"\n'}, ["single-zone error: node_pool"]),
        ({LOCATION: '  location = "us-central1"\n', COUNT: COUNT + '    node_locations = ["us-central1-b"]\n'}, []),
        ({MASTER: MASTER + '  node_version = "1.33.5-gke.1080000"\n'}, ['gke-version error: "1.33.5-gke.1080000"']),
        ({MASTER: MASTER + '  node_version = "1.34"\n'}, []),
        ({COUNT: COUNT + '    version = "1.34"\n'}, ['pool-version warning: "1.34"']),
        ({COUNT: COUNT + "    initial_node_count = 3\n"}, ["initial-node-count error: 3"]),
        (
            {
                SSD: "",
                LOCATION: LOCATION + "  lifecycle {\n ignore_changes = [node_pool]\n}\n",
            },
            [],
        ),
    ],
)
def test_a_pool_inside_a_cluster(says: Says, edits: Edits, wanted: list[str]) -> None:
    text = INLINE
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new)
    assert says("", files={"main.tf": text}) == wanted


def test_an_inline_pool_of_an_autopilot_cluster(says: Says) -> None:
    text = INLINE.replace(LOCATION, LOCATION + "  enable_autopilot = true\n").replace("1.34.8", "1.36.9")
    assert says("autopilot-node-pool", files={"main.tf": text}) == ["error: node_pool"]


def test_pools_of_an_unknown_number_hide_whether_one_is_alone(says: Says) -> None:
    cpu = INLINE[INLINE.index("  node_pool {\n") : INLINE.index('  node_pool {\n    name       = "gpu"')]
    alone = INLINE.replace(cpu, "")
    assert says("gpu-taint", files={"main.tf": alone}) == ["advice: node_config"]
    dynamic = 'dynamic "node_pool" {\n for_each = var.list\n content {\n name = node_pool.value\n}\n}\n'
    assert says("gpu-taint", files={"main.tf": alone.replace(LOCATION, LOCATION + dynamic)}) == []


def default_pool(more: str = "") -> str:
    """A cluster whose default pool has the GPUs."""
    return f"""\
resource "google_container_cluster" "c" {{
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 2
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"
  {more}

  node_config {{
    machine_type = "a3-ultragpu-8g"
    spot         = true

    guest_accelerator {{
      type  = "nvidia-h200-141gb"
      count = 8
    }}

    taint {{
      key    = "nvidia.com/gpu"
      value  = "present"
      effect = "NO_SCHEDULE"
    }}
  }}
}}
"""


@pytest.mark.parametrize(
    ("rule", "more", "wanted"),
    [
        ("local-ssd", "", ["error: node_config"]),
        ("local-ssd", "remove_default_node_pool = true", []),
        ("local-ssd", "lifecycle {\n ignore_changes = [node_config]\n}", []),
        ("gpu-driver", "", ["advice: guest_accelerator"]),
        ("pool-version", 'node_version = "1.34"', []),
        ("network-profile", "", []),
        ("gpu-taint", "", []),
    ],
)
def test_the_default_pool(says: Says, rule: str, more: str, wanted: list[str]) -> None:
    assert says(rule, files={"main.tf": default_pool(more)}) == wanted


def test_a_default_pool_with_the_installer_has_no_networks(says: Says) -> None:
    text = default_pool().replace("    spot ", '    gpudirect_strategy = "RDMA"\n    spot ')
    assert says("network-profile", files={"main.tf": text}) == [f"error: {CLUSTER}"]


POOL = '\nresource "google_container_node_pool" "gpu" {\n'


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({}, []),
        ({"count = 8": "count = 4"}, ["accelerator error: 4"]),
        ({'"true"': '"false"'}, ['dranet-label error: "false"']),
        ({"    gpudirect": '    disk_type = "pd-ssd"\n    gpudirect'}, ['boot-disk error: "pd-ssd"']),
    ],
)
def test_what_is_wrong_in_every_instance_is_wrong(says: Says, change: Edits, wanted: list[str]) -> None:
    text = GOOD.replace(POOL, POOL + "  count = var.number\n")
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    found = [f for f in says("", files={"main.tf": text}) if not f.startswith("unknown-value")]
    assert found == wanted


def test_a_finding_tells_where_its_value_came_from(tmp_path: Path) -> None:
    text = (
        GOOD.replace('"a3-ultragpu-8g"', "local.machine")
        + 'locals {\n  machine = var.machine\n}\nvariable "machine" {}\n'
    )
    (tmp_path / "main.tf").write_text(text)
    (tmp_path / "terraform.tfvars").write_text('machine = "n2-standard-8"\n')
    (finding,) = (f for f in lint(Request((".",), tmp_path)).report.findings if f.rule == "machine-type")
    assert {(r.location.path.name, r.location.line) for r in finding.related} >= {("terraform.tfvars", 1)}
    assert finding.resource == "google_container_node_pool.gpu"
    assert '"n2-standard-8"' in finding.message
