"""What replaces what: a configuration, the same with one change, and what the provider plans for it, over the protocol.

The rows are those that were measured with hashicorp/google itself.
"""

import copy

import pytest
from rehearsal_stage import CLUSTER_CONFIG, POOL_CONFIG, Protocol

from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.terraform.planned import dotted

REPLACE, UPDATE, NOTHING = "replace", "update", "nothing"
SSD = "ephemeral_storage_local_ssd_config"
NVME = "local_nvme_ssd_block_config"
DRIVER = "gpu_driver_installation_config"
PROFILE = "network_config[0].accelerator_network_profile"
NETWORKS = "network_config[0].additional_node_network_configs"


def changed(base, arguments):
    config = copy.deepcopy(base)
    for name, value in arguments.items():
        config.pop(name, None)
        if value is not None:
            config[name] = value
    return config


def pool(**arguments):
    """The pool with other arguments; None takes one away."""
    return changed(POOL_CONFIG, arguments)


def node(**arguments):
    """The pool with other arguments in `node_config`."""
    return pool(node_config=[changed(POOL_CONFIG["node_config"][0], arguments)])


def gpu(**arguments):
    return node(guest_accelerator=[{"type": "nvidia-h200-141gb", "count": 8} | arguments])


def driver(version):
    return gpu(**{DRIVER: [{"gpu_driver_version": version}]})


def networks(*names, profile=None, ending=""):
    rows = [{"network": f"{name}-net{ending}", "subnetwork": f"{name}-sub{ending}"} for name in names]
    return pool(network_config=[{"accelerator_network_profile": profile, "additional_node_network_configs": rows}])


def reserved(*values, kind="SPECIFIC_RESERVATION"):
    row = {"consume_reservation_type": kind}
    if values:
        row |= {"key": "compute.googleapis.com/reservation-name", "values": list(values)}
    return node(reservation_affinity=[row])


def autoscaled(**arguments):
    return pool(node_count=None, autoscaling=[arguments])


def cluster(**arguments):
    return changed(CLUSTER_CONFIG, arguments)


def inline(*rows):
    return cluster(initial_node_count=None, node_pool=[{"initial_node_count": 1, **row} for row in rows])


TAINT = [{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}]
LABELS = POOL_CONFIG["node_config"][0]["labels"]
NO_RESERVATION = reserved(kind="NO_RESERVATION")

