"""Node labels, the GPU taint and the reservation key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from generator.catalog.store import Source, load, source


@dataclass(frozen=True, slots=True)
class Label:
    """A label, taint or affinity key.

    Attributes:
        key: its key.
        value: the value it has to have; None when that is the user's.
        effect: for a taint, in Terraform's spelling; else "".
        source: where it comes from.
    """

    key: str
    value: str | None
    effect: str
    source: Source


@cache
def _label(name: str) -> Label:
    entry = load("labels")[name]
    return Label(entry["key"], entry["value"], entry.get("effect", ""), source(entry["source"]))


def dranet() -> Label:
    """Turns managed DRANET on when the node pool is created."""
    return _label("dranet")


def network_profile() -> Label:
    """GKE adds it to nodes with an accelerator network profile; its value is the profile's name."""
    return _label("network_profile")


def gpu_dra_driver() -> Label:
    """Says that GPUs are handed out by NVIDIA's DRA driver."""
    return _label("gpu_dra_driver")


def no_device_plugin() -> Label:
    """Keeps GKE's own GPU device plugin away."""
    return _label("no_device_plugin")


def compute_class() -> Label:
    """The node selector of workloads that use a ComputeClass; its value is the class's name."""
    return _label("compute_class")


def node_pool() -> Label:
    """GKE puts it on every node; its value is the node pool's name."""
    return _label("node_pool")


def queued() -> Label:
    """The taint that GKE puts on nodes that come through ProvisioningRequests."""
    return _label("queued")


def gpu_taint() -> Label:
    """The taint that keeps other Pods off GPU nodes."""
    return _label("gpu_taint")


def reservation() -> Label:
    """The key of `reservation_affinity` for a specific reservation."""
    return _label("reservation")
