"""What the examples become, byte for byte, and what holds for every generated folder."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.catalog import zones
from generator.cli import run
from generator.hcl import hcl2_reader, parser
from generator.hcl.nodes import File
from generator.hcl.project import Options, Project
from generator.hcl.source import Source
from generator.schema.provider import types_of_interest
from generator.spec.load import load
from generator.spec.model import Spec
from generator.view import Known, ModuleTree
from generator.view.text import trees

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = sorted([*ROOT.glob("examples/*.yaml"), *ROOT.glob("examples/modules/*.yaml")])


def made_from(spec: Path) -> Path:
    return (ROOT / "modules" if spec.parent.name == "modules" else GOLDEN) / spec.stem


FOLDERS = [made_from(spec) for spec in EXAMPLES]
ROOTS = [folder for folder in FOLDERS if folder.parent == GOLDEN]

# The Terraform of Google's page "Configure GPUDirect RDMA using the automated NCCL installer".
DOCUMENT = """
resource "google_container_cluster" "cluster" {
  name               = "example-rdma-tf"
  location           = "us-central1-b"

  initial_node_count  = 3 # Number of CPU nodes in default pool
  deletion_protection = false # Optional, allows Terraform to delete clusters

  min_master_version      = "1.34.8-gke.1278000" # Required, min version for Standard clusters
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
"""


def tree_of(folder: Path) -> ModuleTree:
    folders = [folder, *folder.glob("examples/basic")]
    (tree,) = trees(Project(folder, Options(types_of_interest(), folders=folders)), folders)
    return tree


@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda p: p.stem)
def test_the_examples_become_the_golden_folders(
    spec: Path, tmp_path: Path, generate: Callable[..., int], contents: Callable[[Path], dict[str, bytes]]
) -> None:
    copy, made = tmp_path / spec.relative_to(ROOT), tmp_path / made_from(spec).relative_to(ROOT)
    copy.parent.mkdir(parents=True)
    shutil.copy(spec, copy)
    assert generate(copy, "-o", made) == 0
    assert contents(made) == contents(made_from(spec)), "run tests/generate/regenerate.py and read the difference"


DOCUMENT_ARGUMENTS = {
    "google_container_cluster": [
        "name",
        "location",
        "initial_node_count",
        "deletion_protection",
        "min_master_version",
        "datapath_provider",
    ],
    "google_container_node_pool": [
        "name",
        "location",
        "node_count",
        "network_config.accelerator_network_profile",
        "node_config.machine_type",
        "node_config.guest_accelerator.type",
        "node_config.guest_accelerator.count",
        "node_config.ephemeral_storage_local_ssd_config.data_cache_count",
        "node_config.ephemeral_storage_local_ssd_config.local_ssd_count",
        "node_config.gpudirect_strategy",
        "node_config.labels",
    ],
}


def test_the_first_example_is_the_documents(tmp_path: Path) -> None:
    (tmp_path / "main.tf").write_text(DOCUMENT)
    ours = {r.type: r for r in tree_of(GOLDEN / "a3-ultra-dranet").resources}
    theirs = {r.type: r for r in tree_of(tmp_path).resources}
    for type_, arguments in DOCUMENT_ARGUMENTS.items():
        for path in arguments:
            written, made = theirs[type_].get(path), ours[type_].get(path)
            assert isinstance(written, Known) and isinstance(made, Known), (type_, path, made)
            assert written.value == made.value, (type_, path)
    assert sum(len(a) for a in DOCUMENT_ARGUMENTS.values()) + 1 == _argument_count()


def _argument_count() -> int:
    """How many arguments the document's resources set, a map counted once; the reference to the cluster is the one more."""
    within = re.sub(r"labels\s*=\s*\{[^}]*\}", "labels = 1", DOCUMENT)
    return len(re.findall(r"^\s*\w+\s*=", within, re.MULTILINE))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_pools_refer_to_their_cluster_by_id(folder: Path) -> None:
    text = (folder / "main.tf").read_text().replace("data.google_container_cluster", "google_container_cluster")
    references = re.findall(r"^  cluster +=.*\bgoogle_container_cluster\.cluster\.id\b", text, re.MULTILINE)
    assert len(references) == text.count('resource "google_container_node_pool"')


def asked_for(spec: Spec) -> set[str]:
    """The advice that a spec asks for: what it leaves open on purpose."""
    pools = spec.node_pools
    found = {
        "capacity": any(pool.capacity.kind == "none" for pool in pools),
        "gpu-driver": any(pool.gpu_driver is None for pool in pools),
        "gke-version": spec.cluster.create and spec.cluster.version is None,
        "node-count": any(pool.node_count in (0, 1) for pool in pools),
        "network-route": len({pool.networking for pool in pools}) > 1,
        "zone-offer": any(pool.zone not in zones.zones(pool.machine_type) for pool in pools),
    }
    return {name for name, asked in found.items() if asked}


@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_rules_find_only_what_the_spec_asks_for(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--pedantic", "--format", "json", str(made_from(spec))]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert not [f for f in findings if f["severity"] != "advice"]
    assert {f["rule"] for f in findings} <= asked_for(load(spec).spec)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_no_variable_is_dead_and_none_is_missing(folder: Path) -> None:
    files = {p.name: p.read_text() for p in folder.glob("*.tf")}
    declared = set(re.findall(r'^variable "(\w+)"', files["variables.tf"], re.MULTILINE))
    used = set(re.findall(r"\bvar\.(\w+)", "".join(t for n, t in files.items() if n != "variables.tf")))
    assert declared == used
    for block in files["variables.tf"].split("\n}\n"):
        if name := re.search(r'variable "(\w+)"', block):
            assert set(re.findall(r"\bvar\.(\w+)", block)) <= {name[1]}, "a validation names its own variable only"
            assert "description" in block and "type" in block


@pytest.mark.parametrize("folder", ROOTS, ids=lambda p: p.name)
def test_every_variable_of_a_root_has_a_value(folder: Path) -> None:
    declared = re.findall(r'^variable "(\w+)"', (folder / "variables.tf").read_text(), re.MULTILINE)
    assert declared == re.findall(r"^(\w+) +=", (folder / "terraform.tfvars").read_text(), re.MULTILINE)


@pytest.mark.parametrize("folder", sorted((ROOT / "modules").iterdir()), ids=lambda p: p.name)
def test_the_interface_of_a_module(folder: Path) -> None:
    blocks = (folder / "variables.tf").read_text().split("\n}\n")
    names = {re.search(r'variable "(\w+)"', b)[1]: "default" in b for b in blocks if "variable" in b}  # type: ignore[index]
    required = {name for name, has_default in names.items() if not has_default}
    assert {"project_id", "cluster_name", "location", "zone"} <= required
    sized = {"node_count", "min_node_count", "max_node_count"} & set(names)
    assert all(names[name] for name in sized)
    makes_cluster = 'resource "google_container_cluster"' in (folder / "main.tf").read_text()
    assert {name for name in ("network", "subnetwork") if names.get(name)} == (
        {"network", "subnetwork"} if makes_cluster else set()
    )
    assert bool(sized) == ('resource "google_container_node_pool"' in (folder / "main.tf").read_text())
    called = (folder / "examples/basic/main.tf").read_text()
    call = called[called.index('module "') :].split("\n}\n")[0]
    assert set(re.findall(r"^  (\w+) +=", call, re.MULTILINE)) == required | {"source"}
    outputs = re.findall(r'^output "(\w+)"', (folder / "outputs.tf").read_text(), re.MULTILINE)
    assert outputs == [
        "cluster_name",
        "cluster_id",
        "location",
        "endpoint",
        "ca_certificate",
        "node_pool_ids",
        "get_credentials_command",
    ]
    assert not (folder / "providers.tf").exists() and not (folder / "terraform.tfvars").exists()
    assert "backend" not in (folder / "versions.tf").read_text()


def test_an_existing_cluster_is_only_looked_up() -> None:
    text = (GOLDEN / "a3-ultra-existing-cluster/main.tf").read_text()
    assert 'data "google_container_cluster" "cluster"' in text
    assert 'resource "google_container_cluster"' not in text
    assert 'data.google_container_cluster.cluster.datapath_provider == "ADVANCED_DATAPATH"' in text


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_both_readers_see_the_same(folder: Path) -> None:
    for path in [*folder.rglob("*.tf"), *folder.glob("*.tfvars")]:
        source = Source(path, path.read_text())
        ours, theirs = parser.parse(source), hcl2_reader.read(source)
        assert isinstance(ours, File) and not ours.problems and not theirs.problems
        assert ours.body == theirs.body, path.name


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: p.name)
def test_no_block_is_empty_and_no_place_is_left_unfilled(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            text = path.read_text()
            assert not re.search(r"\{\s*\}\s*$", text, re.MULTILINE) or path.suffix != ".tf"
            assert "{{" not in text and "{%" not in text and "None" not in text.replace("clusterIP: None", "")
            assert text.endswith("\n") and not re.search(r"[ \t]$", text, re.MULTILINE)