# What it is about: (before, after, what is planned, a path that replaces).
POOLS = {
    "accelerator type": (gpu(), gpu(type="nvidia-b200"), REPLACE, "node_config[0].guest_accelerator[0].type"),
    "accelerator count": (gpu(), gpu(count=4), REPLACE, "node_config[0].guest_accelerator[0].count"),
    "accelerator removed": (gpu(), node(guest_accelerator=None), NOTHING, None),
    "driver added": (
        gpu(),
        driver("LATEST"),
        REPLACE,
        f"node_config[0].guest_accelerator[0].{DRIVER}[0].gpu_driver_version",
    ),
    "driver changed": (
        driver("DEFAULT"),
        driver("LATEST"),
        REPLACE,
        f"node_config[0].guest_accelerator[0].{DRIVER}[0].gpu_driver_version",
    ),
    "driver removed": (driver("LATEST"), gpu(), NOTHING, None),
    "SSD count": (
        pool(),
        node(**{SSD: [{"local_ssd_count": 16}]}),
        REPLACE,
        f"node_config[0].{SSD}[0].local_ssd_count",
    ),
    "SSD cache": (
        pool(),
        node(**{SSD: [{"local_ssd_count": 32, "data_cache_count": 4}]}),
        REPLACE,
        f"node_config[0].{SSD}[0].data_cache_count",
    ),
    "SSD cache of 0 not written": (pool(), node(**{SSD: [{"local_ssd_count": 32}]}), NOTHING, None),
    "SSD removed": (pool(), node(**{SSD: None}), REPLACE, f"node_config[0].{SSD}"),
    "SSD raw": (pool(), node(**{SSD: None, NVME: [{"local_ssd_count": 32}]}), REPLACE, f"node_config[0].{NVME}"),
    "reservation added": (pool(), reserved("r"), REPLACE, "node_config[0].reservation_affinity"),
    "reservation removed": (reserved("r"), pool(), REPLACE, "node_config[0].reservation_affinity"),
    "reservation value": (reserved("r"), reserved("s"), REPLACE, "node_config[0].reservation_affinity[0].values"),
    "reservation type": (
        reserved("r"),
        reserved("r", kind="ANY_RESERVATION"),
        REPLACE,
        "node_config[0].reservation_affinity[0].consume_reservation_type",
    ),
    "no reservation added": (pool(), NO_RESERVATION, REPLACE, "node_config[0].reservation_affinity"),
    "no reservation removed": (NO_RESERVATION, pool(), REPLACE, "node_config[0].reservation_affinity"),
    "spot on": (pool(), node(spot=True), REPLACE, "node_config[0].spot"),
    "spot off": (node(spot=True), node(spot=False), REPLACE, "node_config[0].spot"),
    "spot removed": (node(spot=True), pool(), REPLACE, "node_config[0].spot"),
    "spot = false": (pool(), node(spot=False), NOTHING, None),
    "flex-start on": (pool(), node(flex_start=True), REPLACE, "node_config[0].flex_start"),
    "flex-start off": (node(flex_start=True), pool(), REPLACE, "node_config[0].flex_start"),
    "max run duration": (node(max_run_duration="3600s"), pool(), REPLACE, "node_config[0].max_run_duration"),
    "placement added": (pool(), pool(placement_policy=[{"type": "COMPACT"}]), REPLACE, "placement_policy"),
    "placement removed": (pool(placement_policy=[{"type": "COMPACT"}]), pool(), REPLACE, "placement_policy"),
    "placement name": (
        pool(placement_policy=[{"type": "COMPACT", "policy_name": "a"}]),
        pool(placement_policy=[{"type": "COMPACT", "policy_name": "b"}]),
        REPLACE,
        "placement_policy[0].policy_name",
    ),
    "queued provisioning": (pool(), pool(queued_provisioning=[{"enabled": True}]), REPLACE, "queued_provisioning"),
    "profile changed": (pool(), pool(network_config=[{"accelerator_network_profile": "other"}]), REPLACE, PROFILE),
    "profile removed": (pool(), pool(network_config=[{}]), REPLACE, PROFILE),
    "profile's block removed": (pool(), pool(network_config=None), NOTHING, None),
    "networks' block removed": (networks("a", "b"), pool(network_config=None), REPLACE, NETWORKS),
    "profile to networks": (pool(), networks("a", "b"), REPLACE, NETWORKS),
    "networks to profile": (networks("a", "b"), pool(), REPLACE, PROFILE),
    "networks beside the profile": (pool(), networks("a", profile="auto"), REPLACE, NETWORKS),
    "a network more": (networks("a", "b"), networks("a", "b", "c"), REPLACE, NETWORKS),
    "a network fewer": (networks("a", "b"), networks("a"), REPLACE, NETWORKS),
    "network by id": (
        networks("a"),
        networks("a", ending="/full/id"),
        REPLACE,
        "network_config[0].additional_node_network_configs[0].network",
    ),
    "pod range": (
        pool(),
        pool(network_config=[{"accelerator_network_profile": "auto", "create_pod_range": True}]),
        REPLACE,
        "network_config[0].create_pod_range",
    ),
    "pods per node": (pool(), pool(max_pods_per_node=64), REPLACE, "max_pods_per_node"),
    "metadata": (pool(), node(metadata={"a": "b"}), REPLACE, "node_config[0].metadata"),
    "service account": (pool(), node(service_account="a@b.c"), REPLACE, "node_config[0].service_account"),
    "scopes": (pool(), node(oauth_scopes=["x"]), REPLACE, "node_config[0].oauth_scopes"),
    "secure boot": (
        pool(),
        node(shielded_instance_config=[{"enable_secure_boot": True}]),
        REPLACE,
        "node_config[0].shielded_instance_config[0].enable_secure_boot",
    ),
    "initial node count": (pool(), pool(node_count=None, initial_node_count=4), REPLACE, "initial_node_count"),
    "name": (pool(), pool(name="other"), REPLACE, "name"),
    "location": (pool(), pool(location="us-central1-c"), REPLACE, "location"),
    "cluster by id": (
        pool(),
        pool(cluster="projects/my-project/locations/us-central1-b/clusters/gpu"),
        REPLACE,
        "cluster",
    ),
    "machine type": (pool(), node(machine_type="a4-highgpu-8g"), UPDATE, None),
    "disk type": (pool(), node(disk_type="pd-ssd"), UPDATE, None),
    "disk size": (pool(), node(disk_size_gb=200), UPDATE, None),
    "boot disk": (pool(), node(boot_disk=[{"size_gb": 300}]), UPDATE, None),
    "disk type removed": (node(disk_type="pd-ssd"), pool(), NOTHING, None),
    "image type removed": (node(image_type="UBUNTU_CONTAINERD"), pool(), NOTHING, None),
    "service account removed": (node(service_account="a@b.c"), pool(), NOTHING, None),
    "metadata removed": (node(metadata={"a": "b"}), pool(), NOTHING, None),
    "scopes removed": (node(oauth_scopes=["x"]), pool(), NOTHING, None),
    "version removed": (pool(version="1.34.8-gke.1278000"), pool(), NOTHING, None),
    "pods per node removed": (pool(max_pods_per_node=64), pool(), NOTHING, None),
    "management removed": (pool(management=[{"auto_repair": False}]), pool(), NOTHING, None),
    "upgrade settings removed": (pool(upgrade_settings=[{"max_surge": 2}]), pool(), NOTHING, None),
    "zones removed": (pool(node_locations=["us-central1-c"]), pool(), NOTHING, None),
    "image type": (pool(), node(image_type="UBUNTU_CONTAINERD"), UPDATE, None),
    "image type in other case": (pool(), node(image_type="cos_containerd"), NOTHING, None),
    "gVNIC": (pool(), node(gvnic=[{"enabled": True}]), UPDATE, None),
    "tags": (pool(), node(tags=["a"]), UPDATE, None),
    "taint added": (pool(), node(taint=TAINT), UPDATE, None),
    "taint removed": (node(taint=TAINT), pool(), UPDATE, None),
    "resource labels": (pool(), node(resource_labels={"a": "b"}), UPDATE, None),
    "workload metadata": (pool(), node(workload_metadata_config=[{"mode": "GKE_METADATA"}]), UPDATE, None),
    "label added": (pool(), node(labels=LABELS | {"a": "b"}), UPDATE, None),
    "label changed": (pool(), node(labels=dict.fromkeys(LABELS, "x")), UPDATE, None),
    "label removed": (pool(), node(labels=dict(list(LABELS.items())[:1])), UPDATE, None),
    "labels = {}": (pool(), node(labels={}), UPDATE, None),
    "labels removed": (pool(), node(labels=None), NOTHING, None),
    "node count": (pool(), pool(node_count=5), UPDATE, None),
    "node count removed": (pool(), pool(node_count=None), NOTHING, None),
    "initial node count as it is": (pool(), pool(node_count=None, initial_node_count=3), NOTHING, None),
    "timeouts": (pool(), pool(timeouts={"create": "2h"}), NOTHING, None),
    "autoscaling added": (pool(), pool(autoscaling=[{"min_node_count": 1, "max_node_count": 4}]), UPDATE, None),
    "autoscaling removed": (autoscaled(min_node_count=1, max_node_count=4), pool(node_count=None), UPDATE, None),
    "autoscaling limits": (
        autoscaled(min_node_count=1, max_node_count=4),
        autoscaled(min_node_count=1, max_node_count=5),
        UPDATE,
        None,
    ),
    "autoscaling to totals": (
        autoscaled(min_node_count=1, max_node_count=4),
        autoscaled(total_min_node_count=1, total_max_node_count=4),
        UPDATE,
        None,
    ),
    "location policy": (
        autoscaled(min_node_count=1, max_node_count=4),
        autoscaled(min_node_count=1, max_node_count=4, location_policy="ANY"),
        UPDATE,
        None,
    ),
    "version": (pool(), pool(version="1.34.9-gke.1000000"), UPDATE, None),
    "zones": (pool(), pool(node_locations=["us-central1-c"]), UPDATE, None),
    "private nodes": (
        pool(),
        pool(network_config=[{"accelerator_network_profile": "auto", "enable_private_nodes": True}]),
        UPDATE,
        None,
    ),
    "upgrade settings": (pool(), pool(upgrade_settings=[{"max_surge": 2}]), UPDATE, None),
    "management": (pool(), pool(management=[{"auto_repair": False}]), UPDATE, None),
    "strategy added": (node(gpudirect_strategy=None), pool(), UPDATE, None),
    "strategy changed": (pool(), node(gpudirect_strategy="TCPX"), UPDATE, None),
    "strategy removed": (pool(), node(gpudirect_strategy=None), NOTHING, None),
    "strategy in other case": (pool(), node(gpudirect_strategy="Rdma"), NOTHING, None),
}

