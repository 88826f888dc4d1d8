"""Folders of Terraform for the tests of the linter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from generator.lint.configuration import Flags
from generator.lint.engine import lint
from generator.lint.request import Outcome, Request

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

Write = Callable[[Mapping[str, str]], Path]
Lint = Callable[..., Outcome]


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


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes files by relative path below a repository root, and gives that root."""

    def make(files: Mapping[str, str]) -> Path:
        root = tmp_path / "repository"
        (root / ".git").mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        return root

    return make


@pytest.fixture
def check() -> Lint:
    """Lints paths below a folder, by default all of it; keywords are those of `Flags`, or of the request."""

    def run(root: Path, *paths: str, **options: object) -> Outcome:
        own = {name: options.pop(name) for name in ("variables", "environment", "write_baseline") if name in options}
        request = Request(paths or (".",), root, Flags(**options), **own)  # type: ignore[arg-type]
        return lint(request)

    return run


def found(outcome: Outcome, root: Path) -> list[tuple[str, int, str, str]]:
    """Findings as (path, line, rule, severity)."""
    return [
        (f.location.path.relative_to(root).as_posix(), f.location.line, f.rule, f.severity.value)
        for f in outcome.report.findings
        if f.location
    ]
