"""The view of a plan: what is written counts, with Terraform's values, unknowns and sensitive marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.lint.engine import lint
from generator.lint.request import Request
from generator.view import Absent, Cluster, Known, Unknown
from generator.view.plan import tree

POOL = "google_container_node_pool.gpu"
CLUSTER = "google_container_cluster.main"


def only_pool(plan: dict[str, object]):
    (found,) = tree(plan).pools
    return found


def test_values_unknowns_and_nulls(plans, pool) -> None:
    pool["location"] = None
    unknown = {"version": True, "node_config": [{"labels": {"later": True}}]}
    del pool["version"]
    written = {**{k: {} for k in pool}, "version": {}, "node_config": [{k: {} for k in pool["node_config"][0]}]}
    view = only_pool(plans().add(POOL, after=pool, unknown=unknown, written=written).json())
    assert view.get("node_count") == Known(2, None)
    assert view.get("node_config.machine_type") == Known("a3-ultragpu-8g", None)
    assert isinstance(view.get("version"), Unknown)
    assert view.get("location") == Absent(None, is_null=True)
    assert isinstance(view.get("node_config.labels"), Unknown)
    assert view.element("node_config.labels", "gke.networks.io/accelerator-network-profile") == Known("auto", None)
    assert isinstance(view.element("node_config.labels", "later"), Unknown)
    assert isinstance(view.element("node_config.labels", "other"), Absent)


def test_what_the_provider_has_filled_in_is_not_written(plans, pool) -> None:
    state = {
        **pool,
        "initial_node_count": 2,
        "management": [{"auto_repair": True, "auto_upgrade": True}],
        "network_config": [
            {
                "accelerator_network_profile": "auto",
                "additional_node_network_configs": [{"network": f"n{i}", "subnetwork": f"s{i}"} for i in range(9)],
                "create_pod_range": False,
            }
        ],
    }
    written = {
        "name": {},
        "cluster": {},
        "node_count": {},
        "node_config": [{"machine_type": {}}],
        "network_config": [{"accelerator_network_profile": {}}],
    }
    written["node_count"] = {"constant_value": 2}
    view = only_pool(plans().add(POOL, "no-op", before=state, after=state, written=written).json())
    assert view.get("node_count") == Known(2, None)
    assert isinstance(view.get("initial_node_count"), Absent)
    assert isinstance(view.get("version"), Absent)
    assert isinstance(view.get("network_config.create_pod_range"), Absent)
    networks = view.blocks("network_config.additional_node_network_configs")
    assert networks.items == () and networks.unknown is not None
    assert "management" not in view.block.data.names()[1]


def test_what_only_the_provider_sets_is_there(plans, cluster) -> None:
    state = {**cluster, "master_version": "1.34.9-gke.1"}
    (found,) = tree(plans().add(CLUSTER, "no-op", before=state, after=state, written={"name": {}}).json()).clusters
    assert found.resource.get("master_version") == Known("1.34.9-gke.1", None)
    assert isinstance(found.resource.get("min_master_version"), Absent)


def test_sensitive_values_are_marked(plans, pool) -> None:
    marks = {"name": True, "node_config": [{"labels": {"gke.networks.io/accelerator-network-profile": True}}]}
    view = only_pool(plans().add(POOL, after=pool, sensitive=marks).json())
    assert view.get("name").show() == "(sensitive value)"
    assert view.get("node_config.labels").show() == "(sensitive value)"
    assert view.get("node_config.machine_type").show() == '"a3-ultragpu-8g"'


def test_types_are_those_of_the_provider(plans, pool) -> None:
    pool["node_locations"] = ["b", "a"]
    pool["node_config"][0]["labels"] = {"a": "true"}
    view = only_pool(plans().add(POOL, after=pool).json())
    assert view.get("node_locations") == Known(frozenset({"a", "b"}), None)
    assert view.get("node_config.labels") == Known({"a": "true"}, None)


@pytest.mark.parametrize("dynamic", [True, False])
def test_dynamic_blocks_are_seen_although_the_configuration_hides_them(plans, pool, dynamic: bool) -> None:
    expressions = {k: {} for k in pool["node_config"][0] if k != "guest_accelerator"}
    if not dynamic:
        expressions["guest_accelerator"] = [{"type": {}, "count": {}}]
    written = {**{k: {} for k in pool}, "node_config": [expressions]}
    view = only_pool(plans().add(POOL, after=pool, written=written).json())
    assert view.get("node_config.guest_accelerator.count") == Known(8, None)


def references(*names: str) -> dict[str, object]:
    return {"references": list(names)}


def with_reference(pool: dict[str, object], *names: str) -> dict[str, object]:
    from_constants = {k: {"constant_value": v} for k, v in pool.items() if not isinstance(v, list)}
    return {**from_constants, "cluster": references(*names)}


def test_a_pool_finds_its_cluster(plans, pool, cluster) -> None:
    by_name = tree(plans().add(CLUSTER, after=cluster).add(POOL, after=pool).json())
    assert isinstance(by_name.pools[0].cluster, Cluster)
    assert by_name.clusters[0].pools == by_name.pools
    other = tree(plans().add(CLUSTER, after={**cluster, "name": "other"}).add(POOL, after=pool).json())
    assert isinstance(other.pools[0].cluster, Unknown)
    del pool["cluster"]
    written = with_reference(pool, f"{CLUSTER}.id", CLUSTER)
    plan = plans().add(CLUSTER, after=cluster).add(POOL, after=pool, unknown={"cluster": True}, written=written).json()
    assert isinstance(tree(plan).pools[0].cluster, Cluster)


def test_references_are_followed_through_keys_inputs_and_outputs(plans, pool, cluster) -> None:
    del pool["cluster"]
    written = with_reference(pool, f"{CLUSTER}.id", CLUSTER, "each.key")
    plan = plans()
    for key in ('["a"]', '["b"]'):
        plan.add(CLUSTER + key, after=cluster).add(POOL + key, after=pool, unknown={"cluster": True}, written=written)
    found = tree(plan.json())
    assert [(p.address, p.cluster.resource.address) for p in found.pools] == [
        (f'{POOL}["a"]', f'{CLUSTER}["a"]'),
        (f'{POOL}["b"]', f'{CLUSTER}["b"]'),
    ]

    inner = with_reference(pool, "var.cluster")
    plan = plans().add(f"module.c.{CLUSTER}", after=cluster, module="module.c")
    plan.add(f"module.g[0].{POOL}", after=pool, unknown={"cluster": True}, written=inner, module="module.g[0]")
    made = plan.json()
    calls = made["configuration"]["root_module"]["module_calls"]
    calls["g"]["expressions"] = {"cluster": references("module.c.id", "module.c")}
    calls["c"]["module"]["outputs"] = {"id": {"expression": references(f"{CLUSTER}.id", CLUSTER)}}
    (through,) = tree(made).pools
    assert through.cluster.resource.address == f"module.c.{CLUSTER}"
    assert through.resource.module == "module.g[0]"


def test_what_goes_is_in_removed_and_shows_what_was(plans, pool) -> None:
    found = tree(plans().add(POOL, "delete", before=pool, action_reason="delete_because_no_resource_config").json())
    assert found.resources == [] and found.pools == []
    (removed,) = found.removed
    assert removed.change is not None and removed.change.destroys and not removed.change.replaces
    assert removed.change.why() == "its block is not there any more"
    assert removed.get("node_config.machine_type") == Known("a3-ultragpu-8g", None)


def test_data_sources_that_were_read_are_seen(plans) -> None:
    values = {"name": "main", "location": "us-central1-b"}
    resource = {"address": "data.google_container_cluster.c", "mode": "data", "type": "google_container_cluster"}
    resource |= {"name": "c", "provider_name": "registry.terraform.io/hashicorp/google", "values": values}
    state = {"values": {"root_module": {"resources": [resource]}}}
    (found,) = tree(plans().json(prior_state=state)).resources
    assert (found.mode, found.get("name")) == ("data", Known("main", None))


def test_constraints_come_from_the_configuration(plans) -> None:
    made = plans().json()
    made["configuration"]["provider_config"] = {
        "google": {
            "name": "google",
            "full_name": "registry.opentofu.org/hashicorp/google",
            "version_constraint": ">= 7.0",
            "expressions": {"project": {"constant_value": "p"}, "zone": references("var.zone")},
        }
    }
    found = tree(made)
    (requirement,) = found.requirements
    assert (requirement.source, requirement.constraint, requirement.span) == ("hashicorp/google", ">= 7.0", None)
    assert found.providers["google"].get("project") == Known("p", None)
    assert isinstance(found.providers["google"].get("zone"), Unknown)


def test_places_are_the_headers_of_the_text(plans, pool, tmp_path: Path) -> None:
    text = '# first\nresource "google_container_node_pool" "gpu" {\n  name = "gpu"\n  cluster = "main"\n}\n'
    (tmp_path / "main.tf").write_text(text)
    (written,) = lint(Request((str(tmp_path),), tmp_path)).trees
    (view,) = tree(plans().add(POOL, after=pool).json(), written).pools
    answer = view.get("node_config.machine_type")
    assert isinstance(answer, Known) and answer.span is not None
    assert answer.span.text == 'resource "google_container_node_pool" "gpu"'


def test_an_expression_that_may_be_null_is_unknown_while_the_state_shows(plans, pool) -> None:
    state = {**pool, "initial_node_count": 2}
    written = {**with_reference(pool, "var.cluster"), "initial_node_count": references("var.initial")}
    written["node_config"] = [{"machine_type": references("var.machine")}]
    view = only_pool(plans().add(POOL, "no-op", before=state, after=state, written=written).json())
    assert isinstance(view.get("initial_node_count"), Unknown)
    assert view.get("node_config.machine_type") == Known("a3-ultragpu-8g", None)
    changed = {**state, "initial_node_count": 3}
    view = only_pool(plans().add(POOL, "update", before=state, after=changed, written=written).json())
    assert view.get("initial_node_count") == Known(3, None)
