"""Specs of every route, and their manifests as documents."""

from __future__ import annotations

import copy
from typing import Any

import yaml

from generator.render.manifests import manifests
from generator.spec.build import build

Spec = dict[str, Any]
Documents = list[dict[str, Any]]

GPU_DRA = {
    "gke-no-default-nvidia-gpu-device-plugin": "true",
    "nvidia.com/gpu.present": "true",
    "cloud.google.com/gke-nvidia-gpu-dra-driver": "true",
}


def pool(**changes: Any) -> Spec:
    return {
        "name": "rdma-pool",
        "machine_type": "a3-ultragpu-8g",
        "node_count": 4,
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


AUTOPILOT = {"mode": "autopilot"}
PROVISIONING = {"cluster": {"node_auto_provisioning": {"max_cpu": 9000, "max_memory_gb": 99000, "max_gpus": 64}}}
RESERVATION = {"kind": "reservation", "project": "shared-res", "name": "r9", "block": "b1", "sub_block": "s2"}
MULTI = {"networking": "multi-network"}
TAINTS = [
    {"key": "team", "value": "research", "effect": "NO_SCHEDULE"},
    {"key": "slow", "value": "", "effect": "NO_EXECUTE"},
]

ROUTES: dict[str, Spec] = {
    "dranet": standard(pool()),
    "dranet-reservation": standard(pool(capacity=RESERVATION, taints=TAINTS)),
    "dranet-spot": standard(scaled(capacity={"kind": "spot"}), cluster={"location": "us-central1"}),
    "dranet-a4": standard(pool(machine_type="a4-highgpu-8g")),
    "flex-start": standard(scaled(capacity={"kind": "flex-start"}, max_run_duration="86400s")),
    "queued": standard(scaled(capacity={"kind": "flex-start"}, queued_provisioning=True)),
    "queued-for-an-hour": standard(scaled(queued_provisioning=True, max_run_duration="3600s", taints=TAINTS)),
    "several-pools": standard(pool(name="small", node_count=1), pool(name="large", taints=TAINTS)),
    "small-pools": standard(pool(name="one", node_count=1, taints=TAINTS), pool(name="two", node_count=3)),
    "gpu-dra": standard(pool(gpu_driver="disabled", labels=GPU_DRA)),
    "own-device-plugin": standard(pool(labels={"gke-no-default-nvidia-gpu-device-plugin": "true"})),
    "multi-network": standard(pool(**MULTI)),
    "multi-network-existing": standard(
        pool(**MULTI, networks={"gvnic_prefix": "g", "rdma_prefix": "r", "project": "host-project"}, taints=TAINTS)
    ),
    "multi-network-gpu-dra": standard(pool(**MULTI, gpu_driver="disabled", labels=GPU_DRA)),
    "both-routes": standard(pool(name="claims"), pool(name="annotations", **MULTI)),
    "both-routes-multi-first": standard(pool(name="annotations", **MULTI), pool(name="claims")),
    "existing-cluster": standard(pool(), cluster={"create": False, "location": "us-central1"}),
    "autopilot": with_class({}, **AUTOPILOT),
    "autopilot-reservation": with_class({"capacity": RESERVATION, "gpu_driver": "default"}, **AUTOPILOT),
    "autopilot-plain-reservation": with_class({"capacity": {"kind": "reservation", "name": "r"}}, **AUTOPILOT),
    "autopilot-spot": with_class({"capacity": {"kind": "spot"}, "gpu_driver": "latest"}, **AUTOPILOT),
    "autopilot-flex-start": with_class({"capacity": {"kind": "flex-start"}, "max_run_duration": "3600s"}, **AUTOPILOT),
    "autopilot-fallbacks": with_class(
        {
            "capacity": RESERVATION,
            "gpu_driver": "disabled",
            "fallbacks": [
                {"machine_type": "a4-highgpu-8g", "capacity": {"kind": "flex-start"}, "max_run_duration": "600s"},
                {"machine_type": "a3-ultragpu-8g", "capacity": {"kind": "spot"}},
                {"machine_type": "a3-ultragpu-8g", "capacity": {"kind": "none"}},
            ],
        },
        **AUTOPILOT,
    ),
    "auto-provisioning": with_class({}, **PROVISIONING),
    "auto-provisioning-beside-a-pool": with_class({}, node_pools=[pool(taints=TAINTS)], **PROVISIONING),
    "class-in-an-existing-cluster": with_class(
        {}, node_pools=[pool(**MULTI)], cluster={"create": False, "location": "us-central1"}
    ),
}
WORKLOADS: dict[str, Spec | None] = {
    "none": None,
    "one": {"name": "trainer", "image": "us-docker.pkg.dev/p/r/app:1", "command": "python3 train.py"},
    "four": {"name": "trainer", "image": "us-docker.pkg.dev/p/r/app:1", "command": "torchrun train.py", "hosts": 4},
}


class StrictLoader(yaml.SafeLoader):
    """YAML that refuses a key that is written twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(k) for k, _ in node.value]
        assert len(keys) == len(set(keys)), f"a key twice in line {node.start_mark.line + 1}"
        return super().construct_mapping(node, deep)


def documents(text: str) -> Documents:
    return [d for d in yaml.load_all(text, Loader=StrictLoader) if d is not None]


def spec_of(data: Spec, workload: Spec | None = None) -> Any:
    data = copy.deepcopy(data)
    # Unchecked: manifests have to hold whatever text the checks may let through some day.
    return build(data if workload is None else data | {"workload": workload})


def files_of(data: Spec, workload: Spec | None = None) -> dict[str, Documents]:
    return {name: documents(text) for name, text in manifests(spec_of(data, workload)).items()}


def all_of(data: Spec, workload: Spec | None = None) -> Documents:
    return [document for found in files_of(data, workload).values() for document in found]


def pod_templates(found: Documents) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Name, metadata and spec of everything that becomes Pods."""
    result = []
    for document in found:
        name = document["metadata"]["name"]
        if document["kind"] == "Pod":
            result.append((name, document["metadata"], document["spec"]))
        elif document["kind"] == "Job":
            template = document["spec"]["template"]
            result.append((name, template["metadata"], template["spec"]))
    return result
