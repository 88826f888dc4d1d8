"""Every key of a spec that has them all: values of no use, keys that stand twice, in YAML and JSON."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from generator.errors import UserErrors
from generator.spec.load import parse
from generator.spec.validate import schema

KEY = "projects/p/locations/us-central1/keyRings/r/cryptoKeys/k"
ACCOUNT = "nodes@my-project.iam.gserviceaccount.com"
TIMES = {"start_time": "2026-01-03T01:00:00Z", "end_time": "2026-01-03T09:00:00Z"}
CAPACITY = {"kind": "reservation", "project": "other-project", "name": "r", "block": "b", "sub_block": "s"}
FULL: dict[str, Any] = {
    "version": 1,
    "name": "train",
    "project": "my-project",
    "zone": "us-central1-b",
    "mode": "standard",
    "layout": "root",
    "backend": {"kind": "gcs", "bucket": "bucket", "prefix": "p"},
    "cluster": {
        "create": True,
        "location": "us-central1",
        "version": "1.34",
        "release_channel": "RAPID",
        "default_pool": {"node_count": 2, "machine_type": "e2-standard-4"},
        "deletion_protection": False,
        "network": {"network": "n", "subnetwork": "s", "pods_range_name": "p", "services_range_name": "q"},
        "private": {
            "nodes": True,
            "endpoint": False,
            "dns_endpoint": True,
            "master_ipv4_cidr_block": "172.16.0.0/28",
            "authorized_networks": [{"cidr_block": "10.0.0.0/8", "display_name": "office"}],
        },
        "workload_identity": True,
        "database_encryption_key": KEY,
        "service_account": ACCOUNT,
        "resource_labels": {"team": "research"},
        "maintenance": {
            "window": {**TIMES, "recurrence": "FREQ=DAILY"},
            "exclusions": [{"name": "x", **TIMES, "scope": "NO_UPGRADES"}],
        },
        "node_locations": ["us-central1-a"],
        "node_auto_provisioning": {"max_cpu": 1000, "max_memory_gb": 10000, "max_gpus": 16},
    },
    "node_pools": [
        {
            "name": "pool",
            "machine_type": "a3-ultragpu-8g",
            "node_count": 2,
            "capacity": CAPACITY,
            "zone": "us-central1-b",
            "networking": "multi-network",
            "networks": {"gvnic_cidr": "192.168.64.0/18", "rdma_cidr": "192.168.128.0/18"},
            "gpu_driver": "latest",
            "disk_type": "hyperdisk-balanced",
            "disk_size_gb": 100,
            "disk_kms_key": KEY,
            "service_account": ACCOUNT,
            "oauth_scopes": ["cloud-platform"],
            "tags": ["gpu"],
            "labels": {"team": "research"},
            "taints": [{"key": "team", "value": "research", "effect": "NO_SCHEDULE"}],
            "upgrade_settings": {"max_surge": 0, "max_unavailable": 1},
            "max_run_duration": "3600s",
            "queued_provisioning": False,
            "compact_placement": False,
        },
        {
            "name": "other",
            "machine_type": "a4-highgpu-8g",
            "autoscaling": {"min_node_count": 0, "max_node_count": 4},
            "capacity": {"kind": "spot"},
        },
    ],
    "compute_class": {
        "name": "class",
        "machine_type": "a4-highgpu-8g",
        "capacity": CAPACITY,
        "gpu_driver": "default",
        "max_run_duration": "3600s",
        "fallbacks": [{"machine_type": "a3-ultragpu-8g", "capacity": CAPACITY, "max_run_duration": "3600s"}],
    },
    "workload": {"name": "w", "image": "i", "command": "c", "hosts": 2},
}
# They exclude what the spec above has.
LEFT_OUT = {"backend.path", "node_pools[].networks.gvnic_prefix", "node_pools[].networks.rdma_prefix"} | {
    "node_pools[].networks.project"
}


def paths(part: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for step, inner in items:
        yield (*path, step)
        yield from paths(inner, (*path, step))


def named(path: tuple[str | int, ...]) -> str:
    return ".".join(str(s) for s in path).replace(".0", "[]").replace(".1", "[]")


def keys(part: dict[str, Any], path: str = "") -> Iterator[str]:
    for name, child in part.get("properties", {}).items():
        yield f"{path}{name}"
        yield from keys(child, f"{path}{name}.")
        yield from keys(child.get("items", {}), f"{path}{name}[].")


def replaced(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    data: Any = copy.deepcopy(FULL)
    inner = data
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return dict(data)


def wrong(text: str, name: str) -> list[Any]:
    with pytest.raises(UserErrors) as caught:
        parse(text, name)
    return list(caught.value.errors)


def test_the_spec_has_every_key() -> None:
    assert set(keys(schema())) - LEFT_OUT <= {named(path) for path in paths(FULL)}
    parse(yaml.safe_dump(FULL, sort_keys=False), "rdma.yaml")
    parse(json.dumps(FULL), "rdma.json")


# Free text, text that is worth a warning only, and machine types, whose own check is tested elsewhere.
FREE_TEXT = ("machine_type", "display_name", "prefix", "command", "image", "disk_type", "name", "team", "key", "value")


@pytest.mark.parametrize("path", list(paths(FULL)), ids=named)
def test_values_of_no_use_have_a_place_and_a_hint(path: tuple[str | int, ...]) -> None:
    for value in (1.5, [[1]], {"a": {"b": [1]}}, -(10**30), "\x00", "{" * 3):
        if isinstance(value, str) and ("oauth_scopes" in path or path[-1] in FREE_TEXT):
            continue
        for dump, name in ((yaml.safe_dump, "rdma.yaml"), (json.dumps, "rdma.json")):
            found = wrong(dump(replaced(path, value)), name)
            assert all(e.line and e.column and e.code == 2 and e.hint for e in found), [e.message for e in found]


def test_a_key_that_stands_twice_is_told_at_every_level() -> None:
    lines = yaml.safe_dump(json.loads(json.dumps(FULL)), sort_keys=False).splitlines()
    for index, line in enumerate(lines):
        found = re.match(r"( *)(- )?([a-z_]+): \S", line)
        if found is None:
            continue
        again = " " * (len(found[1]) + len(found[2] or "")) + line.lstrip(" -")
        (error,) = wrong("\n".join([*lines[: index + 1], again, *lines[index + 1 :]]), "rdma.yaml")
        assert (error.line, "is written twice" in error.message) == (index + 2, True), line
