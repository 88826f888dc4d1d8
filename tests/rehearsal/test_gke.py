"""What GKE adds, refuses and keeps, in the stand-in cloud."""

import copy

import pytest
from rehearsal_stage import CLUSTER_CONFIG, POOL_CONFIG, Stage

from generator.rehearsal.behaviour import Refusal
from generator.rehearsal.names import CLUSTER, NODE_POOL


def with_node(**arguments):
    config = copy.deepcopy(POOL_CONFIG)
    config["node_config"][0] |= arguments
    return config


def test_a_pool_gets_its_networks_taint_and_computed_values(made_pool):
    _, cluster, pool = made_pool
    node = pool["node_config"][0]
    networks = pool["network_config"][0]["additional_node_network_configs"]
    assert len(networks) == 9
    assert networks[0] == {"network": "gke-gpu-anp-gvnic", "subnetwork": "gke-gpu-anp-gvnic-sub"}
    assert node["effective_taints"] == [{"key": "nvidia.com/gpu", "value": "present", "effect": "NO_SCHEDULE"}]
    assert node["disk_type"] == node["boot_disk"][0]["disk_type"] == "hyperdisk-balanced"
    assert pool["id"] == "projects/my-project/locations/us-central1-b/clusters/gpu/nodePools/rdma-pool"
    assert pool["version"] == cluster["master_version"] == "1.34.8-gke.1278000"
    assert pool["node_locations"] == ["us-central1-b"]
    assert cluster["endpoint"] and cluster["master_auth"][0]["cluster_ca_certificate"]
    assert cluster["network"] == "projects/my-project/global/networks/default"
    assert [p["name"] for p in cluster["node_pool"]] == ["default-pool", "rdma-pool"]


def test_labels_without_the_profile_come_back_with_it(stage):
    config = with_node(labels={"a": "b"})
    pool = stage.create(NODE_POOL, config)
    assert pool["node_config"][0]["labels"] == {"a": "b", "gke.networks.io/accelerator-network-profile": "auto"}
    assert stage.plan(NODE_POOL, pool, config).differs
    again = stage.update(NODE_POOL, pool, config)
    assert stage.plan(NODE_POOL, again, config).differs


@pytest.mark.parametrize("strategy", ["RDMA", "TCPX"])
def test_gpudirect_strategy_is_planned_for_ever_and_never_sent(stage, strategy):
    config = with_node()
    del config["node_config"][0]["gpudirect_strategy"]
    pool = stage.create(NODE_POOL, config)
    assert pool["node_config"][0]["gpudirect_strategy"] == ""
    config["node_config"][0] |= {"gpudirect_strategy": strategy, "labels": {"x": "y"}}
    changed = stage.update(NODE_POOL, pool, config)
    assert changed["node_config"][0]["gpudirect_strategy"] == ""
    assert changed["node_config"][0]["labels"]["x"] == "y"
    assert stage.plan(NODE_POOL, changed, config).differs


def test_a_part_of_a_version_is_answered_in_full(stage):
    cluster = stage.create(CLUSTER, CLUSTER_CONFIG | {"name": "second", "min_master_version": "1.34"})
    assert cluster["master_version"] == "1.34.8-gke.1278000"
    assert not stage.plan(CLUSTER, cluster, CLUSTER_CONFIG | {"name": "second", "min_master_version": "1.34"}).differs
    config = POOL_CONFIG | {"version": "1.34"}
    pool = stage.create(NODE_POOL, config)
    assert pool["version"] == "1.34.8-gke.1278000"
    assert stage.plan(NODE_POOL, pool, config).differs


@pytest.mark.parametrize(
    ("wanted", "runs"),
    [
        ("1.34.9-gke.1000000", "1.34.9-gke.1000000"),
        ("1.33.1-gke.1", "1.34.8-gke.1278000"),
        (None, "1.34.8-gke.1278000"),
    ],
)
def test_a_control_plane_is_upgraded_and_never_downgraded(stage, wanted, runs):
    cluster = stage.create(CLUSTER, CLUSTER_CONFIG | {"name": "second"})
    changed = stage.update(CLUSTER, cluster, CLUSTER_CONFIG | {"name": "second", "min_master_version": wanted})
    assert changed["master_version"] == runs


def test_deletion_protection_holds_a_cluster_and_its_absence_too(stage):
    for name, protection in (("a", True), ("b", None)):
        cluster = stage.create(CLUSTER, CLUSTER_CONFIG | {"name": name, "deletion_protection": protection})
        with pytest.raises(Refusal, match="deletion_protection is set to true"):
            stage.kinds[CLUSTER].delete(stage.context({}), cluster)
        assert stage.kinds[CLUSTER].read(stage.context({}), cluster) is not None


def test_a_deleted_cluster_takes_its_pools_with_it(stage):
    pool = stage.create(NODE_POOL, POOL_CONFIG)
    cluster = stage.cloud.all(CLUSTER)[0]
    stage.kinds[CLUSTER].delete(stage.context({}), cluster)
    assert stage.kinds[NODE_POOL].read(stage.context({}), pool) is None
    assert stage.cloud.all(NODE_POOL) == []


def test_an_inline_pool_beside_a_separate_one_replaces_the_cluster(stage):
    config = CLUSTER_CONFIG | {"name": "second", "node_pool": [{"name": "cpu", "initial_node_count": 1}]}
    del config["initial_node_count"]
    cluster = stage.create(CLUSTER, config)
    assert not stage.plan(CLUSTER, cluster, config).differs
    stage.create(NODE_POOL, POOL_CONFIG | {"cluster": "second"})
    refreshed = stage.kinds[CLUSTER].read(stage.context({}), cluster)
    assert stage.plan(CLUSTER, refreshed, config).replace == [("node_pool",)]


