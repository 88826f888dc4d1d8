"""What a plan takes away: refused unless approved, found also where the plan does not show it."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from generator.terraform.approval import covers

POOL = "google_container_node_pool.gpu"
CLUSTER = "google_container_cluster.main"


@pytest.fixture
def check(run, tmp_path: Path):
    """check-plan over a plan: exit code, and rule and resource of each finding."""

    def call(plan: dict[str, object], *arguments: str) -> tuple[int, list[tuple[str, str]]]:
        path = tmp_path / "plan.json"
        path.write_text(json.dumps(plan))
        result = run("check-plan", path, "--format", "json", *arguments)
        document = json.loads(result.out)
        assert not document["errors"]
        found = [(f["rule"], f["resource"]) for f in document["findings"]]
        assert all(f["path"] is None and f["line"] is None for f in document["findings"])
        refused = {f["rule"] for f in document["findings"] if f["refused"]}
        assert refused <= {"replacement", "destruction", "hidden-destruction", "protected-cluster"}
        return result.code, found

    return call


def changed(data: dict[str, object], **changes: object) -> dict[str, object]:
    return {**copy.deepcopy(data), **changes}


def with_node_config(data: dict[str, object], **changes: object) -> dict[str, object]:
    made = copy.deepcopy(data)
    made["node_config"][0].update(changes)  # type: ignore[index]
    return made


def test_creating_is_no_matter(check, plans, pool, cluster) -> None:
    plan = plans().add(CLUSTER, after=cluster).add(POOL, after=pool).json()
    assert check(plan) == (0, [])


def test_replacement_is_refused_with_its_reason_and_can_be_approved(run, check, plans, pool, tmp_path: Path) -> None:
    plan = (
        plans()
        .add(
            POOL,
            "delete/create",
            before=pool,
            after=with_node_config(pool, spot=True),
            action_reason="replace_because_cannot_update",
            replace_paths=[["node_config", 0, "spot"]],
        )
        .json()
    )
    assert check(plan) == (4, [("replacement", POOL)])
    text = run("check-plan", tmp_path / "plan.json").out
    assert "node_config.spot cannot be changed in place" in text
    assert f"--allow-replace {POOL}" in text
    assert check(plan, "--allow-replace", POOL) == (0, [])
    assert check(plan, "--allow-destroy", POOL)[0] == 4


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("replace_because_tainted", "tainted"),
        ("replace_by_request", "--replace"),
        ("replace_by_triggers", "replace_triggered_by"),
        ("something_new", "something new"),
        (None, f"the plan replaces {POOL}\n"),
    ],
)
def test_reasons_without_paths(run, plans, pool, tmp_path: Path, reason: str | None, words: str) -> None:
    made = plans().add(POOL, "create/delete", before=pool, after=pool, action_reason=reason).json()
    (tmp_path / "p.json").write_text(json.dumps(made))
    result = run("check-plan", tmp_path / "p.json")
    assert result.code == 4
    assert words in result.out


def test_destruction_is_refused(check, plans, pool, cluster) -> None:
    plan = plans().add(CLUSTER, "delete", before=cluster).add(POOL, "delete", before=pool).json()
    assert check(plan) == (4, [("destruction", CLUSTER), ("destruction", POOL)])
    assert check(plan, "--allow-destroy", POOL) == (4, [("destruction", CLUSTER)])
    assert check(plan, "--allow-destroy", POOL, "--allow-destroy", CLUSTER) == (0, [])
    assert check(plan, "--allow-replace", POOL, "--allow-replace", CLUSTER)[0] == 4


def test_a_reservation_and_a_deposed_pool_count(check, plans, pool) -> None:
    plan = plans().add("google_compute_reservation.r", "delete", before={"name": "r"}).json()
    assert check(plan) == (4, [("destruction", "google_compute_reservation.r")])
    plan = plans().add(POOL, "no-op", before=pool, after=pool).add(POOL, "delete", before=pool, deposed="abc").json()
    assert check(plan) == (4, [("destruction", POOL)])


def test_pools_that_are_not_in_scope_may_go(check, plans, pool) -> None:
    cpu = changed(pool, node_config=[{"machine_type": "e2-standard-4"}], network_config=[])
    plan = plans().add("google_container_node_pool.cpu", "delete", before=cpu)
    plan.add("google_container_node_pool.x", "delete/create", before=cpu, after=cpu)
    assert check(plan.json()) == (0, [])


def test_what_is_forgotten_moved_or_imported_stays(check, plans, pool) -> None:
    plan = plans().add(POOL, "forget", before=pool)
    plan.add(f"{POOL}2", "no-op", before=pool, after=pool, previous_address=POOL)
    assert check(plan.json()) == (0, [])


def test_drift_is_no_evidence(check, plans, pool) -> None:
    entry = plans().add(POOL, "delete", before=pool).entries
    plan = plans().add(POOL, "no-op", before=pool, after=pool).json(resource_drift=entry)
    assert check(plan) == (0, [])


@pytest.mark.parametrize("reference", ["main", "projects/p/locations/us-central1-b/clusters/main"])
@pytest.mark.parametrize("actions", ["delete/create", "delete"])
def test_pools_go_with_their_cluster(check, plans, pool, cluster, reference: str, actions: str) -> None:
    after = None if actions == "delete" else cluster
    held = changed(pool, cluster=reference)
    plan = plans().add(CLUSTER, actions, before=cluster, after=after).add(POOL, "no-op", before=held, after=held).json()
    code, found = check(plan)
    assert (code, ("hidden-destruction", POOL) in found) == (4, True)
    approvals = ("--allow-replace", CLUSTER, "--allow-destroy", CLUSTER)
    assert check(plan, *approvals) == (4, [("hidden-destruction", POOL)])
    assert check(plan, *approvals, "--allow-destroy", POOL) == (0, [])


def test_a_pool_that_is_forgotten_goes_with_its_cluster_all_the_same(check, plans, pool, cluster) -> None:
    plan = plans().add(CLUSTER, "delete", before=cluster).add(POOL, "forget", before=pool).json()
    assert check(plan, "--allow-destroy", CLUSTER) == (4, [("hidden-destruction", POOL)])
    assert check(plan, "--allow-destroy", CLUSTER, "--allow-destroy", POOL) == (0, [])


def test_a_pool_of_another_cluster_of_that_name_stays(check, plans, pool, cluster) -> None:
    elsewhere = changed(cluster, location="europe-west1-b")
    plan = plans().add(CLUSTER, "delete/create", before=elsewhere, after=elsewhere)
    plan.add(POOL, "no-op", before=pool, after=pool)
    assert "hidden-destruction" not in str(check(plan.json(), "--allow-replace", CLUSTER))


def test_a_pool_that_is_replaced_too_is_not_hidden(check, plans, pool, cluster) -> None:
    plan = plans().add(CLUSTER, "delete/create", before=cluster, after=cluster)
    plan.add(POOL, "delete/create", before=pool, after=pool)
    assert check(plan.json(), "--allow-replace", CLUSTER) == (4, [("replacement", POOL)])


def test_pools_go_with_a_network_that_they_name(check, plans, pool) -> None:
    networks = [{"network": "gv", "subnetwork": "gv-sub"}]
    networks += [{"network": "projects/p/global/networks/rdma", "subnetwork": f"rdma-sub-{i}"} for i in range(8)]
    manual = changed(pool, network_config=[{"additional_node_network_configs": networks}])
    manual = with_node_config(manual, labels={})
    network = {
        "name": "rdma",
        "id": "projects/p/global/networks/rdma",
        "self_link": "https://x/projects/p/global/networks/rdma",
    }
    plan = plans().add("google_compute_network.rdma", "delete/create", before=network, after=network)
    plan.add(POOL, "no-op", before=manual, after=manual)
    assert ("hidden-destruction", POOL) in check(plan.json())[1]
    other = {**network, "name": "other", "id": "projects/p/global/networks/other", "self_link": "https://x/other"}
    plan = plans().add("google_compute_network.rdma", "delete/create", before=other, after=other)
    plan.add(POOL, "no-op", before=manual, after=manual)
    assert "hidden-destruction" not in str(check(plan.json()))


def test_a_protected_cluster_cannot_be_approved(check, plans, cluster) -> None:
    protected = changed(cluster, deletion_protection=True)
    plan = plans().add(CLUSTER, "delete", before=protected).json()
    assert check(plan, "--allow-destroy", CLUSTER) == (4, [("protected-cluster", CLUSTER)])
    replaced = plans().add(CLUSTER, "delete/create", before=protected, after=cluster).json()
    assert check(replaced, "--allow-replace", CLUSTER) == (4, [("protected-cluster", CLUSTER)])
    kept = plans().add(CLUSTER, "update", before=protected, after=cluster).json()
    assert check(kept) == (0, [])


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [("", "RDMA", True), (None, "RDMA", True), ("RDMA", "RDMA", False), ("rdma", "RDMA", False), ("RDMA", "", False)],
)
def test_noop_update(check, plans, pool, before: object, after: object, found: bool) -> None:
    old, new = (with_node_config(pool, gpudirect_strategy=value) for value in (before, after))
    code, findings = check(plans().add(POOL, "update", before=old, after=new).json())
    assert (("noop-update", POOL) in findings) is found
    assert code == 1 or not found
    replaced = plans().add(POOL, "delete/create", before=old, after=new).json()
    assert "noop-update" not in str(check(replaced))


def test_noop_update_that_is_unknown_or_inline(check, plans, pool, cluster) -> None:
    old = with_node_config(pool, gpudirect_strategy="")
    new = with_node_config(pool, gpudirect_strategy=None)
    unknown = {"node_config": [{"gpudirect_strategy": True}]}
    assert check(plans().add(POOL, "update", before=old, after=new, unknown=unknown).json())[0] == 0
    inline = {k: v for k, v in pool.items() if k not in ("cluster", "location", "project")}
    cpu = {"name": "cpu", "node_config": [{"machine_type": "e2-standard-4"}]}
    before = changed(cluster, node_pool=[with_node_config(inline, gpudirect_strategy=""), cpu])
    after = changed(cluster, node_pool=[cpu, inline])
    assert ("noop-update", CLUSTER) in check(plans().add(CLUSTER, "update", before=before, after=after).json())[1]


@pytest.mark.parametrize(
    ("path", "value"),
    [("version", "1.34.9-gke.1"), ("image_type", "UBUNTU_CONTAINERD"), ("machine_type", "a4-highgpu-8g")],
)
def test_nodes_recreated_is_a_warning(check, plans, pool, path: str, value: str) -> None:
    new = changed(pool, version=value) if path == "version" else with_node_config(pool, **{path: value})
    found = check(plans().add(POOL, "update", before=pool, after=new).json())[1]
    assert ("nodes-recreated", POOL) in found
    same = plans().add(POOL, "update", before=pool, after=with_node_config(pool, image_type="cos_containerd")).json()
    assert "nodes-recreated" not in str(check(same))


def test_pool_shrink_is_a_warning(check, plans, pool) -> None:
    assert check(plans().add(POOL, "update", before=pool, after=changed(pool, node_count=1)).json()) == (
        0,
        [("pool-shrink", POOL)],
    )
    assert check(plans().add(POOL, "update", before=pool, after=changed(pool, node_count=3)).json()) == (0, [])
    limits = [changed(pool, node_count=None, autoscaling=[{"max_node_count": n, "min_node_count": 0}]) for n in (4, 2)]
    assert check(plans().add(POOL, "update", before=limits[0], after=limits[1]).json())[1] == [("pool-shrink", POOL)]


@pytest.mark.parametrize(
    ("allowed", "address", "wanted"),
    [
        ("t.n", "t.n", True),
        ("t.n", "t.n[0]", True),
        ("t.n", 't.n["a.b"]', True),
        ("t.n[0]", "t.n[0]", True),
        ("t.n[0]", "t.n[1]", False),
        ("t.n[0]", "t.n", False),
        ("t.n", "t.nn", False),
        ("t.n", "module.m.t.n", False),
        ("module.m", "module.m.t.n", True),
        ("module.m", 'module.m["x"].t.n[3]', True),
        ('module.m["x"]', 'module.m["x"].t.n', True),
        ('module.m["x"]', 'module.m["y"].t.n', False),
        ("module.m", "module.mm.t.n", False),
        ("module.m", "module.m.module.k.t.n", True),
        ("module.m.module.k", "module.m[0].module.k[1].t.n", True),
        ("module.m.t.n", "module.m[0].t.n[1]", True),
        ("module.m.t.n", "module.m.module.k.t.n", False),
        ('module.m["a\\"]b"]', 'module.m["a\\"]b"].t.n', True),
        ("", "t.n", False),
    ],
)
def test_what_an_approval_covers(allowed: str, address: str, wanted: bool) -> None:
    assert covers(allowed, address) is wanted


def test_an_approval_that_approves_nothing_is_told(run, plans, pool, tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(plans().add(POOL, after=pool).json()))
    result = run("check-plan", tmp_path / "p.json", "--allow-replace", "google_container_node_pool.typo")
    assert result.code == 0
    assert "google_container_node_pool.typo approves nothing" in result.err


def _with_change(change: str) -> bytes:
    entry = f'{{"address": "{POOL}", "type": "google_container_node_pool", "name": "gpu", "change": {change}}}'
    return f'{{"format_version": "1.0", "resource_changes": [{entry}]}}'.encode()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"PK\x03\x04abc", "its JSON is needed"),
        (b"[1]", "not what"),
        (b"{}", "not what"),
        (b'{"format_version": "1.0", "values": {}}', "a state"),
        (b'{"format_version": "1.0"}', "a state"),
        (b'{"format_version": "1.0", "resource_changes": [], "configuration": []}', "configuration"),
        (b'{"format_version": "1.0", "resource_changes": [], "output_changes": [1]}', "output_changes"),
        (b'{"format_version": "9.0"}', "9.0"),
        (b'{"format_version": "1.0", "resource_changes": [1]}', "resource_changes"),
        (b'{"format_version": "1.0", "resource_changes": [{"address": "a"}]}', "resource_changes"),
        (_with_change('{"actions": ["update"], "before": [], "after": {}}'), "resource_changes"),
        (_with_change('{"actions": ["update"], "before": {}, "after": 3}'), "resource_changes"),
        (_with_change('{"actions": ["update"], "replace_paths": 5}'), "resource_changes"),
        (_with_change('{"actions": ["update"], "replace_paths": [5]}'), "resource_changes"),
        (b"[" * 100_000, "no JSON"),
    ],
)
def test_what_is_no_plan_is_told(run, tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "x").write_bytes(content)
    result = run("check-plan", tmp_path / "x")
    assert (result.code, words in result.err, "show -json" in result.err or "1.x" in result.err) == (2, True, True)
    assert run("check-plan", tmp_path).code == 2
    assert run("check-plan", tmp_path / "missing").code == 2
