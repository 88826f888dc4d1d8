"""The calls of gcloud that make node pools."""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import labels, machines, values
from generator.render.gcloud_calls import Command, Flag, Resource, pairs
from generator.render.shell_text import gcloud_list
from generator.spec.model import NodePool, Spec

_EFFECTS = {"NO_SCHEDULE": "NoSchedule", "PREFER_NO_SCHEDULE": "PreferNoSchedule", "NO_EXECUTE": "NoExecute"}


def pool_resource(pool: NodePool, spec: Spec) -> Resource:
    """The step that makes a node pool."""
    flags = [
        Flag("--location", spec.cluster.location),
        Flag("--cluster", spec.name),
        Flag("--project", spec.project),
    ]
    left_out = _taints(pool)[1]
    return Resource(
        f"node pool {pool.name}",
        Command("container node-pools describe", pool.name, tuple(flags)),
        Command(
            "container node-pools create",
            pool.name,
            (
                *flags,
                Flag("--node-locations", pool.zone),
                *_machines(pool),
                *_size(pool),
                *_nodes(pool),
                *_capacity(pool),
                *_pool_networks(pool, spec),
                Flag("--gpudirect-strategy", values.gpudirect_strategy().lower()),
            ),
        ),
        f"gcloud takes one taint for a key; left out: {', '.join(left_out)}" if left_out else None,
    )


def _machines(pool: NodePool) -> Iterator[Flag]:
    machine = machine_of(pool)
    driver = "" if pool.gpu_driver is None else f",gpu-driver-version={pool.gpu_driver}"
    yield Flag("--accelerator", f"type={machine.accelerator_type},count={machine.accelerator_count}{driver}")
    yield Flag("--machine-type", pool.machine_type)


def _size(pool: NodePool) -> Iterator[Flag]:
    if pool.autoscaling is None:
        yield Flag("--num-nodes", str(pool.node_count))
        return
    waits = _waits(pool)
    # Without it gcloud begins with three nodes. Nodes that wait for capacity cannot be there at the beginning.
    yield Flag("--num-nodes", "0" if waits else str(pool.autoscaling.min_node_count))
    yield Flag("--enable-autoscaling")
    yield Flag("--min-nodes", str(pool.autoscaling.min_node_count))
    yield Flag("--max-nodes", str(pool.autoscaling.max_node_count))
    if waits:
        yield Flag("--location-policy", "ANY")


def _nodes(pool: NodePool) -> Iterator[Flag]:
    for name, value in (
        ("--disk-type", pool.disk_type),
        ("--disk-size", None if pool.disk_size_gb is None else f"{pool.disk_size_gb}GB"),
        ("--boot-disk-kms-key", pool.disk_kms_key),
        ("--service-account", pool.service_account),
    ):
        if value is not None:
            yield Flag(name, value)
    if pool.oauth_scopes:
        yield Flag("--scopes", gcloud_list(pool.oauth_scopes))
    if pool.tags:
        yield Flag("--tags", gcloud_list(pool.tags))
    if pool.taints:
        yield Flag("--node-taints", gcloud_list(_taints(pool)[0]))
    if pool.upgrade_settings is not None:
        yield Flag("--max-surge-upgrade", str(pool.upgrade_settings.max_surge))
        yield Flag("--max-unavailable-upgrade", str(pool.upgrade_settings.max_unavailable))
    if pool.compact_placement:
        yield Flag("--placement-type", values.placement_type())


def _taints(pool: NodePool) -> tuple[list[str], list[str]]:
    """The taints that gcloud takes, and those that it does not: it takes a key once."""
    taken: dict[str, str] = {}
    left_out = []
    for taint in pool.taints:
        text = f"{taint.key}={taint.value}:{_EFFECTS[taint.effect]}"
        if taken.setdefault(taint.key, text) != text:
            left_out.append(text)
    return list(taken.values()), left_out


def _capacity(pool: NodePool) -> Iterator[Flag]:
    path = pool.capacity.reservation_path
    if path is not None:
        yield Flag("--reservation-affinity", "specific")
        yield Flag("--reservation", path)
    if pool.capacity.kind == "spot":
        yield Flag("--spot")
    if pool.capacity.kind == "flex-start":
        yield Flag("--flex-start")
    if pool.queued_provisioning:
        yield Flag("--enable-queued-provisioning")
    if _waits(pool):
        yield Flag("--reservation-affinity", "none")
        yield Flag("--no-enable-autorepair")
    if pool.max_run_duration is not None:
        yield Flag("--max-run-duration", pool.max_run_duration)


def _pool_networks(pool: NodePool, spec: Spec) -> Iterator[Flag]:
    pair = spec.network_pair
    node_labels = list(pool.labels)
    if pool.networking == "multi-network" and pair is not None:
        elsewhere = pair.project if pair.project != spec.project else None
        interfaces = [(pair.gvnic_network, pair.gvnic_subnetwork)]
        interfaces += [(pair.rdma_network, pair.rdma_subnetwork(rail)) for rail in range(machine_of(pool).rdma_nics)]
        for network, subnetwork in interfaces:
            if elsewhere is not None:
                network = f"projects/{elsewhere}/global/networks/{network}"
                subnetwork = f"projects/{elsewhere}/regions/{spec.region}/subnetworks/{subnetwork}"
            yield Flag("--additional-node-network", f"network={network},subnetwork={subnetwork}")
    else:
        yield Flag("--accelerator-network-profile", values.network_profile())
        dranet = labels.dranet()
        node_labels.insert(0, (dranet.key, str(dranet.value)))
    if node_labels:
        yield Flag("--node-labels", pairs(dict(node_labels).items()))


def _waits(pool: NodePool) -> bool:
    """Whether nodes come only when there is capacity."""
    return pool.capacity.kind == "flex-start" or pool.queued_provisioning


def machine_of(pool: NodePool) -> machines.MachineType:
    """The machine type of a pool."""
    found = machines.served_type(pool.machine_type)
    assert found is not None, "the spec's checks let served machine types through only"
    return found
