"""What each edit of a generated folder costs, from the arguments that the folder writes.

What the Google provider plans for a change is of its source (`ForceNew`, and the updates that it sends), and was tried on
version 7.45.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.render.environment import Ready
from generator.render.terraform import Pool, pools
from generator.spec.model import Spec


@dataclass(frozen=True, slots=True)
class Change:
    """A row of the table: arguments or variables, and what a change of any of them does."""

    names: tuple[Ready, ...]
    effect: Ready


def changes(spec: Spec) -> tuple[Change, ...]:
    """The rows of a spec's folder, the cheapest first."""
    all_pools, cluster = pools(spec), spec.cluster.create
    rows = (
        _row((name for pool in all_pools for name in _in_place(pool)), "in place"),
        _row((name for pool in all_pools for name in _remade(pool)), "GKE makes all nodes of the pool anew"),
        _row(
            (name for pool in all_pools for name in _replaced(pool)),
            "**the pool is replaced**: its capacity is given back before it is asked for again",
        ),
        _row(_networks_replaced(spec), "**the networks are replaced, and the pools on them**"),
        _row(_cluster_in_place(spec) if cluster else (), "in place, for the cluster"),
        _row(_cluster_replaced(spec) if cluster else (), "**the cluster is replaced, and everything in it**"),
        _row(_nothing(spec), "nothing happens"),
    )
    return tuple(row for row in rows if row.names)


def _row(names: Iterable[str], effect: str) -> Change:
    return Change(tuple(Ready(name) for name in dict.fromkeys(names)), Ready(effect))


def _in_place(pool: Pool) -> Iterator[str]:
    if pool.node_count:
        yield pool.node_count
    elif pool.min_node_count and pool.max_node_count:
        yield from (pool.min_node_count, pool.max_node_count, "location_policy")
    yield from ("labels", "taint", "tags", "resource_labels", "upgrade_settings")
    if pool.spec.capacity.kind == "flex-start":
        yield "management"


def _remade(pool: Pool) -> Iterator[str]:
    yield from ("machine_type", "image_type", "disk_type", "disk_size_gb", "version")
    if pool.writes_zone and pool.spec.networking == "dranet":
        yield "node_locations"


def _replaced(pool: Pool) -> Iterator[str]:
    yield from ("name", "guest_accelerator", "gpu_driver_version", "local_ssd_count", "data_cache_count")
    yield "accelerator_network_profile" if pool.spec.networking == "dranet" else "additional_node_network_configs"
    if pool.reservation:
        yield pool.reservation
    yield from ("reservation_affinity", "spot", "flex_start", "max_run_duration", "queued_provisioning")
    yield from ("placement_policy", "service_account", "oauth_scopes")
    if pool.spec.disk_kms_key:
        yield "boot_disk_kms_key"


def _networks_replaced(spec: Spec) -> Iterator[str]:
    pair = spec.network_pair
    if pair is not None and not pair.exist:
        yield from ("gvnic_network_prefix", "rdma_network_prefix", "gvnic_cidr", "rdma_cidr")
        if pair.zone == spec.zone:
            yield "zone"


def _cluster_in_place(spec: Spec) -> Iterator[str]:
    if spec.cluster.version is not None:
        yield "kubernetes_version"
    yield from ("deletion_protection", "resource_labels", "release_channel", "maintenance_policy")
    yield "master_authorized_networks_config"
    if spec.mode == "standard":
        yield from ("workload_identity_config", "node_locations")
    if spec.cluster.node_auto_provisioning is not None:
        yield "resource_limits"
    if spec.network_pair is not None:
        yield "enable_multi_networking"


def _cluster_replaced(spec: Spec) -> Iterator[str]:
    yield from ("cluster_name", "project_id", "location", "network", "subnetwork", "ip_allocation_policy")
    yield "datapath_provider" if spec.mode == "standard" else "enable_autopilot"
    if spec.cluster.private.master_ipv4_cidr_block is not None:
        yield "master_ipv4_cidr_block"


def _nothing(spec: Spec) -> Iterator[str]:
    if spec.node_pools:
        yield "gpudirect_strategy"
    if spec.cluster.create and spec.mode == "standard":
        yield "default_pool_node_count"
