"""The same rules over the JSON of a plan, where it is known what exists already."""

from __future__ import annotations

from typing import Any

import pytest

from generator.rules import registry
from generator.view import Cluster, ModuleTree, NodePool, Resource
from generator.view.plan import tree

FLOOR, OLD = "1.34.8-gke.1278000", "1.33.5-gke.1080000"
CLUSTER = {
    "name": "c",
    "location": "us-central1-b",
    "datapath_provider": "ADVANCED_DATAPATH",
    "deletion_protection": False,
}
POOL = {
    "name": "gpu",
    "cluster": "c",
    "location": "us-central1-b",
    "node_count": 2,
    "network_config": [{"accelerator_network_profile": "auto"}],
    "node_config": [
        {
            "machine_type": "a3-ultragpu-8g",
            "gpudirect_strategy": "RDMA",
            "spot": True,
            "guest_accelerator": [
                {
                    "type": "nvidia-h200-141gb",
                    "count": 8,
                    "gpu_driver_installation_config": [{"gpu_driver_version": "LATEST"}],
                }
            ],
            "ephemeral_storage_local_ssd_config": [{"local_ssd_count": 32, "data_cache_count": 0}],
            "labels": {
                "cloud.google.com/gke-networking-dra-driver": "true",
                "gke.networks.io/accelerator-network-profile": "auto",
            },
        }
    ],
}


def expressions(written: dict[str, Any]) -> dict[str, Any]:
    """What is written, in the form of a plan's `configuration`."""
    return {
        name: [expressions(block) for block in value]
        if isinstance(value, list) and value and isinstance(value[0], dict)
        else {"constant_value": value}
        for name, value in written.items()
    }


def resource(type_: str, name: str, written: dict[str, Any], actions: list[str], **filled_in: Any) -> tuple[Any, Any]:
    address = f"{type_}.{name}"
    after = {**written, **filled_in}
    change = {
        "actions": actions,
        "before": None if actions == ["create"] else dict(after),
        "after": after,
        "after_unknown": {},
        "after_sensitive": {},
    }
    head = {"address": address, "mode": "managed", "type": type_, "name": name}
    provider = {"provider_name": "registry.terraform.io/hashicorp/google"}
    return {**head, **provider, "change": change}, {**head, "expressions": expressions(written)}


def says(cluster: dict[str, Any], pool: dict[str, Any], actions: str = "create", **filled_in: Any) -> list[str]:
    """What the rules say about a plan, as `rule severity`; `filled_in` is what GKE has told of the cluster."""
    made = [
        resource("google_container_cluster", "c", {**CLUSTER, **cluster}, [actions], **filled_in),
        resource("google_container_node_pool", "gpu", {**POOL, **pool}, [actions]),
    ]
    document = {
        "resource_changes": [change for change, _ in made],
        "configuration": {"root_module": {"resources": [written for _, written in made]}},
    }
    found = []
    view = tree(document)
    views: list[Resource | NodePool | Cluster | ModuleTree] = [*view.resources, *view.pools, *view.clusters, view]
    for rule in registry.rules():
        if "plan" in rule.depths:
            problems = [p for v in views if isinstance(v, rule.seeks) for p in rule.check(v)]
            found += [f"{rule.name} {p.severity}" for p in problems]
    return found


@pytest.mark.parametrize(
    ("cluster", "actions", "runs", "wanted"),
    [
        ({"min_master_version": FLOOR}, "create", None, []),
        ({"min_master_version": OLD}, "create", None, ["gke-version error"]),
        ({"min_master_version": "1.34"}, "create", None, []),
        ({"min_master_version": FLOOR}, "no-op", FLOOR, []),
        # It was upgraded since, and still writes its first version: nothing is sent.
        ({"min_master_version": OLD}, "no-op", FLOOR, []),
        ({"min_master_version": OLD}, "no-op", OLD, ["gke-version error"]),
        ({}, "no-op", OLD, ["gke-version error"]),
        ({}, "no-op", FLOOR, []),
        # While it upgrades the plan shows the old version.
        ({"min_master_version": FLOOR}, "update", OLD, []),
    ],
)
def test_the_version_of_the_control_plane(
    cluster: dict[str, Any], actions: str, runs: str | None, wanted: list[str]
) -> None:
    filled_in = {"master_version": runs} if runs else {}
    assert says(cluster, {}, actions, **filled_in) == wanted


def test_what_the_provider_fills_in_is_not_what_is_written() -> None:
    """A pool that exists reports networks that GKE made, and its cluster repeats it as a block."""
    networks = [{"network": f"n{i}", "subnetwork": f"s{i}"} for i in range(9)]
    pool = {**POOL, "network_config": [{"accelerator_network_profile": "auto"}]}
    filled = {"additional_node_network_configs": networks, "accelerator_network_profile": "auto"}
    change, written = resource("google_container_node_pool", "gpu", pool, ["no-op"])
    change["change"]["after"] = {**pool, "network_config": [filled], "initial_node_count": 2, "version": FLOOR}
    change["change"]["before"] = change["change"]["after"]
    cluster, cluster_written = resource(
        "google_container_cluster",
        "c",
        {**CLUSTER, "min_master_version": FLOOR},
        ["no-op"],
        master_version=FLOOR,
        node_pool=[{"name": "gpu", "node_config": POOL["node_config"]}],
        node_config=POOL["node_config"],
    )
    document = {
        "resource_changes": [cluster, change],
        "configuration": {"root_module": {"resources": [cluster_written, written]}},
    }
    view = tree(document)
    views = [*view.resources, *view.pools, *view.clusters, view]
    rules = [r for r in registry.rules() if "plan" in r.depths]
    assert [r.name for r in rules for v in views if isinstance(v, r.seeks) for _ in r.check(v)] == []


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"disk_type": "pd-ssd"}, "boot-disk error"),
        ({"image_type": "UBUNTU_CONTAINERD"}, "image-type error"),
        ({"gpudirect_strategy": "rdma"}, "gpudirect-strategy error"),
        ({"machine_type": "n2-standard-8"}, "machine-type error"),
    ],
)
def test_planned_values_are_judged_like_written_ones(change: dict[str, str], wanted: str) -> None:
    pool = {"node_config": [{**POOL["node_config"][0], **change}]}
    assert says({"min_master_version": FLOOR}, pool) == [wanted]