POLICY = "ip_allocation_policy"
WORKLOADS = cluster(workload_identity_config=[{"workload_pool": "p.svc.id.goog"}])
SMALL = {"machine_type": "e2-standard-4"}
CLUSTERS = {
    "datapath changed": (cluster(), cluster(datapath_provider="LEGACY_DATAPATH"), REPLACE, "datapath_provider"),
    "datapath removed": (cluster(), cluster(datapath_provider=None), NOTHING, None),
    "channel removed": (cluster(release_channel=[{"channel": "RAPID"}]), cluster(), NOTHING, None),
    "workload identity removed": (WORKLOADS, cluster(), NOTHING, None),
    "workload identity added": (cluster(), WORKLOADS, UPDATE, None),
    "network": (cluster(), cluster(network="other"), REPLACE, "network"),
    "network = default": (cluster(), cluster(network="default"), NOTHING, None),
    "subnetwork": (cluster(), cluster(subnetwork="other"), REPLACE, "subnetwork"),
    "region": (cluster(), cluster(location="us-central1"), REPLACE, "location"),
    "zone": (cluster(), cluster(location="us-central1-c"), REPLACE, "location"),
    "name": (cluster(), cluster(name="other"), REPLACE, "name"),
    "empty allocation policy": (cluster(), cluster(**{POLICY: [{}]}), NOTHING, None),
    "pod range": (
        cluster(),
        cluster(**{POLICY: [{"cluster_ipv4_cidr_block": "10.0.0.0/16"}]}),
        REPLACE,
        f"{POLICY}[0].cluster_ipv4_cidr_block",
    ),
    "autopilot": (cluster(), cluster(enable_autopilot=True), REPLACE, "enable_autopilot"),
    "multi-networking on": (cluster(), cluster(enable_multi_networking=True), UPDATE, None),
    "multi-networking off": (cluster(enable_multi_networking=True), cluster(), UPDATE, None),
    "initial node count": (cluster(), cluster(initial_node_count=4), REPLACE, "initial_node_count"),
    "networking mode": (cluster(), cluster(networking_mode="ROUTES"), REPLACE, "networking_mode"),
    "pods per node": (cluster(), cluster(default_max_pods_per_node=64), REPLACE, "default_max_pods_per_node"),
    "newer version": (cluster(), cluster(min_master_version="1.34.9-gke.1000000"), UPDATE, None),
    "older version": (cluster(), cluster(min_master_version="1.33.1-gke.1000000"), UPDATE, None),
    "version removed": (cluster(), cluster(min_master_version=None), UPDATE, None),
    "control plane range": (
        cluster(),
        cluster(private_cluster_config=[{"enable_private_nodes": True, "master_ipv4_cidr_block": "172.16.0.0/28"}]),
        REPLACE,
        "private_cluster_config[0].master_ipv4_cidr_block",
    ),
    "private nodes": (cluster(), cluster(private_cluster_config=[{"enable_private_nodes": True}]), UPDATE, None),
    "channel": (cluster(), cluster(release_channel=[{"channel": "RAPID"}]), UPDATE, None),
    "zones": (cluster(), cluster(node_locations=["us-central1-c"]), UPDATE, None),
    "network policy": (
        cluster(datapath_provider=None),
        cluster(datapath_provider=None, network_policy=[{"enabled": True}]),
        UPDATE,
        None,
    ),
    "resource labels": (cluster(), cluster(resource_labels={"a": "b"}), UPDATE, None),
    "protection": (cluster(), cluster(deletion_protection=True), UPDATE, None),
    "protection removed": (cluster(), cluster(deletion_protection=None), UPDATE, None),
    "default pool's machine type": (
        cluster(node_config=[SMALL]),
        cluster(node_config=[{"machine_type": "e2-standard-8"}]),
        UPDATE,
        None,
    ),
    "inline pool's spot": (
        inline({"name": "a"}, {"name": "b", "node_config": [SMALL]}),
        inline({"name": "a"}, {"name": "b", "node_config": [SMALL | {"spot": True}]}),
        REPLACE,
        "node_pool[1].node_config[0].spot",
    ),
    "inline pools in another order": (
        inline({"name": "a"}, {"name": "b"}),
        inline({"name": "b"}, {"name": "a"}),
        REPLACE,
        "node_pool[0].name",
    ),
    "an inline pool in the middle": (
        inline({"name": "a"}, {"name": "c"}),
        inline({"name": "a"}, {"name": "b"}, {"name": "c"}),
        REPLACE,
        "node_pool",
    ),
    "inline pool's node count": (
        cluster(initial_node_count=None, node_pool=[{"name": "a", "node_count": 1}]),
        cluster(initial_node_count=None, node_pool=[{"name": "a", "node_count": 2}]),
        UPDATE,
        None,
    ),
    "inline pool's strategy": (
        inline({"name": "a", "node_config": [SMALL]}),
        inline({"name": "a", "node_config": [SMALL | {"gpudirect_strategy": "RDMA"}]}),
        UPDATE,
        None,
    ),
}


