"""Mode, layout, backend, ComputeClass and workload."""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import machines
from generator.spec.checks.look import Check, Look
from generator.spec.document import Problem

_NOT_AUTOPILOT = {
    "default_pool": "Autopilot has no default pool",
    "node_locations": "Autopilot chooses the zones of its nodes",
    "node_auto_provisioning": "Autopilot provisions its nodes by itself",
}
_BACKEND_KEYS = {"none": (), "gcs": ("bucket", "prefix"), "local": ("path",)}


def _autopilot(look: Look) -> Iterator[Problem]:
    if look.text("mode") != "autopilot":
        return
    if not look.meant("compute_class"):
        yield look.problem(
            "mode",
            message="An Autopilot cluster gets its GPU nodes through a ComputeClass, and the spec has none.",
            hint="Add `compute_class:` with name, machine_type and capacity.",
        )
    if look.has("node_pools"):
        yield look.problem(
            "node_pools",
            message="An Autopilot cluster takes no node pools.",
            hint="Describe the GPUs in `compute_class`, or leave `mode: autopilot` out.",
        )
    for key, why in _NOT_AUTOPILOT.items():
        if look.has("cluster", key):
            yield look.problem(
                "cluster",
                key,
                message=f"`cluster.{key}` cannot stand with `mode: autopilot`: {why}.",
                hint="Remove it.",
            )
    if look.value("cluster", "workload_identity") is False:
        yield look.problem(
            "cluster",
            "workload_identity",
            message="Workload Identity Federation is always on in Autopilot.",
            hint="Remove it, or write true.",
            key=False,
        )


def _standard(look: Look) -> Iterator[Problem]:
    if look.text("mode") == "autopilot":
        return
    provisioning = look.value("cluster", "node_auto_provisioning")
    provisions = isinstance(provisioning, dict)
    if not provisions and (look.value("node_pools") == [] or not look.meant("node_pools")):
        yield look.problem(
            "node_pools",
            message="The spec has no node pools, so it would make no GPU nodes.",
            hint="Add `node_pools:` with at least name, machine_type, capacity and node_count.",
        )
    if look.has("compute_class") and not provisions and look.value("cluster", "create") is not False:
        yield look.problem(
            "compute_class",
            message="A ComputeClass makes node pools only in Autopilot, or in a Standard cluster with node auto-provisioning.",
            hint="Write `mode: autopilot`, or add `cluster.node_auto_provisioning`.",
        )


def _auto_provisioning(look: Look) -> Iterator[Problem]:
    limits = look.value("cluster", "node_auto_provisioning")
    here = look.at("cluster", "node_auto_provisioning")
    if limits is True:
        yield look.problem(
            "cluster",
            "node_auto_provisioning",
            message="Node auto-provisioning needs limits.",
            hint="Write {max_cpu: …, max_memory_gb: …, max_gpus: …}.",
            key=False,
        )
    if not isinstance(limits, dict):
        return
    if not look.has("compute_class"):
        yield look.problem(
            "cluster",
            "node_auto_provisioning",
            message="Node auto-provisioning makes RDMA nodes only through a ComputeClass, and the spec has none.",
            hint="Add `compute_class:`, or remove `cluster.node_auto_provisioning`.",
        )
    machine = machines.served_type(look.text("compute_class", "machine_type") or "")
    if machine is None:
        return
    for key, least, unit in (
        ("max_cpu", machine.vcpus, "vCPUs"),
        ("max_memory_gb", machine.memory_gb, "GB of memory"),
        ("max_gpus", machine.accelerator_count, "GPUs"),
    ):
        given = here.number(key)
        if given is not None and given < least:
            yield here.problem(
                key,
                message=f"`{key}` is {given}, but one {machine.name} alone has {least} {unit}, so no node could be made.",
                hint=f"Write at least {least}, times the number of nodes.",
                key=False,
            )


def _existing_cluster(look: Look) -> Iterator[Problem]:
    if look.value("cluster", "create") is not False:
        return
    for key in look.mapping("cluster"):
        if key not in ("create", "location"):
            yield look.problem(
                "cluster",
                key,
                message=f"`cluster.{key}` describes a cluster to make, but `cluster.create` is false.",
                hint="Remove it; beside `create: false` only `location` may stand.",
            )


def _backend(look: Look) -> Iterator[Problem]:
    kind = look.text("backend", "kind")
    if kind is None or kind not in _BACKEND_KEYS:
        return
    for key in look.mapping("backend"):
        if key not in ("kind", *_BACKEND_KEYS[kind]) and any(key in keys for keys in _BACKEND_KEYS.values()):
            owner = next(k for k, keys in _BACKEND_KEYS.items() if key in keys)
            yield look.problem(
                "backend",
                key,
                message=f"`backend.{key}` belongs to `kind: {owner}`, but the kind is {kind}.",
                hint=f"Remove it, or write `kind: {owner}`.",
            )
    if kind == "gcs" and not look.has("backend", "bucket"):
        yield look.problem(
            "backend",
            message="The backend gcs needs a bucket.",
            hint="Add `bucket:` with the name of a bucket that exists.",
        )
    if look.text("layout") == "module" and kind != "none":
        yield look.problem(
            "backend",
            message="A module has no backend: the folder that calls it has one.",
            hint="Remove `backend`, or write `layout: root`.",
        )


def _workload(look: Look) -> Iterator[Problem]:
    hosts = look.number("workload", "hosts")
    if hosts is None or look.has("compute_class"):
        return
    nodes = 0
    for pool in look.pools():
        size = pool.number("autoscaling", "max_node_count") if pool.has("autoscaling") else pool.number("node_count")
        if size is None:
            return
        nodes += size
    if look.items("node_pools") and hosts > nodes:
        yield look.problem(
            "workload",
            "hosts",
            message=f"The workload wants {hosts} host{'' if hosts == 1 else 's'}, each a whole node; the node pools have {nodes}.",
            hint="Lower `hosts`, or raise the number of nodes.",
            key=False,
        )


def _workload_name(look: Look) -> Iterator[Problem]:
    if look.text("workload", "name") in ("nccl-test-host-1", "nccl-test-host-2", "nccl-host-1", "nccl-host-2"):
        yield look.problem(
            "workload",
            "name",
            message=f"The NCCL test has an object named {look.text('workload', 'name')}.",
            hint="Give the workload another name.",
            key=False,
        )


CHECKS: tuple[Check, ...] = (
    _autopilot,
    _standard,
    _auto_provisioning,
    _existing_cluster,
    _backend,
    _workload,
    _workload_name,
)
