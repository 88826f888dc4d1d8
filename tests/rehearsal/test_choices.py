"""What GKE adds, by choice: what the pool is then, and what the second plan makes of it."""

import copy
import re
from pathlib import Path

import pytest
from rehearsal_stage import CLUSTER_CONFIG, POOL_CONFIG, Stage

from generator.errors import InputError
from generator.rehearsal.choices import CHOICES, parse
from generator.rehearsal.faults import KINDS
from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.terraform.planned import dotted

SSD = "ephemeral_storage_local_ssd_config"


def pool(**node):
    """The pool with other arguments in `node_config`; None takes one away."""
    config = copy.deepcopy(POOL_CONFIG)
    config["node_config"][0] |= node
    config["node_config"][0] = {k: v for k, v in config["node_config"][0].items() if v is not None}
    return config


def made(config, *choices, stage=None):
    stage = stage or Stage(parse(choices))
    stage.create(CLUSTER, CLUSTER_CONFIG)
    created = stage.create(NODE_POOL, config)
    return created, stage.plan(NODE_POOL, created, config)


NO_LABELS = pool(labels=None)
OTHER_LABELS = pool(labels={"team": "x"})
NO_DISKS = pool(**{SSD: None})
ONLY_PROFILE = pool(labels={"gke.networks.io/accelerator-network-profile": "auto"})

# configuration, answers, whether the second plan is empty, and what it replaces.
SECOND_PLANS = [
    (pool(), [], True, []),
    (pool(), ["anp-label=off", "taint=off", "anp-networks=off"], True, []),
    (pool(), ["taint=auto"], True, []),
    (OTHER_LABELS, [], False, []),
    (OTHER_LABELS, ["anp-label=off"], True, []),
    (ONLY_PROFILE, ["dranet-label=on"], False, []),
    (ONLY_PROFILE, [], True, []),
    (NO_LABELS, ["dranet-label=on"], True, []),
    (NO_DISKS, ["ssd=ephemeral"], False, [f"node_config[0].{SSD}", f"node_config[0].{SSD}[0].local_ssd_count"]),
    (NO_DISKS, ["ssd=nvme"], False, ["node_config[0].local_nvme_ssd_block_config"]),
    (NO_DISKS, [], True, []),
    (pool(**{SSD: [{"local_ssd_count": 32}]}), [], True, []),
    (
        pool(**{SSD: [{"local_ssd_count": 32}]}),
        ["data-cache=4"],
        False,
        [f"node_config[0].{SSD}[0].data_cache_count"],
    ),
    (pool(), ["data-cache=4"], False, [f"node_config[0].{SSD}[0].data_cache_count"]),
    (pool(), ["driver=DEFAULT"], True, []),
    (pool(), ["driver=LATEST"], True, []),
    (pool(), ["gvnic=on"], False, []),
    (pool(gvnic=[{"enabled": True}]), ["gvnic=on"], True, []),
    (pool(), ["reservation=NO_RESERVATION"], False, ["node_config[0].reservation_affinity"]),
    (pool(), ["strategy-echo=off"], False, []),
    (pool(), ["strategy-echo=upper"], True, []),
    (pool(), ["disk=pd-ssd", "image=UBUNTU_CONTAINERD"], True, []),
]


@pytest.mark.parametrize(
    ("config", "choices", "empty", "replaced"),
    SECOND_PLANS,
    ids=[f"{n}-{'-'.join(choices)}" for n, (_, choices, _, _) in enumerate(SECOND_PLANS)],
)
def test_the_second_plan(config, choices, empty, replaced):
    _, change = made(config, *choices)
    assert change.differs == (not empty)
    assert set(replaced) <= {dotted(path) for path in change.replace}
    assert bool(change.replace) == bool(replaced)


def test_what_is_put_back_is_planned_away_for_ever():
    stage = Stage(parse(["gvnic=on"]))
    created, change = made(pool(), stage=stage)
    assert change.value["node_config"][0]["gvnic"] == []
    again = stage.update(NODE_POOL, created, pool())
    assert again["node_config"][0]["gvnic"] == [{"enabled": True}]
    assert stage.plan(NODE_POOL, again, pool()).differs


