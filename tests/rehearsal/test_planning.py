"""Which change of a node pool or a cluster is ignored, made in place, or replaces it."""

import copy

import pytest
from rehearsal_stage import CLUSTER_CONFIG, POOL_CONFIG, Stage

from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.rehearsal.wire import UNKNOWN
from generator.terraform.planned import dotted

NODE = "node_config[0]"
NETWORK = "network_config[0]"


def node(**arguments):
    """The pool with other arguments in `node_config`; None takes one away."""
    config = copy.deepcopy(POOL_CONFIG)
    for name, value in arguments.items():
        config["node_config"][0].pop(name, None)
        if value is not None:
            config["node_config"][0][name] = value
    return config


def pool(**arguments):
    config = copy.deepcopy(POOL_CONFIG)
    for name, value in arguments.items():
        config.pop(name, None)
        if value is not None:
            config[name] = value
    return config


def accelerator(**arguments):
    return node(guest_accelerator=[{"type": "nvidia-h200-141gb", "count": 8} | arguments])


def manual(*rows):
    return [{"network": n, "subnetwork": s} for n, s in rows]


REPLACED = [
    (accelerator(type="nvidia-b200"), f"{NODE}.guest_accelerator[0].type"),
    (accelerator(count=4), f"{NODE}.guest_accelerator[0].count"),
    (
        accelerator(gpu_driver_installation_config=[{"gpu_driver_version": "DEFAULT"}]),
        f"{NODE}.guest_accelerator[0].gpu_driver_installation_config[0].gpu_driver_version",
    ),
    (
        node(ephemeral_storage_local_ssd_config=[{"local_ssd_count": 16}]),
        f"{NODE}.ephemeral_storage_local_ssd_config[0].local_ssd_count",
    ),
    (
        node(ephemeral_storage_local_ssd_config=[{"local_ssd_count": 32, "data_cache_count": 4}]),
        f"{NODE}.ephemeral_storage_local_ssd_config[0].data_cache_count",
    ),
    (node(ephemeral_storage_local_ssd_config=None), f"{NODE}.ephemeral_storage_local_ssd_config"),
    (
        node(ephemeral_storage_local_ssd_config=None, local_nvme_ssd_block_config=[{"local_ssd_count": 32}]),
        f"{NODE}.local_nvme_ssd_block_config",
    ),
    (
        node(reservation_affinity=[{"consume_reservation_type": "NO_RESERVATION"}]),
        f"{NODE}.reservation_affinity",
    ),
    (node(spot=True), f"{NODE}.spot"),
    (node(flex_start=True), f"{NODE}.flex_start"),
    (node(max_run_duration="3600s"), f"{NODE}.max_run_duration"),
    (node(metadata={"a": "b"}), f"{NODE}.metadata"),
    (node(service_account="a@b.iam.gserviceaccount.com"), f"{NODE}.service_account"),
    (node(oauth_scopes=["https://www.googleapis.com/auth/cloud-platform"]), f"{NODE}.oauth_scopes"),
    (
        node(shielded_instance_config=[{"enable_secure_boot": True}]),
        f"{NODE}.shielded_instance_config[0].enable_secure_boot",
    ),
    (pool(placement_policy=[{"type": "COMPACT", "policy_name": "p"}]), "placement_policy"),
    (pool(queued_provisioning=[{"enabled": True}]), "queued_provisioning"),
    (pool(max_pods_per_node=64), "max_pods_per_node"),
    (pool(node_count=None, initial_node_count=4), "initial_node_count"),
    (pool(name="other"), "name"),
    (pool(location="us-central1-c"), "location"),
    (pool(cluster="projects/my-project/locations/us-central1-b/clusters/gpu"), "cluster"),
    (pool(cluster=UNKNOWN), "cluster"),
    (pool(network_config=[{"accelerator_network_profile": "other"}]), f"{NETWORK}.accelerator_network_profile"),
    (pool(network_config=[{}]), f"{NETWORK}.accelerator_network_profile"),
    (pool(network_config=[{}]), f"{NETWORK}.additional_node_network_configs"),
    (
        pool(network_config=[{"additional_node_network_configs": manual(("a", "b"))}]),
        f"{NETWORK}.additional_node_network_configs",
    ),
    (
        pool(network_config=[{"accelerator_network_profile": "auto", "create_pod_range": True}]),
        f"{NETWORK}.create_pod_range",
    ),
]


@pytest.mark.parametrize(("config", "path"), REPLACED, ids=[f"{n}-{path}" for n, (_, path) in enumerate(REPLACED)])
def test_changes_that_replace_a_pool_name_their_path(made_pool, config, path):
    stage, _, prior = made_pool
    change = stage.plan(NODE_POOL, prior, config)
    assert change.differs
    assert path in [dotted(p) for p in change.replace]


UPDATED = [
    node(machine_type="a4-highgpu-8g"),
    node(disk_type="pd-ssd"),
    node(disk_size_gb=200),
    node(boot_disk=[{"size_gb": 300}]),
    node(image_type="UBUNTU_CONTAINERD"),
    node(gvnic=[{"enabled": True}]),
    node(tags=["a"]),
    node(taint=[{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}]),
    node(resource_labels={"a": "b"}),
    node(workload_metadata_config=[{"mode": "GKE_METADATA"}]),
    node(labels={"cloud.google.com/gke-networking-dra-driver": "true"}),
    node(labels={}),
    pool(node_count=5),
    pool(autoscaling=[{"min_node_count": 1, "max_node_count": 4}]),
    pool(version="1.34.9-gke.1000000"),
    pool(version=UNKNOWN),
    pool(node_locations=["us-central1-c"]),
    pool(upgrade_settings=[{"max_surge": 2}]),
    pool(management=[{"auto_repair": False}]),
    pool(network_config=[{"accelerator_network_profile": "auto", "enable_private_nodes": True}]),
    node(gpudirect_strategy="TCPX"),
]


