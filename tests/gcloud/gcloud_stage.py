"""Specs of every route, their scripts, and a project to run them in."""

from __future__ import annotations

import copy
import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.render.gcloud import script
from generator.spec.build import build

Spec = dict[str, Any]
FAKE = Path(__file__).with_name("fake_cloud.py")


def pool(**changes: Any) -> Spec:
    return {
        "name": "rdma-pool",
        "machine_type": "a3-ultragpu-8g",
        "node_count": 2,
        "capacity": {"kind": "none"},
    } | changes


def scaled(**changes: Any) -> Spec:
    made = pool(autoscaling={"min_node_count": 0, "max_node_count": 8}, **changes)
    del made["node_count"]
    return made


def standard(*pools: Spec, **changes: Any) -> Spec:
    return {
        "version": 1,
        "name": "train",
        "project": "my-project",
        "zone": "us-central1-b",
        "node_pools": list(pools),
    } | changes


def with_class(compute_class: Spec, **changes: Any) -> Spec:
    return {
        "version": 1,
        "name": "train",
        "project": "my-project",
        "zone": "us-central1-b",
        "compute_class": {"name": "rdma-class", "machine_type": "a4-highgpu-8g", "capacity": {"kind": "none"}}
        | compute_class,
    } | changes


MULTI = {"networking": "multi-network"}
NETWORKS = {"gvnic_prefix": "g", "rdma_prefix": "r"}
EXISTING = {"create": False, "location": "us-central1"}
RESERVATION = {"kind": "reservation", "project": "shared-res", "name": "r9", "block": "b1"}
MAINTENANCE = {
    "window": {
        "start_time": "2026-01-03T01:00:00Z",
        "end_time": "2026-01-03T09:00:00Z",
        "recurrence": "FREQ=WEEKLY;BYDAY=SA,SU",
    },
    "exclusions": [
        {"name": "launch", "start_time": "2026-03-01T00:00:00Z", "end_time": "2026-03-15T00:00:00Z"},
        {
            "name": 'the "big" one',
            "start_time": "2026-06-01T00:00:00Z",
            "end_time": "2026-06-15T00:00:00Z",
            "scope": "NO_MINOR_OR_NODE_UPGRADES",
        },
    ],
}
FULL_CLUSTER = {
    "version": "1.36",
    "release_channel": "RAPID",
    "network": {
        "network": "projects/host-project/global/networks/shared",
        "subnetwork": "projects/host-project/regions/us-central1/subnetworks/gke",
        "pods_range_name": "pods",
        "services_range_name": "services",
    },
    "private": {
        "nodes": True,
        "endpoint": True,
        "dns_endpoint": True,
        "master_ipv4_cidr_block": "172.16.0.0/28",
        "authorized_networks": [{"cidr_block": "10.0.0.0/8", "display_name": "office"}, {"cidr_block": "10.8.0.0/16"}],
    },
    "database_encryption_key": "projects/p/locations/us-central1/keyRings/r/cryptoKeys/k",
    "service_account": "gke@my-project.iam.gserviceaccount.com",
    "resource_labels": {"team": "research", "cost": "1,5"},
    "maintenance": MAINTENANCE,
}
FULL_POOL = {
    "capacity": RESERVATION,
    "gpu_driver": "latest",
    "disk_type": "hyperdisk-balanced",
    "disk_size_gb": 200,
    "disk_kms_key": "projects/p/locations/us-central1/keyRings/r/cryptoKeys/d",
    "service_account": "gke@my-project.iam.gserviceaccount.com",
    "oauth_scopes": ["https://www.googleapis.com/auth/logging.write", "https://www.googleapis.com/auth/monitoring"],
    "tags": ["rdma", "gpu"],
    "labels": {"team": "research"},
    "taints": [
        {"key": "team", "value": "research", "effect": "NO_SCHEDULE"},
        {"key": "x", "value": "", "effect": "NO_EXECUTE"},
    ],
}
LIMITS = {"max_cpu": 9000, "max_memory_gb": 99000, "max_gpus": 64}
FALLBACKS = [{"machine_type": "a3-ultragpu-8g", "capacity": {"kind": "spot"}}]

ROUTES: dict[str, Spec] = {
    "dranet": standard(pool()),
    "dranet-regional-full": standard(
        pool(**FULL_POOL, zone="us-central1-c"),
        cluster={**FULL_CLUSTER, "location": "us-central1", "node_locations": ["us-central1-c", "us-central1-a"]},
    ),
    "spot-compact": standard(
        scaled(
            capacity={"kind": "spot"}, compact_placement=True, upgrade_settings={"max_surge": 1, "max_unavailable": 2}
        ),
        cluster={"default_pool": {"node_count": 3, "machine_type": "e2-standard-4"}, "workload_identity": False},
    ),
    "flex-start": standard(scaled(capacity={"kind": "flex-start"}, max_run_duration="86400s", gpu_driver="default")),
    "queued": standard(scaled(queued_provisioning=True), cluster={"version": None, "release_channel": "REGULAR"}),
    "several-pools": standard(pool(name="one"), pool(name="two", machine_type="a4-highgpu-8g")),
    "multi-network": standard(pool(**MULTI, capacity={"kind": "reservation", "name": "r1"})),
    "multi-network-existing": standard(
        pool(**MULTI, networks={"gvnic_prefix": "g", "rdma_prefix": "r", "project": "host-project"}, labels={"a": "b"}),
        cluster={"location": "us-central1", "network": FULL_CLUSTER["network"]},
    ),
    "both-routes": standard(pool(name="claims"), pool(name="annotations", **MULTI, networks=NETWORKS)),
    "existing-cluster": standard(pool(), cluster=EXISTING),
    "existing-cluster-multi-network": standard(pool(**MULTI, networks=NETWORKS), cluster=EXISTING),
    "autopilot": with_class({"capacity": RESERVATION}, mode="autopilot"),
    "autopilot-full": with_class(
        {"fallbacks": FALLBACKS},
        mode="autopilot",
        cluster={k: v for k, v in FULL_CLUSTER.items() if k != "node_locations"},
    ),
    "auto-provisioning": with_class(
        {}, cluster={"node_auto_provisioning": LIMITS, "service_account": "gke@my-project.iam.gserviceaccount.com"}
    ),
    "auto-provisioning-two-types": with_class(
        {"fallbacks": FALLBACKS},
        cluster={"node_auto_provisioning": LIMITS, "service_account": "gke@my-project.iam.gserviceaccount.com"},
        node_pools=[pool()],
    ),
    "hostile": standard(
        pool(
            oauth_scopes=["a,b", "$(touch pwned)"],
            labels={"x": "`touch pwned`", "y": "a,b;c", "z": "'\"\n"},
            taints=[{"key": "${HOME}", "value": "^,^", "effect": "NO_SCHEDULE"}],
            disk_type="$(touch pwned)",
        ),
        cluster={"default_pool": {"machine_type": "'; touch pwned; '"}, "resource_labels": {"a": "\x1b[31m\u202e\\"}},
    ),
}


