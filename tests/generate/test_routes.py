"""Every route of the spec, and combinations of them: what is written, and that no rule minds it."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from generator.cli import run
from generator.hcl.project import Options, Project
from generator.schema.provider import types_of_interest
from generator.view import Absent, Known, Resource
from generator.view.text import trees

GOLDEN = Path(__file__).parent / "golden"
SPARE = {"kind": "none"}
POOL: dict[str, Any] = {"name": "pool-a", "machine_type": "a3-ultragpu-8g", "node_count": 2, "capacity": SPARE}
RAILS = {**POOL, "networking": "multi-network"}
SCALED: dict[str, Any] = {
    "name": "scaled",
    "machine_type": "a4-highgpu-8g",
    "capacity": SPARE,
    "autoscaling": {"min_node_count": 0, "max_node_count": 2},
}
CLASS = {"name": "c", "machine_type": "a4-highgpu-8g", "capacity": {"kind": "spot"}}
LIMITS = {"max_cpu": 1000, "max_memory_gb": 10000, "max_gpus": 16}
REGIONAL = {"location": "us-central1"}
WINDOW = {"start_time": "2026-01-03T01:00:00Z", "end_time": "2026-01-03T09:00:00Z", "recurrence": "FREQ=DAILY"}
HOST = {"gvnic_prefix": "g", "rdma_prefix": "r", "project": "host-project"}

SPECS: dict[str, dict[str, Any]] = {
    "autopilot that exists": {"mode": "autopilot", "cluster": {"create": False}, "compute_class": CLASS},
    "module for an Autopilot that exists": {
        "layout": "module",
        "mode": "autopilot",
        "cluster": {"create": False},
        "compute_class": CLASS,
    },
    "autopilot on a channel": {
        "mode": "autopilot",
        "cluster": {
            "version": None,
            "release_channel": "RAPID",
            "private": {"nodes": True},
            "maintenance": {"window": WINDOW},
            "resource_labels": {"a": "b"},
        },
        "compute_class": CLASS,
    },
    "both routes": {"cluster": REGIONAL, "node_pools": [POOL, {**SCALED, "networking": "multi-network"}]},
    "networks in another zone": {"cluster": REGIONAL, "node_pools": [{**RAILS, "zone": "us-central1-a"}]},
    "networks in a zonal cluster": {"node_pools": [RAILS]},
    "networks in another zone than the cluster": {"node_pools": [{**RAILS, "zone": "us-central1-a"}]},
    "networks of a host project": {"node_pools": [{**RAILS, "networks": HOST, "labels": {"a": "b"}}]},
    "module with networks of a host project": {"layout": "module", "node_pools": [{**RAILS, "networks": HOST}]},
    "the smallest networks": {
        "node_pools": [{**RAILS, "networks": {"gvnic_cidr": "10.0.0.0/29", "rdma_cidr": "10.0.1.0/26"}}]
    },
    "two pools on one pair of networks": {"node_pools": [RAILS, {**RAILS, "name": "b"}]},
    "queued on networks": {
        "node_pools": [
            {
                **SCALED,
                "networking": "multi-network",
                "capacity": {"kind": "flex-start"},
                "queued_provisioning": True,
            }
        ]
    },
    "queued without flex-start": {"node_pools": [{**SCALED, "queued_provisioning": True}]},
    "auto-provisioning beside a pool": {
        "cluster": {"node_auto_provisioning": LIMITS},
        "node_pools": [POOL],
        "compute_class": {
            **CLASS,
            "fallbacks": [{"machine_type": "a3-ultragpu-8g", "capacity": {"kind": "flex-start"}}],
        },
    },
    "auto-provisioning on a channel": {
        "cluster": {"node_auto_provisioning": LIMITS, "version": None, "release_channel": "RAPID"},
        "compute_class": CLASS,
    },
    "class and pool for a cluster that exists": {
        "cluster": {"create": False},
        "node_pools": [POOL],
        "compute_class": CLASS,
    },
    "drivers of one's own": {
        "cluster": REGIONAL,
        "node_pools": [
            {**POOL, "gpu_driver": "disabled", "labels": {"gke-no-default-nvidia-gpu-device-plugin": "true"}},
            {**POOL, "name": "other", "gpu_driver": "disabled"},
        ],
    },
    "the longest names": {"name": "a" * 40, "node_pools": [{**RAILS, "name": "b" * 40}]},
    "a newer version": {"cluster": {"version": "1.40"}, "node_pools": [POOL]},
}

# What these specs leave open on purpose.
ALLOWED = {"capacity", "gpu-driver", "gke-version", "network-route", "zone-offer"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what becomes of each spec."""
    top = tmp_path_factory.mktemp("made")
    for name, spec in SPECS.items():
        path = top / f"{name}.yaml"
        data = {"version": 1, "name": "train", "project": "my-project", "zone": "us-central1-b", **spec}
        path.write_text(yaml.safe_dump(data))
        assert run(["generate", str(path), "-o", str(top / name), "--quiet"]) == 0, name
    return top


