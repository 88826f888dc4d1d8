"""What GKE adds to a node pool that it was not sent; `choices` says which of it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from generator.catalog import labels
from generator.catalog.machines import MachineType, machine_type
from generator.rehearsal.behaviour import Context, first
from generator.rehearsal.names import NODE_POOL
from generator.rehearsal.wire import Object

# The local SSDs that come with a machine type, by the block that can ask for them.
_SSD_BLOCKS = {"ephemeral": "ephemeral_storage_local_ssd_config", "nvme": "local_nvme_ssd_block_config"}


def added_by_gke(context: Context, pool: Object) -> None:
    """Complete a node pool as GKE answers it, in place.

    Args:
        context: provider, cloud and choices.
        pool: the pool after everything that the provider computes was filled in.
    """
    node = first(pool.get("node_config"))
    if not node:
        return
    machine = machine_type(str(node.get("machine_type")))
    _labels(context, pool, node)
    _taints(context, pool, node)
    _disks(context, node, machine)
    _hardware(context, node, machine)


def _labels(context: Context, pool: Object, node: Object) -> None:
    profile = first(pool.get("network_config")).get("accelerator_network_profile")
    if not profile:
        return
    added = {}
    if context.choices["anp-label"] == "on":
        added[labels.network_profile().key] = profile
    if context.choices["dranet-label"] == "on":
        added[labels.dranet().key] = labels.dranet().value
    if added:
        node["labels"] = added | (node.get("labels") or {})


def _taints(context: Context, pool: Object, node: Object) -> None:
    taints: list[Any] = deepcopy(node.get("taint") or [])
    known = labels.gpu_taint()
    gpu = {"key": known.key, "value": known.value, "effect": known.effect}
    choice = context.choices["taint"]
    wanted = choice == "on" or (choice == "auto" and _has_plain_neighbour(context, pool))
    if wanted and node.get("guest_accelerator") and all(taint["key"] != gpu["key"] for taint in taints):
        taints.append(gpu)
    node["effective_taints"] = taints


def _has_plain_neighbour(context: Context, pool: Object) -> bool:
    """Whether the pool's cluster has a pool without GPUs."""
    cluster = str(pool.get("id")).rpartition("/nodePools/")[0]
    others = [one for one in context.cloud.all(NODE_POOL) if str(one["id"]).startswith(f"{cluster}/nodePools/")]
    return any(not first(one.get("node_config")).get("guest_accelerator") for one in others)


def _disks(context: Context, node: Object, machine: MachineType | None) -> None:
    count = machine.local_ssd_count if machine is not None else None
    written = any(node.get(name) for name in (*_SSD_BLOCKS.values(), "local_ssd_count"))
    choice = context.choices["ssd"]
    if count and not written and choice != "none":
        row = {"local_ssd_count": count}
        node[_SSD_BLOCKS[choice]] = [row | {"data_cache_count": 0} if choice == "ephemeral" else row]
    cache = context.choices["data-cache"]
    for row in node.get(_SSD_BLOCKS["ephemeral"]) or []:
        if not row.get("data_cache_count") and cache != "omit":
            row["data_cache_count"] = int(cache)


def _hardware(context: Context, node: Object, machine: MachineType | None) -> None:
    driver = context.choices["driver"]
    for gpu in node.get("guest_accelerator") or []:
        if driver != "none" and not gpu.get("gpu_driver_installation_config"):
            gpu["gpu_driver_installation_config"] = [{"gpu_driver_version": driver}]
    if context.choices["gvnic"] == "on" and machine is not None and machine.additional_networks:
        node["gvnic"] = node.get("gvnic") or [{"enabled": True}]
    if context.choices["reservation"] != "none" and not node.get("reservation_affinity"):
        node["reservation_affinity"] = [{"consume_reservation_type": context.choices["reservation"]}]
    strategy = node.get("gpudirect_strategy")
    if isinstance(strategy, str):
        echo = context.choices["strategy-echo"]
        node["gpudirect_strategy"] = {"upper": strategy.upper(), "off": ""}.get(echo, strategy)
