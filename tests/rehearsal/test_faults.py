"""Faults that are asked for: which call meets them, what stays, and what the provider says."""

import re
import threading

import pytest
from rehearsal_stage import CLUSTER_CONFIG, POOL_CONFIG, Protocol, sample

from generator.cli import run
from generator.errors import InputError
from generator.rehearsal import faults
from generator.rehearsal.faults import Fault, Faults, parse
from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.rehearsal.settings import Settings, read
from generator.schema import provider

NETWORK = "google_compute_network"
LINK = {"name": "n"}


def protocol(*written):
    return Protocol(Faults(parse(written)))


def text(messages):
    return "\n".join(messages)


def made_cluster(*written):
    made = protocol(*written)
    made.create(CLUSTER, CLUSTER_CONFIG)
    return made


@pytest.mark.parametrize(
    ("written", "stays", "message"),
    [
        (
            "stockout",
            False,
            r"Error waiting for creating GKE NodePool: Google Compute Engine: .*STOCKOUT.*us-central1-b",
        ),
        ("error", True, r'^NodePool rdma-pool was created in the error state "ERROR"$'),
        ("unnoticed", True, r"^$"),
        ("timeout", True, r'^NodePool "rdma-pool" has state "PROVISIONING" with message ""$'),
        (
            "permission",
            False,
            r'^error creating NodePool: googleapi: Error 403: Required "container.nodePools.create" permission\(s\) for '
            r'"projects/my-project/locations/us-central1-b/clusters/gpu"., forbidden$',
        ),
        (
            "quota",
            False,
            r'^error creating NodePool: googleapi: Error 403: Insufficient regional quota .*"NVIDIA_H200_GPUS": request '
            r"requires '24.0'",
        ),
    ],
)
def test_a_pool_that_fails(written, stays, message):
    made = made_cluster(f"create:{NODE_POOL}={written}")
    state, said = made.create(NODE_POOL, POOL_CONFIG)
    assert (state is not None) == stays
    assert re.search(message, text(said), re.DOTALL), said
    assert [p["name"] for p in made.cloud.all(NODE_POOL)] == ["default-pool", *(["rdma-pool"] if stays else [])]
    if stays:
        assert made.read(NODE_POOL, state)[0] == state


@pytest.mark.parametrize(
    ("written", "stays", "message"),
    [
        ("error", True, r"^Internal error in control plane.$"),
        ("stockout", True, r"^Google Compute Engine: .*STOCKOUT"),
        (
            "timeout",
            True,
            r"^Error waiting for creating GKE cluster: timeout .* \(last state: 'RUNNING', timeout: 40m0s\)$",
        ),
        (
            "permission",
            False,
            r'^googleapi: Error 403: Required "container.clusters.create" permission\(s\) for "projects/my-project"',
        ),
        ("quota", False, r'^googleapi: Error 403: Insufficient regional quota .*"CPUS"'),
    ],
)
def test_a_cluster_that_fails(written, stays, message):
    made = protocol(f"create:{CLUSTER}={written}")
    state, said = made.create(CLUSTER, CLUSTER_CONFIG)
    assert (state is not None) == stays == bool(made.cloud.all(CLUSTER))
    assert re.search(message, text(said)), said


@pytest.mark.parametrize(
    ("written", "stays", "message"),
    [
        ("error", False, r"^Error waiting to create Network: Error waiting for Creating Network: Internal error.$"),
        ("timeout", True, r"timeout: 20m0s\)$"),
        (
            "permission",
            False,
            r"^Error creating Network: googleapi: Error 403: Required 'compute.networks.create' permission for "
            r"'projects/my-project/global/networks/n', forbidden$",
        ),
        ("quota", False, r"^Error creating Network: googleapi: Error 403: Quota 'NETWORKS' exceeded.*, quotaExceeded$"),
    ],
)
def test_anything_else_that_fails(written, stays, message):
    made = protocol(f"create:*={written}")
    state, said = made.create(NETWORK, LINK)
    assert (state is not None) == stays == bool(made.cloud.all(NETWORK))
    assert re.search(message, text(said)), said


@pytest.mark.parametrize("kind", ["stockout", "quota", "permission", "error", "timeout"])
def test_an_update_that_fails_leaves_the_state_as_it_was(kind):
    made = made_cluster(f"update:{NODE_POOL}={kind}")
    prior, _ = made.create(NODE_POOL, POOL_CONFIG)
    state, said = made.update(NODE_POOL, prior, POOL_CONFIG | {"node_count": 5})
    assert state == prior and said
    # A timeout does not stop the operation.
    assert made.read(NODE_POOL, prior)[0]["node_count"] == (5 if kind == "timeout" else 3)


def test_an_update_that_sends_nothing_cannot_fail():
    made = protocol("update:*=permission")
    cluster, _ = made.create(CLUSTER, CLUSTER_CONFIG)
    state, said = made.update(CLUSTER, cluster, CLUSTER_CONFIG | {"deletion_protection": True})
    assert said == [] and state["deletion_protection"] is True
    pool, _ = made.create(NODE_POOL, POOL_CONFIG)
    node = POOL_CONFIG["node_config"][0] | {"gpudirect_strategy": "TCPX"}
    assert made.update(NODE_POOL, pool, POOL_CONFIG | {"node_config": [node]})[1] == []
    assert made.update(NODE_POOL, pool, POOL_CONFIG | {"node_config": [node | {"tags": ["a"]}]})[1] != []