def test_an_inline_pool_is_changed_in_place(stage):
    row = {"name": "cpu", "node_count": 1, "node_config": [{"machine_type": "e2-standard-4"}]}
    config = CLUSTER_CONFIG | {"name": "second", "node_pool": [row]}
    cluster = stage.create(CLUSTER, config)
    changed = stage.update(CLUSTER, cluster, config | {"node_pool": [row | {"node_count": 2}]})
    assert changed["node_pool"][0]["node_count"] == 2
    assert not stage.plan(CLUSTER, changed, config | {"node_pool": [row | {"node_count": 2}]}).differs


@pytest.mark.parametrize(
    ("changed", "again"),
    [
        ({"machine_type": "e2-standard-8"}, True),
        ({"machine_type": "e2-standard-4", "disk_size_gb": 200}, True),
        ({"machine_type": "e2-standard-4", "labels": {"a": "b"}}, False),
    ],
)
def test_some_changes_of_an_inline_pool_are_planned_for_ever(stage, changed, again):
    row = {"name": "cpu", "node_count": 1, "node_config": [{"machine_type": "e2-standard-4"}]}
    config = CLUSTER_CONFIG | {"name": "second", "node_pool": [row]}
    cluster = stage.create(CLUSTER, config)
    config = config | {"node_pool": [row | {"node_config": [changed]}]}
    after = stage.update(CLUSTER, cluster, config)
    assert stage.plan(CLUSTER, after, config).differs == again


def test_remove_default_node_pool_leaves_no_pool(stage):
    config = CLUSTER_CONFIG | {"name": "second", "initial_node_count": 1, "remove_default_node_pool": True}
    cluster = stage.create(CLUSTER, config)
    assert cluster["node_pool"] == []
    assert not stage.plan(CLUSTER, cluster, config).differs


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            POOL_CONFIG | {"cluster": "other"},
            "Error 404: Not found: projects/my-project/locations/us-central1-b/clusters/other",
        ),
        (POOL_CONFIG | {"location": "us-central1"}, "Error 404: Not found"),
        (POOL_CONFIG | {"location": None}, "Error 404: Not found"),
        (POOL_CONFIG | {"initial_node_count": 1}, "Cannot set both initial_node_count and node_count"),
        (
            POOL_CONFIG | {"upgrade_settings": [{"strategy": "BLUE_GREEN", "max_surge": 1}]},
            "Surge upgrade settings may not be changed",
        ),
        (with_node(gpudirect_strategy="rdma"), "Invalid value at"),
        (with_node(local_nvme_ssd_block_config=[{"local_ssd_count": 32}]), "Only one local SSD"),
        (POOL_CONFIG | {"version": "newest"}, 'Version "newest" is invalid'),
    ],
)
def test_pools_that_are_refused(stage, config, message):
    with pytest.raises(Refusal, match=message):
        stage.create(NODE_POOL, config)
    assert [p["name"] for p in stage.cloud.all(NODE_POOL)] == ["default-pool"]


def test_a_pool_cannot_be_made_twice(stage):
    stage.create(NODE_POOL, POOL_CONFIG)
    with pytest.raises(Refusal, match="already exists"):
        stage.create(NODE_POOL, POOL_CONFIG)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"node_version": "1.34.8-gke.1", "remove_default_node_pool": True}, "node_version can only be specified"),
        ({"node_version": "1.33.1-gke.1"}, "must either be unset or set to the same value as min_master_version"),
        ({"node_locations": ["us-central1-b"]}, "should not contain the original 'zone'"),
        ({"initial_node_count": None}, "initial_node_count must be greater than zero"),
        ({"network_policy": [{"enabled": True}]}, "DatapathProvider=ADVANCED_DATAPATH is not allowed"),
        ({"enable_multi_networking": True, "datapath_provider": None}, "Multi-networking requires Dataplane V2"),
        ({"min_master_version": "foo"}, 'Version "foo" is invalid'),
        ({"name": "gpu"}, "Error 409: Already exists"),
    ],
)
def test_clusters_that_are_refused(stage, arguments, message):
    with pytest.raises(Refusal, match=message):
        stage.create(CLUSTER, CLUSTER_CONFIG | {"name": "second"} | arguments)


def test_an_autopilot_cluster_takes_no_pool(stage):
    config = {"name": "auto", "location": "us-central1", "enable_autopilot": True, "deletion_protection": False}
    cluster = stage.create(CLUSTER, config)
    assert cluster["datapath_provider"] == "ADVANCED_DATAPATH"
    assert not stage.plan(CLUSTER, cluster, config).differs
    with pytest.raises(Refusal, match="Autopilot clusters do not support mutating node pools"):
        stage.create(NODE_POOL, POOL_CONFIG | {"cluster": "auto", "location": "us-central1"})


def test_a_cluster_without_location_is_regional_with_three_zones():
    stage = Stage()
    stage.create(CLUSTER, CLUSTER_CONFIG | {"location": None})
    pool = stage.create(NODE_POOL, POOL_CONFIG | {"location": None})
    assert pool["location"] == "us-central1"
    assert pool["node_locations"] == ["us-central1-a", "us-central1-b", "us-central1-c"]
