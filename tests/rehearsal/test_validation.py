"""What the provider refuses at validate."""

import copy

import pytest
from rehearsal_stage import CLUSTER_CONFIG, POOL_CONFIG

from generator.rehearsal import validation
from generator.rehearsal.wire import UNKNOWN, complete
from generator.schema import provider

POOL, CLUSTER, FIREWALL = "google_container_node_pool", "google_container_cluster", "google_compute_firewall"


def complaints(type_, config):
    schema = provider.resource(type_)
    found = validation.diagnostics(schema, complete(config, schema))
    return [f"{d.summary} {d.detail}".strip() for d in found if d.severity == 1]


def with_node(**arguments):
    config = copy.deepcopy(POOL_CONFIG)
    config["node_config"][0] |= arguments
    return config


@pytest.mark.parametrize(
    ("type_", "config"),
    [
        (POOL, POOL_CONFIG),
        (CLUSTER, CLUSTER_CONFIG),
        (POOL, with_node(reservation_affinity=UNKNOWN)),
        (POOL, with_node(reservation_affinity=[{"consume_reservation_type": UNKNOWN}])),
        (POOL, POOL_CONFIG | {"node_count": UNKNOWN}),
        (CLUSTER, CLUSTER_CONFIG | {"enable_autopilot": UNKNOWN, "remove_default_node_pool": UNKNOWN}),
        (CLUSTER, CLUSTER_CONFIG | {"maintenance_policy": [{"daily_maintenance_window": [{"start_time": "03:00"}]}]}),
        (
            CLUSTER,
            CLUSTER_CONFIG
            | {
                "maintenance_policy": [
                    {"recurring_window": [{"start_time": "2026-01-01T09:00:00Z", "end_time": "2026-01-01T17:00:00Z"}]}
                ]
            },
        ),
        (FIREWALL, {"name": "f", "network": "n", "allow": [{"protocol": "tcp"}]}),
        (FIREWALL, {"name": "f", "network": "n", "allow": UNKNOWN}),
    ],
)
def test_valid_configurations_have_no_complaint(type_, config):
    assert complaints(type_, config) == []


@pytest.mark.parametrize(
    ("type_", "config", "message"),
    [
        (
            POOL,
            with_node(reservation_affinity=[{"consume_reservation_type": "SOME"}]),
            "expected node_config.0.reservation_affinity.0.consume_reservation_type to be one of",
        ),
        (POOL, with_node(disk_size_gb=5), "expected node_config.0.disk_size_gb to be at least (10), got 5"),
        (POOL, POOL_CONFIG | {"node_count": -1}, "expected node_count to be at least (0), got -1"),
        (
            CLUSTER,
            CLUSTER_CONFIG | {"enable_autopilot": True, "remove_default_node_pool": True},
            '"remove_default_node_pool": conflicts with enable_autopilot',
        ),
        (
            CLUSTER,
            CLUSTER_CONFIG | {"master_authorized_networks_config": [{"cidr_blocks": [{"cidr_block": "all"}]}]},
            "is not a valid cidr",
        ),
        (CLUSTER, CLUSTER_CONFIG | {"private_cluster_config": [{}]}, "must be specified"),
        (FIREWALL, {"name": "f", "network": "n"}, "one of `allow,deny` must be specified"),
        (
            FIREWALL,
            {"name": "f", "network": "n", "allow": [{"protocol": "tcp"}], "deny": [{"protocol": "udp"}]},
            "only one of `allow,deny` can be specified, but `allow,deny` were specified.",
        ),
        (FIREWALL, {"name": "f", "network": "n", "allow": [{"protocol": "tcp"}], "priority": 70000}, "(0 - 65535)"),
    ],
)
def test_what_the_provider_refuses(type_, config, message):
    found = complaints(type_, config)
    assert any(message in text for text in found), found


def test_a_complaint_points_at_its_argument():
    schema = provider.resource(POOL)
    (found,) = validation.diagnostics(schema, complete(with_node(disk_size_gb=5), schema))
    assert [s.attribute_name or s.element_key_int for s in found.attribute.steps] == ["node_config", 0, "disk_size_gb"]