@pytest.fixture(scope="module")
def made():
    """The state that a configuration leads to; each is made once."""
    states = {}

    def make(type_, config):
        key = (type_, repr(config))
        if key not in states:
            protocol = Protocol()
            if type_ == NODE_POOL:
                protocol.create(CLUSTER, CLUSTER_CONFIG)
            state, said = protocol.create(type_, config)
            assert said == []
            states[key] = protocol, state
        return states[key]

    return make


def judge(protocol, type_, state, config):
    planned, paths, said = protocol.plan(type_, state, config)
    assert said == []
    # `timeouts` are no part of the resource.
    same = planned | {"timeouts": None} == state | {"timeouts": None}
    return REPLACE if paths else NOTHING if same else UPDATE, [dotted(path) for path in paths]


CASES = [(NODE_POOL, name, row) for name, row in POOLS.items()] + [
    (CLUSTER, name, row) for name, row in CLUSTERS.items()
]


@pytest.mark.parametrize(
    ("type_", "row"), [(t, row) for t, _, row in CASES], ids=[f"{t[17:]}-{n}" for t, n, _ in CASES]
)
def test_a_change(made, type_, row):
    before, after, expected, path = row
    protocol, state = made(type_, before)
    assert judge(protocol, type_, state, before)[0] == NOTHING
    word, paths = judge(protocol, type_, state, after)
    assert (word, path is None or path in paths) == (expected, True), paths


def test_drift_comes_back_or_replaces_or_counts_for_nothing(made):
    protocol, state = made(NODE_POOL, pool())
    node = state["node_config"][0]
    gone = node | {"gpudirect_strategy": ""}
    for drifted, expected in (
        ({"node_count": 7}, UPDATE),
        ({"node_config": [node | {"labels": LABELS | {"x": "y"}}]}, UPDATE),
        ({"node_config": [node | {"machine_type": "e2-medium"}]}, UPDATE),
        ({"node_config": [gone]}, UPDATE),
        ({"node_config": [node | {"spot": True}]}, REPLACE),
        ({"version": "1.35.1-gke.1"}, NOTHING),
    ):
        assert judge(protocol, NODE_POOL, state | drifted, pool())[0] == expected, drifted