@pytest.mark.parametrize("kind", ["permission", "error", "timeout"])
def test_a_delete_that_fails_keeps_the_state(kind):
    made = made_cluster(f"delete:{NODE_POOL}={kind}")
    prior, _ = made.create(NODE_POOL, POOL_CONFIG)
    state, said = made.delete(NODE_POOL, prior)
    assert state == prior and "deleting" in text(said)
    assert (made.read(NODE_POOL, prior)[0] is None) == (kind == "timeout")


@pytest.mark.parametrize(
    ("type_", "config", "message"),
    [
        (
            CLUSTER,
            CLUSTER_CONFIG,
            'Error when reading or editing Container Cluster "gpu": googleapi: Error 403: Required',
        ),
        (NODE_POOL, POOL_CONFIG, 'Error when reading or editing NodePool "rdma-pool" from cluster "gpu": googleapi'),
        (
            NETWORK,
            LINK,
            'reading or editing ComputeNetwork "projects/my-project/global/networks/n": googleapi: Error 403',
        ),
    ],
)
def test_a_read_that_is_refused(type_, config, message):
    made = made_cluster("read:*=permission,count=1")
    state, _ = made.create(type_, config) if type_ != CLUSTER else (made.cloud.all(CLUSTER)[0], [])
    found, said = made.read(type_, state)
    assert message in text(said)
    assert found["id"] == state["id"]
    assert made.read(type_, state)[1] == []


def test_a_lookup_is_a_read_too():
    made = protocol(f"read:{CLUSTER}=permission")
    assert "Container Cluster" in text(made.look_up(CLUSTER, {"name": "there", "location": "us-central1"})[1])


def test_a_lookup_of_what_is_no_resource_fails_too():
    made = protocol("read:google_client_config=permission")
    assert "Error 403" in text(made.look_up("google_client_config", {})[1])


@pytest.mark.parametrize("type_", sorted(provider.resource_types() - {NODE_POOL}))
def test_every_type_can_fail_in_every_way(type_):
    config = sample(provider.resource(type_))
    if type_ == CLUSTER:
        config |= {"initial_node_count": 1, "deletion_protection": False}
    for kind, about in faults.KINDS.items():
        if (about.types and type_ not in about.types) or kind == "slow":
            continue
        for operation in about.operations:
            made = Protocol(Faults([Fault(operation, type_, kind)]))
            state, said = made.create(type_, config)
            if operation == "read":
                _, said = made.read(type_, state)
            elif operation == "delete":
                _, said = made.delete(type_, state)
            assert operation == "update" or re.search(r"Error|STOCKOUT|error", text(said)), kind


def test_a_fault_wears_off_after_its_count():
    made = made_cluster(f"create:{NODE_POOL}=quota,count=2")
    outcomes = [made.create(NODE_POOL, POOL_CONFIG)[0] is not None for _ in range(3)]
    assert outcomes == [False, False, True]


def test_the_first_fault_that_fits_counts():
    made = protocol("create:*=stockout", f"create:{NETWORK}=permission", "create:*=quota")
    assert "Error 403: Required" in text(made.create(NETWORK, LINK)[1])
    assert "STOCKOUT" in text(made.create(CLUSTER, CLUSTER_CONFIG)[1])
    assert "Quota" in text(made.create("google_compute_address", {"name": "a"})[1])


def test_other_providers_never_fail():
    made = Protocol(Faults(parse(["create:*=quota"])), name="null")
    assert made.create("null_resource", {})[1] != []


@pytest.mark.parametrize(("limit", "fails"), [("10ms", True), ("1h", False)])
def test_what_is_slow_takes_its_time_or_times_out(limit, fails):
    made = Protocol(Faults([Fault("create", NODE_POOL, "slow", seconds=0.05)]))
    made.create(CLUSTER, CLUSTER_CONFIG)
    state, said = made.create(NODE_POOL, POOL_CONFIG | {"timeouts": {"create": limit}})
    assert state is not None
    assert bool(said) == fails


def test_an_interrupt_ends_the_wait_and_leaves_the_operation_in_the_state():
    made = made_cluster(f"create:{NODE_POOL}=slow,seconds=600")
    threading.Timer(0.05, made.stop).start()
    state, said = made.create(NODE_POOL, POOL_CONFIG)
    assert said == [] and state["operation"].startswith("operation-")
    assert made.read(NODE_POOL, state)[0]["operation"] == ""


