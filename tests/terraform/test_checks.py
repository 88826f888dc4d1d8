"""Lint before a plan, and how configuration and comments hold for what is found in a plan."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

TEXT = """
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

resource "google_container_cluster" "main" {
  name               = "main"
  location           = "us-central1-b"
  initial_node_count = 1
  min_master_version = "1.34.8-gke.1278000"
  datapath_provider  = "ADVANCED_DATAPATH"
}

COMMENT
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = google_container_cluster.main.name
  location   = google_container_cluster.main.location
  node_count = COUNT

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "STRATEGY"
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
"""
POOL = "google_container_node_pool.gpu"


@pytest.fixture
def written(folder: Path):
    def write(comment: str = "", strategy: str = "RDMA", count: int = 2) -> Path:
        text = TEXT.replace("COMMENT", comment).replace("STRATEGY", strategy).replace("COUNT", str(count))
        (folder / "main.tf").write_text(text)
        return folder

    return write


@pytest.fixture
def shrunk(plans, pool, tmp_path: Path) -> Path:
    """A plan that takes a node from the pool."""
    path = tmp_path / "shrunk.json"
    made = plans().add(POOL, "update", before={**pool, "node_count": 3}, after=pool, written=pool).json()
    path.write_text(json.dumps(made))
    return path


@pytest.fixture
def replaced(plans, pool, tmp_path: Path) -> Path:
    """A plan that replaces the pool."""
    path = tmp_path / "replaced.json"
    path.write_text(json.dumps(plans().add(POOL, "delete/create", before=pool, after=pool).json()))
    return path


def test_lint_errors_stop_a_plan_before_terraform_is_asked(run, written, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    result = run("plan", written(strategy="rdma"), "--terraform", "no-such-program", "--summary", summary)
    assert "plan: not made" in summary.read_text() and "gpudirect&#45;strategy" in summary.read_text()
    assert result.code == 1
    assert "gpudirect-strategy" in result.out
    assert "no plan was made" in result.err
    as_json = run("plan", written(strategy="rdma"), "--format", "json")
    assert as_json.code == 1
    document = json.loads(as_json.out.splitlines()[-1])
    assert [f["rule"] for f in document["findings"]] == ["gpudirect-strategy"]
    assert document["plan"] is None


def test_what_cannot_be_read_stops_a_plan_with_its_own_code(run, folder: Path) -> None:
    (folder / "main.tf").write_text('resource "google_container_cluster" "c" {\n  name = \n}\n')
    assert run("plan", folder).code == 2


def test_errors_go_out_as_a_document_too(run, folder: Path) -> None:
    (folder / "more.tf").write_text('variable "needed" {}\n')
    result = run("plan", folder, "--format", "json")
    assert result.code == 3
    document = json.loads(result.out.splitlines()[-1])
    assert document["errors"][0]["code"] == 3
    assert document["errors"][0]["path"].endswith("more.tf")
    assert "needed" in document["errors"][0]["message"]


def test_a_finding_of_a_plan_points_to_its_resource(run, written, shrunk: Path) -> None:
    result = run("check-plan", shrunk, "--dir", written(), "--format", "json")
    (finding,) = json.loads(result.out)["findings"]
    assert (finding["rule"], finding["line"], finding["column"], finding["end_column"]) == ("pool-shrink", 20, 1, 44)
    assert finding["path"].endswith("main.tf")


def test_an_ignore_comment_holds_through_the_line_of_the_resource(run, written, shrunk: Path, replaced: Path) -> None:
    directory = written("# gke-rdma: ignore[pool-shrink, replacement] the third node was lent")
    assert run("check-plan", shrunk, "--dir", directory, "--format", "json").code == 0
    assert json.loads(run("check-plan", shrunk, "--dir", directory, "--format", "json").out)["findings"] == []
    result = run("check-plan", replaced, "--dir", directory)
    assert result.code == 4
    assert "replacement" in result.out
    assert "main.tf:19: replacement cannot be ignored" in result.err
    assert "pool-shrink cannot" not in result.err


def test_configuration_holds_for_findings_but_not_for_refusals(run, written, shrunk: Path, replaced: Path) -> None:
    directory = written()
    (directory / ".gke-rdma.toml").write_text('ignore = ["replacement"]\n[severity]\npool-shrink = "error"\n')
    assert run("check-plan", shrunk, "--dir", directory).code == 1
    refused = run("check-plan", replaced, "--dir", directory)
    assert refused.code == 4
    assert "replacement in the configuration has no effect" in refused.err


def test_a_plan_comes_from_standard_input_too(run, replaced: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with replaced.open() as file:
        monkeypatch.setattr("sys.stdin", file)
        assert run("check-plan", "-").code == 4


@pytest.mark.parametrize("name", ["sarif", "junit", "github", "gitlab"])
def test_findings_of_a_plan_go_out_in_every_format(run, replaced: Path, name: str) -> None:
    result = run("check-plan", replaced, "--format", name)
    assert result.code == 4
    assert "replacement" in result.out


@pytest.mark.parametrize("name", ["text", "json", "sarif"])
def test_a_reader_that_has_seen_enough_changes_nothing_about_the_code(start, replaced: Path, name: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    result = start("check-plan", replaced, "--format", name, stdout=writing).end()
    os.close(writing)
    assert (result.code, result.err) == (4, "")


def test_a_summary_is_markdown_in_which_nothing_works_but_ours(run, folder: Path, tmp_path: Path) -> None:
    (folder / "more.tf").write_text(
        'resource "terraform_data" "each" {\n  for_each = toset(["<script>|`@all`", "[x](y)"])\n}\n'
        'output "a_b" {\n  value = "from-the-output"\n}\n'
    )
    result = run("plan", folder, "--summary", tmp_path / "summary.md")
    assert result.code == 0
    text = (tmp_path / "summary.md").read_text()
    assert text.startswith("### Terraform plan: 4 to create")
    assert "<script>" not in text and "`@all`" not in text and "](y)" not in text
    assert "from-the-output" not in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 5
    assert all(row.count("|") == 4 for row in rows)
