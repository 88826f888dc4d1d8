"""Terraform for the tests of the linter, and findings in short."""

from __future__ import annotations

from pathlib import Path

from generator.lint.request import Outcome

VERSIONS = """\
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}
"""


def pool(name: str = "gpu", disks: str = "32", machine_type: str = '"a3-ultragpu-8g"', extra: str = "") -> str:
    """A node pool that is right, but for what the arguments make of it; `disks` stands in the 22nd line."""
    return f"""\
resource "google_container_node_pool" "{name}" {{
  name       = "{name}"
  cluster    = "projects/p/locations/us-central1-b/clusters/c"
  location   = "us-central1-b"
  node_count = 2

  network_config {{
    accelerator_network_profile = "auto"
  }}

  node_config {{
    machine_type       = {machine_type}
    gpudirect_strategy = "RDMA"

    guest_accelerator {{
      type  = "nvidia-h200-141gb"
      count = 8
    }}

    ephemeral_storage_local_ssd_config {{
      data_cache_count = 0
      local_ssd_count  = {disks}
    }}

    labels = {{
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }}
{extra}
  }}
}}
"""


def found(outcome: Outcome, root: Path) -> list[tuple[str, int, str, str]]:
    """Findings as (path, line, rule, severity)."""
    return [
        (f.location.path.relative_to(root).as_posix(), f.location.line, f.rule, f.severity.value)
        for f in outcome.report.findings
        if f.location
    ]
