"""How differences are judged that no table of changes shows: unknown values, rows of blocks, what is held equal."""

import copy

import pytest
from rehearsal_stage import CLUSTER_CONFIG, POOL_CONFIG, Stage

from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.rehearsal.wire import UNKNOWN
from generator.terraform.planned import dotted


def pool(**arguments):
    return copy.deepcopy(POOL_CONFIG) | arguments


def cluster(**arguments):
    return {k: v for k, v in (CLUSTER_CONFIG | arguments).items() if v is not None}


@pytest.mark.parametrize(
    ("config", "replaced"),
    [
        (pool(cluster=UNKNOWN), ["cluster"]),
        (pool(version=UNKNOWN), []),
        (pool(network_config=UNKNOWN), []),
    ],
)
def test_what_is_not_known_yet_may_be_something_else(made_pool, config, replaced):
    stage, _, prior = made_pool
    change = stage.plan(NODE_POOL, prior, config)
    assert change.differs
    assert set(replaced) <= {dotted(path) for path in change.replace}


@pytest.mark.parametrize(
    "config", [pool(), pool(network_config=[]), pool(timeouts={"create": "2h"}), pool(placement_policy=[])]
)
def test_what_the_provider_holds_equal_leaves_the_state_as_it_is(made_pool, config):
    stage, _, prior = made_pool
    change = stage.plan(NODE_POOL, prior, config)
    assert (change.differs, change.replace, change.value) == (False, [], prior)


@pytest.mark.parametrize(
    "config",
    [
        cluster(network="projects/my-project/global/networks/default"),
        cluster(network="https://www.googleapis.com/compute/v1/projects/my-project/global/networks/default"),
        cluster(ip_allocation_policy=[{"cluster_ipv4_cidr_block": "/14"}]),
        cluster(timeouts={"create": "1h"}),
    ],
)
def test_other_ways_to_write_what_a_cluster_has(made_pool, config):
    stage, prior, _ = made_pool
    change = stage.plan(CLUSTER, prior, config)
    assert (change.differs, change.replace) == (False, [])


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
