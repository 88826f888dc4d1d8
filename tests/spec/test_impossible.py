"""Combinations that cannot be: each is caught before anything is written, at its place, with what to write instead."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from generator.catalog import machines
from generator.errors import UserErrors
from generator.spec.load import parse
from generator.spec.model import Spec

POOL: dict[str, Any] = {"name": "pool", "machine_type": "a3-ultragpu-8g", "node_count": 2, "capacity": {"kind": "none"}}
BASE: dict[str, Any] = {
    "version": 1,
    "name": "train",
    "project": "my-project",
    "zone": "us-central1-b",
    "node_pools": [POOL],
}
CLASS: dict[str, Any] = {"name": "rdma", "machine_type": "a4-highgpu-8g", "capacity": {"kind": "spot"}}
AUTOPILOT: dict[str, Any] = {
    **{k: v for k, v in BASE.items() if k != "node_pools"},
    "mode": "autopilot",
    "compute_class": CLASS,
}
RESERVED = {"kind": "reservation", "name": "r9"}
SCALED = {"min_node_count": 0, "max_node_count": 4}
WINDOW = {"start_time": "2026-01-03T01:00:00Z", "end_time": "2026-01-03T09:00:00Z", "recurrence": "FREQ=DAILY"}
NAP = {"max_cpu": 1000, "max_memory_gb": 10000, "max_gpus": 16}
GONE = object()


def top(**changes: Any) -> dict[str, Any]:
    return merged(BASE, changes)


def auto(**changes: Any) -> dict[str, Any]:
    return merged(AUTOPILOT, changes)


def merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in {**base, **changes}.items() if v is not GONE}


def cluster(**keys: Any) -> dict[str, Any]:
    return top(cluster=keys)


def pool(**changes: Any) -> dict[str, Any]:
    return top(node_pools=[merged(POOL, changes)])


def two(**changes: Any) -> dict[str, Any]:
    return top(node_pools=[POOL, {**POOL, "name": "other", **changes}])


def multi(networks: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    extra = {} if networks is None else {"networks": networks}
    return {**POOL, "networking": "multi-network", **extra, **changes}


def private(**keys: Any) -> dict[str, Any]:
    return cluster(private=keys)


def network(**keys: Any) -> dict[str, Any]:
    return cluster(network=keys)


HOST = "projects/host-project/global/networks/n"

IMPOSSIBLE: list[tuple[str, dict[str, Any], str]] = [
    # mode
    ("no pools", top(node_pools=GONE), "has no node pools"),
    ("empty pools", top(node_pools=[]), "has no node pools"),
    ("autopilot with pools", auto(node_pools=[POOL]), "takes no node pools"),
    ("autopilot without a class", auto(compute_class=GONE), "through a ComputeClass"),
    ("autopilot with default pool", auto(cluster={"default_pool": {"node_count": 1}}), "no default pool"),
    ("autopilot with node locations", auto(cluster={"node_locations": ["us-central1-a"]}), "chooses the zones"),
    ("autopilot with provisioning", auto(cluster={"node_auto_provisioning": NAP}), "by itself"),
    ("autopilot in a zone", auto(cluster={"location": "us-central1-b"}), "Autopilot clusters are regional"),
    ("autopilot without identity", auto(cluster={"workload_identity": False}), "always on in Autopilot"),
    ("autopilot too old", auto(cluster={"version": "1.35"}), "older than 1.36.2"),
    ("class without provisioning", top(compute_class=CLASS), "node auto-provisioning"),
    ("provisioning without class", cluster(node_auto_provisioning=NAP), "through a ComputeClass"),
    ("provisioning without limits", top(cluster={"node_auto_provisioning": True}, compute_class=CLASS), "needs limits"),
    (
        "provisioning too small",
        top(cluster={"node_auto_provisioning": {**NAP, "max_cpu": 64}}, compute_class=CLASS),
        "alone has 224 vCPUs",
    ),
    (
        "provisioning too little memory",
        top(cluster={"node_auto_provisioning": {**NAP, "max_memory_gb": 100}}, compute_class=CLASS),
        "GB of memory",
    ),
    # existing cluster, layout, backend
    ("existing with version", cluster(create=False, version="1.34"), "`cluster.create` is false"),
    ("existing with network", cluster(create=False, network={"network": "n"}), "`cluster.create` is false"),
    ("module with backend", top(layout="module", backend={"kind": "gcs", "bucket": "bucket"}), "has no backend"),
    ("gcs without bucket", top(backend={"kind": "gcs"}), "needs a bucket"),
    ("gcs with path", top(backend={"kind": "gcs", "bucket": "bucket", "path": "x"}), "belongs to `kind: local`"),
    ("none with bucket", top(backend={"kind": "none", "bucket": "bucket"}), "belongs to `kind: gcs`"),
    ("local with prefix", top(backend={"kind": "local", "prefix": "x"}), "belongs to `kind: gcs`"),
    # places
    ("location elsewhere", cluster(location="europe-west4"), "not in us-central1"),
    ("location zone elsewhere", cluster(location="europe-west4-a"), "not in us-central1"),
    (
        "node locations of a zonal cluster",
        cluster(location="us-central1-b", node_locations=["us-central1-a"]),
        "for regional clusters",
    ),
    (
        "node locations elsewhere",
        cluster(location="us-central1", node_locations=["us-east4-a"]),
        "not in the cluster's region",
    ),
    ("pool zone elsewhere", pool(zone="us-east4-b"), "the region of the cluster"),
    # version
    ("no version, no channel", cluster(version=None), "needs a release channel"),
    ("old part", cluster(version="1.33"), "older than 1.34.8"),
    ("old patch", cluster(version="1.34.7"), "older than 1.34.8"),
    ("old build", cluster(version="1.34.8-gke.999999"), "older than 1.34.8"),
    # machines
    ("unknown machine", pool(machine_type="a3-ultra-8g"), "not known to have"),
    ("upper case machine", pool(machine_type="A3-UltraGPU-8g"), "not known to have"),
    ("machine without SSD", pool(machine_type="a3-ultragpu-8g-nolssd"), "known, but not served"),
    ("machine with TCPX", pool(machine_type="a3-highgpu-8g"), "GPUDirect-TCPX"),
    ("machine of NVLink", pool(machine_type="a4x-highgpu-4g"), "not served"),
    ("class with such", auto(compute_class={**CLASS, "machine_type": "a3-megagpu-8g"}), "not served"),
    (
        "fallback with such",
        auto(compute_class={**CLASS, "fallbacks": [{"machine_type": "n1", "capacity": {"kind": "spot"}}]}),
        "not known",
    ),
    ("GPU in the default pool", cluster(default_pool={"machine_type": "a3-ultragpu-8g"}), "for CPU work"),
    # size
    ("no size", pool(node_count=GONE), "neither `node_count` nor `autoscaling`"),
    ("two sizes", pool(autoscaling=SCALED), "cannot stand together"),
    (
        "min above max",
        pool(node_count=GONE, autoscaling={"min_node_count": 5, "max_node_count": 4}),
        "above max_node_count",
    ),
    # names
    ("two pools of a name", two(name="pool"), "Two node pools"),
    ("pool named as GKE's", pool(name="default-pool"), "the CPU pool"),
    # capacity
    ("reservation without name", pool(capacity={"kind": "reservation"}), "needs its name"),
    ("sub-block without block", pool(capacity={**RESERVED, "sub_block": "s"}), "lies in a block"),
    ("spot with name", pool(capacity={"kind": "spot", "name": "r9"}), "belongs to a reservation"),
    ("none with project", pool(capacity={"kind": "none", "project": "other-project"}), "belongs to a reservation"),
    (
        "flex-start with block",
        pool(node_count=GONE, autoscaling=SCALED, capacity={"kind": "flex-start", "block": "b"}),
        "belongs to a reservation",
    ),
    ("flex-start with count", pool(capacity={"kind": "flex-start"}), "takes `autoscaling`"),
    (
        "flex-start for too long",
        pool(node_count=GONE, autoscaling=SCALED, capacity={"kind": "flex-start"}, max_run_duration="604801s"),
        "at most 7 days",
    ),
    ("no life", pool(capacity={"kind": "spot"}, max_run_duration="0s"), "0 seconds"),
    (
        "queued with reservation",
        pool(node_count=GONE, autoscaling=SCALED, capacity=RESERVED, queued_provisioning=True),
        "exclude each other",
    ),
    (
        "queued with spot",
        pool(node_count=GONE, autoscaling=SCALED, capacity={"kind": "spot"}, queued_provisioning=True),
        "exclude each other",
    ),
    ("queued with count", pool(queued_provisioning=True), "takes `autoscaling`"),
    (
        "queued above zero",
        pool(node_count=GONE, autoscaling={"min_node_count": 1, "max_node_count": 2}, queued_provisioning=True),
        "begins with 0",
    ),
    (
        "compact with queued",
        pool(node_count=GONE, autoscaling=SCALED, queued_provisioning=True, compact_placement=True),
        "exclude each other",
    ),
    ("compact with reservation", pool(capacity=RESERVED, compact_placement=True), "its own placement"),
    (
        "class reservation without name",
        auto(compute_class={**CLASS, "capacity": {"kind": "reservation"}}),
        "needs its name",
    ),
    # disk, labels, taints, upgrades
    ("persistent disk", pool(disk_type="pd-ssd"), "no Persistent Disk"),
    ("dranet label off", pool(labels={"cloud.google.com/gke-networking-dra-driver": "false"}), 'has to be "true"'),
    ("another profile label", pool(labels={"gke.networks.io/accelerator-network-profile": "none"}), 'has to be "auto"'),
    ("reserved label", pool(labels={"node.kubernetes.io/x": "y"}), "reserved"),
    ("reserved k8s label", pool(labels={"k8s.io/x": "y"}), "reserved"),
    ("taint twice", pool(taints=[{"key": "a", "value": "b", "effect": "NO_SCHEDULE"}] * 2), "Two taints"),
    ("no upgrades", pool(upgrade_settings={"max_surge": 0, "max_unavailable": 0}), "both 0"),
    ("too many upgrades", pool(upgrade_settings={"max_surge": 11, "max_unavailable": 10}), "GKE takes 20"),
    # networks
    ("networks on dranet", pool(networks={"gvnic_cidr": "192.168.64.0/18"}), "belongs to the multi-network route"),
    (
        "dranet label on multi",
        top(node_pools=[multi(labels={"cloud.google.com/gke-networking-dra-driver": "true"})]),
        "exclude each other",
    ),
    (
        "ranges and prefixes",
        top(node_pools=[multi({"gvnic_cidr": "192.168.64.0/18", "gvnic_prefix": "a", "rdma_prefix": "b"})]),
        "not both",
    ),
    ("one prefix", top(node_pools=[multi({"rdma_prefix": "b"})]), "needs `gvnic_prefix`"),
    ("same prefix", top(node_pools=[multi({"gvnic_prefix": "a", "rdma_prefix": "a"})]), "cannot be the same"),
    ("project without prefix", top(node_pools=[multi({"project": "host-project"})]), "no prefixes"),
    ("overlap", top(node_pools=[multi({"gvnic_cidr": "192.168.0.0/16"})]), "overlap"),
    (
        "overlap with the control plane",
        {
            **top(node_pools=[multi()]),
            "cluster": {"private": {"nodes": True, "master_ipv4_cidr_block": "192.168.128.0/28"}},
        },
        "overlaps the control plane",
    ),
    ("gVNIC range too small", top(node_pools=[multi({"gvnic_cidr": "192.168.64.0/30"})]), "too small"),
    ("RDMA range too small", top(node_pools=[multi({"rdma_cidr": "192.168.128.0/27"})]), "too small"),
    ("address, not range", top(node_pools=[multi({"rdma_cidr": "192.168.128.1/18"})]), "an address within"),
    ("no address", top(node_pools=[multi({"rdma_cidr": "192.168.300.0/18"})]), "no IPv4 range"),
    ("two zones", top(node_pools=[multi(), multi(name="other", zone="us-central1-a")]), "two zones"),
    (
        "different networks",
        top(node_pools=[multi(), multi({"rdma_cidr": "10.0.0.0/18"}, name="other")]),
        "share their networks",
    ),
    ("endpoint without nodes", private(endpoint=True), "needs private nodes"),
    ("control plane range without nodes", private(master_ipv4_cidr_block="172.16.0.0/28"), "with private nodes"),
    ("control plane range of another size", private(nodes=True, master_ipv4_cidr_block="172.16.0.0/24"), "a /28"),
    ("authorized nonsense", private(authorized_networks=[{"cidr_block": "10.0.0.0/33"}]), "no IPv4 range"),
    ("one range for both", network(pods_range_name="a", services_range_name="a"), "cannot share"),
    ("shared network without project", network(network=HOST, subnetwork="sub"), "named with its project"),
    ("shared network alone", network(network=HOST), "named with its project"),
    (
        "subnetwork of another host",
        network(network=HOST, subnetwork="projects/other-project/regions/us-central1/subnetworks/s"),
        "of project host-project",
    ),
    (
        "subnetwork elsewhere",
        network(network=HOST, subnetwork="projects/host-project/regions/us-east4/subnetworks/s"),
        "the cluster is in us-central1",
    ),
    # maintenance
    (
        "window backwards",
        cluster(maintenance={"window": {**WINDOW, "end_time": "2026-01-03T00:00:00Z"}}),
        "ends before it begins",
    ),
    (
        "no such day",
        cluster(maintenance={"window": {**WINDOW, "start_time": "2026-02-30T00:00:00Z"}}),
        "of the calendar",
    ),
    (
        "exclusion backwards",
        cluster(
            maintenance={
                "window": WINDOW,
                "exclusions": [{"name": "x", "start_time": "2026-02-02T00:00:00Z", "end_time": "2026-02-01T00:00:00Z"}],
            }
        ),
        "ends before it begins",
    ),
    (
        "exclusions of one name",
        cluster(
            maintenance={
                "window": WINDOW,
                "exclusions": [{"name": "x", "start_time": "2026-02-01T00:00:00Z", "end_time": "2026-02-02T00:00:00Z"}]
                * 2,
            }
        ),
        "Two exclusions",
    ),
    ("exclusions without window", cluster(maintenance={"exclusions": []}), "lacks the key `window`"),
    # workload
    ("more hosts than nodes", top(workload={"name": "w", "image": "i", "command": "c", "hosts": 3}), "wants 3 hosts"),
    (
        "workload named as the test",
        top(workload={"name": "nccl-test-host-1", "image": "i", "command": "c"}),
        "NCCL test has an object",
    ),
]


def errors(data: dict[str, Any]) -> list[Any]:
    with pytest.raises(UserErrors) as caught:
        parse(yaml.safe_dump(data, sort_keys=False), "rdma.yaml")
    return list(caught.value.errors)


@pytest.mark.parametrize(("data", "message"), [(d, m) for _, d, m in IMPOSSIBLE], ids=[n for n, _, _ in IMPOSSIBLE])
def test_what_cannot_be_is_caught(data: dict[str, Any], message: str) -> None:
    found = errors(data)
    assert any(message in e.message for e in found), [e.message for e in found]
    assert all(e.line and e.column and e.code == 2 for e in found)
    assert all(e.hint for e in found if message in e.message)


POSSIBLE: list[dict[str, Any]] = [
    BASE,
    AUTOPILOT,
    cluster(location="us-central1", node_locations=["us-central1-a", "us-central1-f"]),
    cluster(location="us-central1-a"),
    cluster(version=None, release_channel="RAPID"),
    cluster(version="1.34"),
    cluster(version="1.35.1"),
    cluster(version="1.34.10"),
    cluster(version="1.34.8-gke.1278000"),
    cluster(create=False, location="us-central1"),
    pool(
        node_count=GONE,
        autoscaling=SCALED,
        capacity={"kind": "flex-start"},
        queued_provisioning=True,
        max_run_duration="604800s",
    ),
    pool(labels={"cloud.google.com/gke-networking-dra-driver": "true", "team.example.com/x": "y"}),
    pool(capacity={**RESERVED, "project": "other-project", "block": "b", "sub_block": "s"}),
    pool(zone="us-central1-a"),
    two(zone="us-central1-a"),
    top(node_pools=[multi(), multi(name="other")]),
    top(node_pools=[multi(), multi({"rdma_cidr": "192.168.128.0/18"}, name="other")]),
    top(node_pools=[multi({"gvnic_prefix": "a", "rdma_prefix": "b", "project": "host-project"})]),
    top(node_pools=[multi(), {**POOL, "name": "other", "zone": "us-central1-a"}]),
    top(cluster={"node_auto_provisioning": NAP}, compute_class=CLASS, node_pools=GONE),
    top(cluster={"node_auto_provisioning": NAP}, compute_class=CLASS, node_pools=[]),
    top(workload={"name": "w", "image": "i", "command": "c", "hosts": 2}),
    auto(workload={"name": "w", "image": "i", "command": "c", "hosts": 40}),
    private(
        nodes=True,
        endpoint=True,
        master_ipv4_cidr_block="172.16.0.0/28",
        authorized_networks=[{"cidr_block": "10.0.0.0/8"}],
    ),
    network(network="n", subnetwork="s"),
    network(network=HOST, subnetwork="projects/host-project/regions/us-central1/subnetworks/s"),
    top(project="example.com:my-project"),
    top(zone="us-south1-ai1b"),
]


@pytest.mark.parametrize("data", POSSIBLE)
def test_what_can_be_is_let_through(data: dict[str, Any]) -> None:
    spec, _ = parse(yaml.safe_dump(data), "rdma.yaml")
    assert isinstance(spec, Spec)


def test_every_problem_comes_at_once() -> None:
    text = """\
