"""The ComputeClass against the rules of its API, and the rules against classes that are wrong."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from compute_class_rules import problems, rdma_problems
from manifest_stage import ROUTES, files_of

CLASSES = {name: route for name, route in ROUTES.items() if "compute_class" in route}


def compute_class(name: str) -> dict[str, Any]:
    (document,) = files_of(CLASSES[name])["compute-class.yaml"]
    return document


@pytest.mark.parametrize("name", CLASSES)
def test_the_api_takes_it_and_its_nodes_have_rdma(name: str) -> None:
    document = compute_class(name)
    assert problems(document) == []
    assert list(rdma_problems(document)) == []


def test_a_reservation_has_nested_blocks() -> None:
    (priority,) = compute_class("autopilot-reservation")["spec"]["priorities"]
    assert priority == {
        "gpu": {"type": "nvidia-b200", "count": 8, "driverVersion": "default"},
        "machineType": "a4-highgpu-8g",
        "reservations": {
            "affinity": "Specific",
            "specific": [
                {
                    "name": "r9",
                    "project": "shared-res",
                    "zones": ["us-central1-b"],
                    "reservationBlock": {"name": "b1", "reservationSubBlock": {"name": "s2"}},
                }
            ],
        },
        "acceleratorNetworkProfile": "auto",
        "gpuDirect": "rdma",
    }


def test_what_the_spec_leaves_out_is_not_written() -> None:
    (priority,) = compute_class("autopilot-plain-reservation")["spec"]["priorities"]
    assert priority["reservations"]["specific"] == [{"name": "r", "zones": ["us-central1-b"]}]
    assert priority["gpu"] == {"type": "nvidia-b200", "count": 8}


def test_fallbacks_are_priorities_in_order() -> None:
    found = compute_class("autopilot-fallbacks")["spec"]["priorities"]
    assert [p["machineType"] for p in found] == ["a4-highgpu-8g", "a4-highgpu-8g", "a3-ultragpu-8g", "a3-ultragpu-8g"]
    assert [p["gpu"]["type"] for p in found] == ["nvidia-b200", "nvidia-b200", "nvidia-h200-141gb", "nvidia-h200-141gb"]
    assert {p["gpu"]["driverVersion"] for p in found} == {"autoinstall-disabled"}
    assert [p.get("flexStart") for p in found] == [None, {"enabled": True}, None, None]
    assert [p.get("maxRunDurationSeconds") for p in found] == [None, 600, None, None]
    assert [p.get("spot") for p in found] == [None, None, True, None]
    assert [p.get("location") for p in found] == [None, *[{"zones": ["us-central1-b"]}] * 3]


WRONG: dict[str, tuple[str, Any]] = {
    "profile missing": ("priorities.0.acceleratorNetworkProfile", None),
    "profile in capitals": ("priorities.0.acceleratorNetworkProfile", "Auto"),
    "RDMA in capitals": ("priorities.0.gpuDirect", "RDMA"),
    "block as a path": ("priorities.0.reservations.specific.0.reservationBlock", "b1"),
    "no reservation named": ("priorities.0.reservations.specific", []),
    "affinity of Terraform": ("priorities.0.reservations.affinity", "SPECIFIC_RESERVATION"),
    "specific without Specific": ("priorities.0.reservations.affinity", "AnyBestEffort"),
    "spot as text": ("priorities.0.spot", "true"),
    "count as text": ("priorities.0.gpu.count", "8"),
    "driver of Terraform": ("priorities.0.gpu.driverVersion", "LATEST"),
    "unknown field": ("priorities.0.gpuDirectStrategy", "RDMA"),
    "family and type": ("priorities.0.machineFamily", "a4"),
    "minimum and type": ("priorities.0.minCores", 4),
    "pools and type": ("priorities.0.nodepools", ["p"]),
    "topology": ("priorities.0.gpu.topology", "1x72"),
    "score in one": ("priorities.1.priorityScore", 5),
    "score too high": ("priorities.0.priorityScore", 1001),
    "wait without flex-start": ("priorities.0.capacityCheckWaitTimeSeconds", 60),
    "spot and flex-start": ("priorities.1.spot", True),
    "empty priority": ("priorities.1", {}),
    "no priorities": ("priorities", None),
    "autopilot with Ubuntu": ("autopilot", {"enabled": True}),
    "number for a name": ("../metadata.name", 1),
}


@pytest.mark.parametrize("name", WRONG)
def test_the_rules_see_mistakes(name: str) -> None:
    document = copy.deepcopy(compute_class("autopilot-fallbacks"))
    if name == "autopilot with Ubuntu":
        document["spec"]["nodePoolConfig"]["imageType"] = "ubuntu_containerd"
    path, value = WRONG[name]
    here: Any = document["spec"]
    if path.startswith("../"):
        path, here = path[3:], document
    *steps, last = path.split(".")
    for step in steps:
        here = here[int(step) if step.isdigit() else step]
    key: Any = int(last) if last.isdigit() else last
    if value is None:
        del here[key]
    else:
        here[key] = value
    assert problems(document)