@pytest.mark.parametrize("name", SPECS)
def test_no_rule_minds_it(name: str, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lint", "--pedantic", "--format", "json", str(made / name)]) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {f["rule"] for f in found if f["severity"] == "advice"} <= ALLOWED
    assert not [f for f in found if f["severity"] != "advice"]


@pytest.mark.terraform
def test_terraform_finds_nothing_to_format(made: Path) -> None:
    from generator.terraform import binary
    from generator.terraform.signals import Signals

    environment = {"PATH": "/usr/bin:/bin", "HOME": str(made)}
    core = binary.find(None, "embedded", environment=environment, signals=Signals(lambda _: None))
    done = subprocess.run(
        [*core.command, "fmt", "-check", "-recursive", "-diff", "-no-color"],
        cwd=made,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def resources(folder: Path) -> dict[str, Resource]:
    (tree,) = trees(Project(folder, Options(types_of_interest(), folders=[folder])), [folder])
    return {resource.address: resource for resource in tree.resources}


def known(resource: Resource, path: str) -> Any:
    answer = resource.get(path)
    assert isinstance(answer, Known), (path, answer)
    return answer.value


def test_the_networks_of_the_manual_route() -> None:
    found = resources(GOLDEN / "a3-ultra-multi-network")
    gvnic, rdma = found["google_compute_network.gvnic"], found["google_compute_network.rdma"]
    assert known(gvnic, "name") == "rails-gvnic-net"
    assert known(rdma, "name") == "rails-rdma-net"
    assert known(rdma, "network_profile") == "projects/my-project/global/networkProfiles/us-central1-b-vpc-roce"
    assert known(rdma, "mtu") == 8896
    assert known(gvnic, "auto_create_subnetworks") is known(rdma, "auto_create_subnetworks") is False
    ranges = [
        (
            known(found[f"google_compute_subnetwork.{at}"], "name"),
            known(found[f"google_compute_subnetwork.{at}"], "ip_cidr_range"),
        )
        for at in ("gvnic", *(f"rdma[{rail}]" for rail in range(8)))
    ]
    assert ranges == [
        ("rails-gvnic-sub", "192.168.64.0/18"),
        *((f"rails-rdma-sub-{rail}", f"192.168.{128 + 8 * rail}.0/21") for rail in range(8)),
    ]
    firewalls = [known(r, "source_ranges") for a, r in found.items() if a.startswith("google_compute_firewall.")]
    assert firewalls == [{"192.168.64.0/18"}]


def test_the_nics_of_the_manual_route_are_in_order() -> None:
    pool = resources(GOLDEN / "a3-ultra-multi-network")["google_container_node_pool.rdma_pool"]
    nics = [
        (entry.get("network"), entry.get("subnetwork"))
        for entry in pool.blocks("network_config.additional_node_network_configs")
    ]
    shown = [tuple(a.value if isinstance(a, Known) else a for a in nic) for nic in nics]
    assert shown == [
        ("rails-gvnic-net", "rails-gvnic-sub"),
        *(("rails-rdma-net", f"rails-rdma-sub-{rail}") for rail in range(8)),
    ]
    assert known(pool, "node_config.oauth_scopes") == {"https://www.googleapis.com/auth/cloud-platform"}


def test_an_autopilot_cluster_writes_nothing_that_autopilot_decides() -> None:
    cluster = resources(GOLDEN / "a4-autopilot")["google_container_cluster.cluster"]
    assert known(cluster, "enable_autopilot") is True
    assert known(cluster, "location") == "us-central1"
    for path in (
        "initial_node_count",
        "datapath_provider",
        "node_config",
        "workload_identity_config",
        "node_locations",
    ):
        assert isinstance(cluster.get(path), Absent), path
    outputs = (GOLDEN / "a4-autopilot/outputs.tf").read_text()
    assert outputs.index("precondition") < outputs.index('output "cluster_id"')
    assert "check " not in "".join(p.read_text() for p in (GOLDEN / "a4-autopilot").glob("*.tf"))


def test_the_limits_of_auto_provisioning() -> None:
    cluster = resources(GOLDEN / "a3-ultra-auto-provisioning")["google_container_cluster.cluster"]
    limits = {
        known_block.get("resource_type"): known_block.get("maximum")
        for known_block in cluster.blocks("cluster_autoscaling.resource_limits")
    }
    assert {a.value: b.value for a, b in limits.items() if isinstance(a, Known) and isinstance(b, Known)} == {
        "cpu": 1000,
        "memory": 13000,
        "nvidia-h200-141gb": 32,
    }


FLOORS = {"standard": "1.34.8-gke.1278000", "autopilot": "1.36.2-gke.1368000"}


@pytest.mark.parametrize("name", SPECS)
def test_every_folder_holds_the_floor_of_its_mode(name: str, made: Path) -> None:
    text = (made / name / "main.tf").read_text()
    mode = SPECS[name].get("mode", "standard")
    assert re.findall(r'floor = "(.*)"', text) == [FLOORS[mode]]
    checked = text + (made / name / "outputs.tf").read_text()
    pools = len(SPECS[name].get("node_pools", [])) or 1
    assert checked.count("local.version_numbers.floor") == pools