@pytest.mark.parametrize(
    ("written", "message", "hint"),
    [
        ("stockout", "this is no fault", "create:google_container_node_pool=stockout"),
        ("create=stockout", "this is no fault", "OPERATION:TYPE=KIND"),
        ("creates:*=quota", "there is no operation 'creates'", "did you mean create?"),
        ("plan:*=quota", "there is no operation 'plan'", "known are create, update, delete, read"),
        ("create:google_container_nodepool=quota", "no resource type", "did you mean google_container_node_pool?"),
        ("create:aws_vpc=quota", "no resource type 'aws_vpc'", "google_container_cluster"),
        ("create:google_client_config=quota", "no resource type", "google_"),
        (f"create:{NODE_POOL}=stock-out", "there is no kind of fault 'stock-out'", "did you mean stockout?"),
        (f"create:{NODE_POOL}=", "there is no kind of fault ''", "known are stockout"),
        (f"read:{NODE_POOL}=quota", "read cannot end in quota", "it can in permission, slow"),
        (f"create:{NETWORK}=stockout", "stockout cannot happen to google_compute_network", NODE_POOL),
        (f"create:{NODE_POOL}=quota,seconds=3", "only slow takes seconds", "slow,seconds=N"),
        (f"create:{NODE_POOL}=slow,seconds=0", "seconds is a number from 1 on", "seconds=1"),
        (f"create:{NODE_POOL}=slow,count=x", "count is a number from 1 on", "count=1"),
        (f"create:{NODE_POOL}=slow,cuont=1", "there is no setting 'cuont'", "did you mean count?"),
    ],
)
def test_what_is_no_fault(written, message, hint):
    with pytest.raises(InputError) as caught:
        parse([written])
    assert message in caught.value.message and hint in caught.value.hint


def test_settings_reach_another_process_and_the_unmet_come_back(tmp_path):
    settings = Settings(faults=parse([f"create:{NODE_POOL}=slow,seconds=3,count=2", "read:*=permission"]))
    settings.write(tmp_path)
    assert read(tmp_path) == settings
    assert settings.unmet(tmp_path) == list(settings.faults)
    at_work = read(tmp_path).at_work(tmp_path)
    assert at_work.meet("create", CLUSTER) is None
    assert at_work.meet("create", NODE_POOL) == settings.faults[0]
    assert settings.unmet(tmp_path) == [settings.faults[1]]


@pytest.mark.parametrize("written", ["create:*=slow,seconds=3,count=2", "read:*=slow,seconds=15", "delete:*=error"])
def test_a_fault_is_told_as_it_was_written(written):
    assert str(parse([written])[0]) == written


def test_every_kind_says_what_it_does():
    assert all(kind.meaning and kind.operations for kind in faults.KINDS.values())


FOLDER = """
resource "google_container_cluster" "c" {
  name                = "gpu"
  location            = "us-central1-b"
  initial_node_count  = 1
  min_master_version  = "1.34.8-gke.1278000"
  deletion_protection = false
}

resource "google_container_node_pool" "p" {
  name       = "cpu-pool"
  cluster    = google_container_cluster.c.id
  location   = google_container_cluster.c.location
  node_count = 1
}
"""
TOLD = {
    "stockout": ("STOCKOUT", "google_container_node_pool.p (create)", "1 to create", False),
    "error": (
        "the next plan replaces it",
        "google_container_node_pool.p (replace): it is tainted",
        "1 to replace",
        True,
    ),
}


@pytest.mark.terraform
@pytest.mark.parametrize("kind", TOLD)
def test_a_rehearsed_failure_says_what_is_there_and_what_comes_next(kind, tmp_path, monkeypatch, capfd):
    (tmp_path / "main.tf").write_text(FOLDER)
    monkeypatch.chdir(tmp_path)
    code = run(["rehearse", ".", "--fail", f"create:{NODE_POOL}={kind}"])
    told = capfd.readouterr()
    message, change, counts, tainted = TOLD[kind]
    assert code == 3, told.out + told.err
    assert re.search(rf"^next plan .* {counts}$", told.out, re.MULTILINE), told.out
    assert "in the state: google_container_cluster.c\n" in told.out
    assert ("in the state: google_container_node_pool.p (tainted)" in told.out) == tainted
    assert f"to do: {change}" in told.out
    assert message in told.err and "main.tf:10" in told.err
    assert re.search(r"^apply .* failed$", told.out, re.MULTILINE) and "second plan" not in told.out
    assert told.out.splitlines()[-1].endswith("nothing in Google Cloud was asked")


@pytest.mark.terraform
def test_a_fault_that_nothing_meets_is_a_finding(tmp_path, monkeypatch, capfd):
    (tmp_path / "main.tf").write_text(FOLDER)
    monkeypatch.chdir(tmp_path)
    arguments = ["rehearse", ".", "--stop-after", "plan", "--fail", f"create:{NODE_POOL}=quota"]
    assert run(arguments) == 1
    assert f"--fail create:{NODE_POOL}=quota: nothing in this rehearsal has met it" in capfd.readouterr().err


def test_a_fault_of_a_type_that_the_folder_does_not_have(tmp_path, monkeypatch, capfd):
    (tmp_path / "main.tf").write_text(FOLDER)
    monkeypatch.chdir(tmp_path)
    assert run(["rehearse", ".", "--fail", f"create:{NETWORK}=quota"]) == 2
    assert f"the folder has no {NETWORK}" in capfd.readouterr().err
