"""The rules of the ComputeClass API that its CRD enforces: fields, types, enumerations, and what goes with what.

Source: GoogleCloudPlatform/compute-class-api, api/cloud.google.com/v1/types.go (kubebuilder markers and CEL rules). Only the
fields that concern machines with RDMA are listed; a field that is not listed here is a problem.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

STRING, BOOLEAN = {"type": "string"}, {"type": "boolean"}


def whole(least: int, most: int | None = None) -> dict[str, Any]:
    return {"type": "integer", "minimum": least} | ({} if most is None else {"maximum": most})


def record(required: tuple[str, ...] = (), **fields: Any) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": list(required), "properties": fields}


def listed(of: Any, least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": of, "minItems": least}


SPECIFIC = record(
    ("name",),
    name=STRING,
    project=STRING,
    zones=listed(STRING, 1),
    reservationBlock=record(("name",), name=STRING, reservationSubBlock=record(("name",), name=STRING)),
)
PRIORITY = record(
    machineFamily={"type": "string", "maxLength": 10},
    machineType={"type": "string", "maxLength": 100},
    minCores=whole(0),
    minMemoryGb=whole(0),
    nodepools=listed(STRING),
    spot=BOOLEAN,
    gpu=record(
        type=STRING,
        count=whole(0),
        driverVersion={"enum": ["default", "latest", "autoinstall-disabled"]},
        topology=STRING,
    ),
    placement=record(("policyName",), policyName={"type": "string", "minLength": 1}),
    reservations=record(
        ("affinity",),
        affinity={"enum": ["Specific", "AnyBestEffort", "None", "AnyThenFail"]},
        specific=listed(SPECIFIC),
    ),
    flexStart=record(
        ("enabled",), enabled=BOOLEAN, nodeRecycling=record(("leadTimeSeconds",), leadTimeSeconds=whole(1, 604800))
    ),
    capacityCheckWaitTimeSeconds=whole(1, 86400),
    maxRunDurationSeconds={"type": "integer"},
    maxPodsPerNode=whole(8, 256),
    priorityScore=whole(1, 1000),
    location=record(
        zones=listed(STRING, 1),
        locationPolicy={"enum": ["ANY", "BALANCED"]},
        zoneTypes=listed({"enum": ["STANDARD", "AI", "CLUSTER_DEFAULT"]}, 1),
    ),
    storage=record(
        bootDiskType={"enum": ["pd-balanced", "pd-standard", "pd-ssd", "hyperdisk-balanced"]}, localSSDCount=whole(1)
    ),
    acceleratorNetworkProfile={"type": "string", "pattern": "^[a-z]([a-z0-9-]*[a-z0-9])?$", "maxLength": 63},
    gpuDirect={"const": "rdma"},
)
PRIORITY["minProperties"] = 1
COMPUTE_CLASS = record(
    ("apiVersion", "kind", "metadata", "spec"),
    apiVersion={"const": "cloud.google.com/v1"},
    kind={"const": "ComputeClass"},
    metadata=record(("name",), name={"type": "string", "pattern": "^[a-z]([a-z0-9-]*[a-z0-9])?$", "maxLength": 63}),
    spec=record(
        ("priorities",),
        autopilot=record(("enabled",), enabled=BOOLEAN),
        nodePoolAutoCreation=record(("enabled",), enabled=BOOLEAN),
        whenUnsatisfiable={"enum": ["ScaleUpAnyway", "DoNotScaleUp"]},
        nodePoolConfig=record(
            imageType={"enum": ["cos_containerd", "ubuntu_containerd", "custom_containerd"]},
            serviceAccount=STRING,
            dra=record(networking=record(enabled=BOOLEAN)),
        ),
        priorities=listed(PRIORITY) | {"maxItems": 1000},
    ),
)


def problems(document: dict[str, Any]) -> list[str]:
    """Everything that the API server would refuse."""
    from jsonschema import Draft202012Validator

    found = [
        f"{error.json_path}: {error.message}" for error in Draft202012Validator(COMPUTE_CLASS).iter_errors(document)
    ]
    if not found:
        spec = document["spec"]
        found += [message for priority in spec["priorities"] for message in _priority(priority)]
        found += _whole(spec)
    return found


def _priority(one: dict[str, Any]) -> Iterator[str]:
    reservations, flexible = one.get("reservations", {}), one.get("flexStart", {}).get("enabled", False)
    is_specific = reservations.get("affinity") == "Specific"
    topology = one.get("gpu", {}).get("topology")
    is_a4x = one.get("machineFamily") == "a4x" or one.get("gpu", {}).get("type") == "nvidia-gb200"
    for wrong, message in (
        ("nodepools" in one and set(one) - {"nodepools", "priorityScore"}, "nodepools stands alone"),
        ("machineFamily" in one and "machineType" in one, "machineFamily and machineType"),
        ("machineType" in one and ("minCores" in one or "minMemoryGb" in one), "machineType and minimum"),
        (bool(reservations.get("specific")) and not is_specific, "specific reservations without Specific"),
        (is_specific and not reservations.get("specific"), "Specific without reservations"),
        (one.get("spot") and flexible, "spot and flexStart"),
        ("capacityCheckWaitTimeSeconds" in one and not flexible, "capacityCheckWaitTimeSeconds without flexStart"),
        (one.get("gpuDirect") == "rdma" and "acceleratorNetworkProfile" not in one, "gpuDirect without a profile"),
        (topology and not (is_a4x and one.get("placement", {}).get("policyName")), "topology without A4X"),
    ):
        if wrong:
            yield message


def _whole(spec: dict[str, Any]) -> Iterator[str]:
    autopilot = spec.get("autopilot", {}).get("enabled", False)
    image = spec.get("nodePoolConfig", {}).get("imageType", "cos_containerd")
    scored = {"priorityScore" in priority for priority in spec["priorities"]}
    for wrong, message in (
        (len(scored) > 1, "priorityScore in some priorities only"),
        (autopilot and any("nodepools" in p for p in spec["priorities"]), "nodepools with autopilot"),
        (autopilot and spec.get("nodePoolAutoCreation", {}).get("enabled") is False, "no auto-creation with autopilot"),
        (autopilot and image != "cos_containerd", "an image of one's own with autopilot"),
    ):
        if wrong:
            yield message


def rdma_problems(document: dict[str, Any]) -> Iterator[str]:
    """What the API server takes, but what gives nodes without RDMA or none at all."""
    spec = document["spec"]
    if spec.get("nodePoolConfig", {}).get("dra", {}).get("networking", {}).get("enabled") is not True:
        yield "DRANET is off"
    if spec.get("nodePoolAutoCreation", {}).get("enabled") is not True:
        yield "no node pool is made"
    if spec.get("nodePoolConfig", {}).get("imageType", "cos_containerd") != "cos_containerd":
        yield "the installer works on Container-Optimized OS only"
    gpus = {"a3-ultragpu-8g": "nvidia-h200-141gb", "a4-highgpu-8g": "nvidia-b200"}
    for one in spec["priorities"]:
        if one.get("gpuDirect") != "rdma":
            yield "no installer"
        if not re.fullmatch("auto(-.+)?", one.get("acceleratorNetworkProfile", "")):
            yield "no networks"
        if one.get("gpu", {}).get("type") != gpus.get(one.get("machineType", "")) or one["gpu"].get("count") != 8:
            yield "the GPUs are not the machine's"
        zones = one.get("location", {}).get("zones") or [
            zone for r in one.get("reservations", {}).get("specific", []) for zone in r.get("zones", [])
        ]
        if len(set(zones)) != 1:
            yield "not exactly one zone"