def test_what_was_chosen_is_in_the_pool():
    node = made(pool(), "driver=LATEST", "disk=pd-ssd", "image=UBUNTU_CONTAINERD", "taint=off")[0]["node_config"][0]
    assert node["guest_accelerator"][0]["gpu_driver_installation_config"] == [{"gpu_driver_version": "LATEST"}]
    assert (node["disk_type"], node["boot_disk"][0]["disk_type"]) == ("pd-ssd", "pd-ssd")
    assert node["image_type"] == "UBUNTU_CONTAINERD"
    assert node["effective_taints"] == []


def test_the_taint_may_depend_on_a_pool_without_gpus():
    stage = Stage(parse(["taint=auto"]))
    config = CLUSTER_CONFIG | {"remove_default_node_pool": True, "initial_node_count": 1}
    stage.create(CLUSTER, config)
    assert stage.create(NODE_POOL, pool())["node_config"][0]["effective_taints"] == []
    stage.create(NODE_POOL, {"name": "cpu", "cluster": "gpu", "location": "us-central1-b", "node_count": 1})
    second = stage.create(NODE_POOL, pool() | {"name": "second"})
    assert [t["key"] for t in second["node_config"][0]["effective_taints"]] == ["nvidia.com/gpu"]


def test_a_release_channel_that_was_not_written():
    stage = Stage(parse(["channel=REGULAR"]))
    cluster = stage.create(CLUSTER, CLUSTER_CONFIG)
    assert cluster["release_channel"] == [{"channel": "REGULAR"}]
    assert not stage.plan(CLUSTER, cluster, CLUSTER_CONFIG).differs
    written = CLUSTER_CONFIG | {"name": "second", "release_channel": [{"channel": "RAPID"}]}
    assert stage.create(CLUSTER, written)["release_channel"] == [{"channel": "RAPID"}]


def test_what_is_known_to_be_refused_can_be_let_through():
    wrong = pool(gpudirect_strategy="rdma", local_nvme_ssd_block_config=[{"local_ssd_count": 32}])
    created, change = made(wrong, "strict=off")
    assert created["node_config"][0]["gpudirect_strategy"] == "rdma"
    assert not change.differs


@pytest.mark.parametrize(
    ("written", "message", "hint"),
    [
        ("taints=off", "no answer 'taints'", "did you mean taint?"),
        ("nonsense=1", "no answer 'nonsense'", "anp-label"),
        ("taint=sometimes", "taint has no value 'sometimes'", "on, off, auto"),
        ("taint", "taint has no value ''", "on, off, auto"),
        ("data-cache=many", "data-cache has no value 'many'", "omit, a number"),
        ("disk=", "disk has no value ''", "any name"),
        ("driver=latest", "driver has no value 'latest'", "LATEST"),
    ],
)
def test_what_is_no_answer(written, message, hint):
    with pytest.raises(InputError) as caught:
        parse([written])
    assert message in caught.value.message and hint in caught.value.hint


def test_the_last_of_a_name_counts_and_defaults_are_values():
    assert parse(["taint=off", "taint=auto"])["taint"] == "auto"
    for name, choice in CHOICES.items():
        assert parse([f"{name}={choice.default}"])[name] == choice.default


def test_the_documentation_has_every_choice_with_its_values_and_every_kind_of_fault():
    text = (Path(__file__).parents[2] / "docs/rehearse.md").read_text()
    rows = dict(re.findall(r"^\| `([a-z][\w-]*)` \| ([^|]+) \|", text, re.MULTILINE))
    for name, choice in CHOICES.items():
        told = rows.pop(name).split(", ")
        values = [*choice.values, *(["a number"] if choice.numbers else [])] or [choice.default, "any name"]
        assert told[0] == choice.default and sorted(told) == sorted(values), name
    for name, kind in KINDS.items():
        told = rows.pop(name).strip()
        assert told == "all" or told.startswith(", ".join(kind.operations)), name
    assert not rows