def spec_of(data: Spec) -> Any:
    # Unchecked: a script has to hold whatever text the checks may let through some day.
    return build(copy.deepcopy(data))


def script_of(data: Spec) -> str:
    return script(spec_of(data))


def items(value: str) -> list[str]:
    """The items of a list, as gcloud reads it (`gcloud topic escaping`)."""
    separator = ","
    if value.startswith("^") and "^" in value[1:]:
        separator, value = value[1:].split("^", 1)
    return value.split(separator)


def pairs(value: str) -> dict[str, str]:
    """The entries of a dictionary, as gcloud reads it."""
    return dict((entry.split("=", 1)) for entry in items(value))


class Cloud:
    """A project in a folder, with doubles of gcloud and kubectl."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.bin = folder / "bin"
        self.bin.mkdir()
        for tool in ("gcloud", "kubectl"):
            path = self.bin / tool
            path.write_text(
                f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -I -S {shlex.quote(str(FAKE))} {tool} "$@"\n'
            )
            path.chmod(0o755)
        self.work = folder / "work"
        self.work.mkdir()

    def run(self, text: str, **environment: str) -> subprocess.CompletedProcess[str]:
        path = self.folder / "create.sh"
        path.write_bytes(text.encode("utf-8"))
        return subprocess.run(
            ["bash", str(path)],
            cwd=self.work,
            env={"PATH": f"{self.bin}:{os.environ['PATH']}", "FAKE_CLOUD": str(self.folder), **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def calls(self) -> list[dict[str, Any]]:
        """Every call since the last time this was asked."""
        log = self.folder / "calls"
        found = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
        log.unlink(missing_ok=True)
        return found

    def state(self) -> dict[str, Any]:
        path = self.folder / "state.json"
        return json.loads(path.read_text()) if path.exists() else {}

    def put(self, **resources: Any) -> None:
        (self.folder / "state.json").write_text(json.dumps(self.state() | resources))

    def put_cluster(self, location: str, *flags: str, version: str = "1.36.2-gke.1368000") -> None:
        made = {"flags": {flag: [True] for flag in flags}, "exclusions": {}, "window": None, "version": version}
        self.put(**{f"my-project/{location}/clusters/train": made})

    def put_existing(self, data: Spec) -> None:
        """What a spec looks up but does not make."""
        spec = spec_of(data)
        if not spec.cluster.create:
            multi = () if spec.network_pair is None else ("--enable-multi-networking",)
            self.put_cluster(spec.cluster.location, "--enable-dataplane-v2", *multi)
        pair = spec.network_pair
        if pair is not None and pair.exist:
            for network in (pair.gvnic_network, pair.rdma_network):
                self.put(**{f"{pair.project}/global/networks/{network}": {"flags": {}}})

    def fail_at(self, turn: int) -> None:
        (self.folder / "fail-at").write_text(str(turn))


@dataclass(frozen=True)
class Outcome:
    """What two runs of a route's script did."""

    first: subprocess.CompletedProcess[str]
    calls: list[dict[str, Any]]
    state: dict[str, Any]
    second: subprocess.CompletedProcess[str]
    second_calls: list[dict[str, Any]]
    second_state: dict[str, Any]
    left: list[Path]


def outcome_of(data: Spec, cloud: Cloud) -> Outcome:
    cloud.put_existing(data)
    text = script_of(data)
    first = cloud.run(text)
    calls, state = cloud.calls(), cloud.state()
    second = cloud.run(text)
    return Outcome(first, calls, state, second, cloud.calls(), cloud.state(), list(cloud.work.iterdir()))


def made(calls: list[dict[str, Any]], command: str) -> list[tuple[str, dict[str, list[str]]]]:
    """Name and flags of each call of a command."""
    return [
        (call["name"], flags(call["arguments"]))
        for call in calls
        if call["tool"] == "gcloud" and call["command"] == command
    ]


def flags(arguments: list[str]) -> dict[str, list[str]]:
    """Values by flag; a switch has the value ""."""
    found: dict[str, list[str]] = {}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        if not equals and name in ("--accelerator", "--additional-node-network", "--scopes"):
            value = next(rest)
        found.setdefault(name, []).append(value)
    return found