version: 2
name: Train
projekt: my-project
zone: us-central1
cluster:
  version: 1.30
node_pools:
  - name: pool
    machine_type: a3-megagpu-8g
    node_count: "2"
    capacity: {kind: flexstart}
    disk_size_gb: 5
"""
    with pytest.raises(UserErrors) as caught:
        parse(text, "rdma.yaml")
    places = [(e.line, e.column) for e in caught.value.errors]
    assert places == [(1, 10), (2, 7), (3, 1), (4, 7), (6, 12), (9, 19), (10, 17), (11, 22), (12, 19)]
    assert all(e.path == "rdma.yaml" for e in caught.value.errors)


def test_a_misspelt_key_is_one_problem_and_names_the_right_one() -> None:
    for wrong, right in [
        ("nodePools", "node_pools"),
        ("node-pools", "node_pools"),
        ("node_pool", "node_pools"),
        ("projct", "project"),
    ]:
        data = {(wrong if k == right else k): v for k, v in BASE.items()}
        (error,) = errors(data)
        assert error.hint == f"Did you mean `{right}`?"


def test_a_key_in_the_wrong_place_is_sent_to_the_right_one() -> None:
    (error,) = errors(top(deletion_protection=False))
    assert error.hint == "`deletion_protection` belongs in `cluster`."


def test_defaults() -> None:
    spec, _ = parse(yaml.safe_dump(BASE), "rdma.yaml")
    assert (spec.cluster.location, spec.cluster.version, spec.cluster.deletion_protection) == (
        "us-central1-b",
        "1.34",
        True,
    )
    assert (spec.mode, spec.layout, spec.backend.kind, spec.cluster.workload_identity) == (
        "standard",
        "root",
        "none",
        True,
    )
    assert spec.cluster.default_pool.node_count == 1
    assert (spec.node_pools[0].zone, spec.node_pools[0].networking, spec.node_pools[0].upgrade_settings) == (
        "us-central1-b",
        "dranet",
        None,
    )
    auto_spec, _ = parse(yaml.safe_dump(AUTOPILOT), "rdma.yaml")
    assert (auto_spec.cluster.location, auto_spec.cluster.version) == ("us-central1", "1.36")
    reserved, _ = parse(yaml.safe_dump(pool(capacity=RESERVED)), "rdma.yaml")
    settings = reserved.node_pools[0].upgrade_settings
    assert settings is not None and (settings.max_surge, settings.max_unavailable) == (0, 1)


def test_a_key_without_a_value_is_left_out() -> None:
    for text in ("cluster:\n", "cluster: {version: }\n"):
        bare = yaml.safe_dump(BASE) + text
        if "version" in text:
            with pytest.raises(UserErrors, match="needs a release channel"):
                parse(bare, "rdma.yaml")
        else:
            assert parse(bare, "rdma.yaml")[0] == parse(yaml.safe_dump(BASE), "rdma.yaml")[0]
    nulls = pool(disk_type=None, labels=None, autoscaling=None, gpu_driver=None)
    assert parse(yaml.safe_dump(nulls), "rdma.yaml")[0] == parse(yaml.safe_dump(BASE), "rdma.yaml")[0]
    (error,) = errors(top(zone=None))
    assert "`zone` has to be text, but `null` is null" in error.message


def test_every_served_machine_type_is_taken() -> None:
    for machine in machines.served():
        parse(yaml.safe_dump(pool(machine_type=machine.name)), "rdma.yaml")


def test_the_reference_page_is_current() -> None:
    from pathlib import Path

    from generator.spec.page import page

    kept = (Path(__file__).parents[2] / "docs/spec.md").read_text(encoding="utf-8")
    assert kept == page(), "run tests/generate/regenerate.py"
    for key in (
        "node_pools[].capacity.sub_block",
        "cluster.private.dns_endpoint",
        "compute_class.fallbacks[].capacity.kind",
    ):
        assert f"| `{key}` |" in kept
