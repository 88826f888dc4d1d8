"""Where the provider puts what writes no location, told by the JSON of a plan alone."""

from __future__ import annotations

from typing import Any

import pytest

from generator.rules import pool_location, single_zone
from generator.view.plan import tree

CLUSTER = {"name": "c", "datapath_provider": "ADVANCED_DATAPATH"}
POOL = {
    "name": "gpu",
    "cluster": "c",
    "network_config": [{"accelerator_network_profile": "auto"}],
    "node_config": [{"machine_type": "a3-ultragpu-8g"}],
}


def expressions(written: dict[str, Any]) -> dict[str, Any]:
    return {
        name: [expressions(block) for block in value] if isinstance(value, list) else {"constant_value": value}
        for name, value in written.items()
    }


def says(cluster: dict[str, Any], pool: dict[str, Any], provider: dict[str, str], key: str = "google") -> set[str]:
    """The rules that find something, for resources in a module that are made by one provider configuration."""
    changes, written = [], []
    for type_, body in (
        ("google_container_cluster", {**CLUSTER, **cluster}),
        ("google_container_node_pool", {**POOL, **pool}),
    ):
        head = {"address": f"module.m.{type_}.x", "mode": "managed", "type": type_, "name": "x"}
        change = {
            "actions": ["create"],
            "before": None,
            "after": body,
            "after_unknown": {"location": "location" not in body},
        }
        place = {"module_address": "module.m", "provider_name": "registry.terraform.io/hashicorp/google"}
        changes.append({**head, **place, "change": change})
        own = {**head, "address": f"{type_}.x", "provider_config_key": key, "expressions": expressions(body)}
        written.append(own)
    configuration = {
        "provider_config": {"google": {"name": "google", "expressions": expressions(provider)}},
        "root_module": {"module_calls": {"m": {"module": {"resources": written}}}},
    }
    view = tree({"resource_changes": changes, "configuration": configuration})
    rules = (pool_location.RULE, single_zone.RULE)
    return {rule.name for rule in rules for pool in view.pools for _ in rule.check(pool)}


BOTH = {"region": "us-central1", "zone": "us-central1-b"}
ZONE = {"zone": "us-central1-b"}


@pytest.mark.parametrize(
    ("cluster", "pool", "provider", "key", "wanted"),
    [
        ({}, {}, BOTH, "google", {"single-zone"}),
        ({}, {"location": "us-central1-b"}, BOTH, "google", {"pool-location"}),
        ({"location": "us-central1-b"}, {}, BOTH, "google", {"pool-location"}),
        ({}, {}, ZONE, "google", set()),
        ({"location": "us-central1-b"}, {}, ZONE, "google", set()),
        ({}, {"location": "us-central1-b"}, BOTH, "google.west", set()),
        ({}, {}, {}, "google", set()),
    ],
)
def test_region_before_zone(
    cluster: dict[str, Any], pool: dict[str, Any], provider: dict[str, str], key: str, wanted: set[str]
) -> None:
    assert says(cluster, pool, provider, key) == wanted