@pytest.mark.parametrize("config", UPDATED, ids=range(len(UPDATED)))
def test_changes_of_a_pool_in_place(made_pool, config):
    stage, _, prior = made_pool
    change = stage.plan(NODE_POOL, prior, config)
    assert change.differs
    assert change.replace == []


UNCHANGED = [
    pool(),
    node(guest_accelerator=None),
    node(ephemeral_storage_local_ssd_config=[{"local_ssd_count": 32}]),
    node(spot=False),
    node(labels=None),
    node(gpudirect_strategy=None),
    node(gpudirect_strategy=""),
    node(gpudirect_strategy="rdma"),
    node(image_type="cos_containerd"),
    pool(network_config=None),
    pool(node_count=None),
    pool(node_count=None, initial_node_count=3),
    pool(timeouts={"create": "2h"}),
    node(guest_accelerator=[{"type": "nvidia-h200-141gb", "count": 8, "gpu_driver_installation_config": []}]),
]


@pytest.mark.parametrize("config", UNCHANGED, ids=range(len(UNCHANGED)))
def test_what_the_provider_holds_equal_leaves_the_state_as_it_is(made_pool, config):
    stage, _, prior = made_pool
    change = stage.plan(NODE_POOL, prior, config)
    assert not change.differs
    assert change.replace == []
    assert change.value == prior


def cluster(**arguments):
    config = dict(CLUSTER_CONFIG)
    for name, value in arguments.items():
        config.pop(name, None)
        if value is not None:
            config[name] = value
    return config


@pytest.mark.parametrize(
    ("config", "path"),
    [
        (cluster(datapath_provider="LEGACY_DATAPATH"), "datapath_provider"),
        (cluster(network="other"), "network"),
        (cluster(subnetwork="other"), "subnetwork"),
        (cluster(location="us-central1"), "location"),
        (cluster(name="other"), "name"),
        (cluster(enable_autopilot=True), "enable_autopilot"),
        (cluster(initial_node_count=4), "initial_node_count"),
        (cluster(networking_mode="ROUTES"), "networking_mode"),
        (cluster(default_max_pods_per_node=64), "default_max_pods_per_node"),
        (
            cluster(ip_allocation_policy=[{"cluster_ipv4_cidr_block": "10.0.0.0/16"}]),
            "ip_allocation_policy[0].cluster_ipv4_cidr_block",
        ),
        (
            cluster(private_cluster_config=[{"enable_private_nodes": True, "master_ipv4_cidr_block": "172.16.0.0/28"}]),
            "private_cluster_config[0].master_ipv4_cidr_block",
        ),
        (cluster(node_pool=[{"name": "cpu"}, {"name": "other"}]), "node_pool"),
    ],
)
def test_changes_that_replace_a_cluster(made_pool, config, path):
    stage, prior, _ = made_pool
    assert path in [dotted(p) for p in stage.plan(CLUSTER, prior, config).replace] or path == "node_pool"
    assert stage.plan(CLUSTER, prior, config).replace


def test_a_row_that_is_new_counts_what_the_provider_will_fill_in():
    stage = Stage()
    row = {"name": "cpu", "initial_node_count": 1, "node_config": [{"spot": False}]}
    prior = stage.create(CLUSTER, cluster(initial_node_count=None, node_pool=[row]))
    change = stage.plan(CLUSTER, prior, cluster(initial_node_count=None, node_pool=[row | {"name": "first"}, row]))
    assert {dotted(p) for p in change.replace} >= {
        "node_pool",
        "node_pool[0].name",
        "node_pool[1].node_config[0].spot",
        "node_pool[1].node_config[0].preemptible",
        "node_pool[1].node_config[0].metadata",
        "node_pool[1].node_config[0].guest_accelerator",
    }


@pytest.mark.parametrize(
    "config",
    [
        cluster(enable_multi_networking=True),
        cluster(min_master_version="1.34.9-gke.1000000"),
        cluster(min_master_version="1.33.1-gke.1000000"),
        cluster(min_master_version=None),
        cluster(private_cluster_config=[{"enable_private_nodes": True}]),
        cluster(workload_identity_config=[{"workload_pool": "my-project.svc.id.goog"}]),
        cluster(release_channel=[{"channel": "RAPID"}]),
        cluster(node_locations=["us-central1-c"]),
        cluster(network_policy=[{"enabled": True}]),
        cluster(resource_labels={"a": "b"}),
        cluster(deletion_protection=True),
        cluster(deletion_protection=None),
        cluster(node_config=[{"machine_type": "e2-standard-8"}]),
    ],
)
def test_changes_of_a_cluster_in_place(made_pool, config):
    stage, prior, _ = made_pool
    change = stage.plan(CLUSTER, prior, config)
    assert change.differs
    assert change.replace == []


@pytest.mark.parametrize(
    "config",
    [
        cluster(),
        cluster(datapath_provider=None),
        cluster(network="default"),
        cluster(network="projects/my-project/global/networks/default"),
        cluster(ip_allocation_policy=[{}]),
        cluster(ip_allocation_policy=[{"cluster_ipv4_cidr_block": "/14"}]),
        cluster(timeouts={"create": "1h"}),
    ],
)
def test_a_cluster_that_stays_as_it_is(made_pool, config):
    stage, prior, _ = made_pool
    change = stage.plan(CLUSTER, prior, config)
    assert (change.differs, change.replace) == (False, [])
