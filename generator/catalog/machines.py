"""Machine types with GPUs: what they hold, and which of them the RDMA NCCL installer serves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from generator.catalog.store import Source, load, source


@dataclass(frozen=True, slots=True)
class MachineType:
    """One machine type.

    Attributes:
        name: `a3-ultragpu-8g`.
        served: the automated RDMA NCCL installer takes it.
        reason: why it is not served, as the end of "… is not served: "; None when it is.
        accelerator_type: the GPU's name in `guest_accelerator`.
        accelerator_count: GPUs of one VM.
        accelerator_memory_gb: memory of one GPU in GB.
        vcpus: virtual CPUs.
        memory_gb: RAM in GB.
        local_ssd_count: local SSD disks as `local_ssd_count` wants them; None when not confirmed by any source.
        local_ssd_total_gib: all local SSD together, in GiB.
        nics: network interfaces in all.
        gvnic_nics: those that are gVNIC, the first one included.
        rdma_nics: those that carry RDMA.
        network_gbps: bandwidth of all interfaces together, in Gbit/s.
        network_profile: suffix of the RoCE network profile: `vpc-roce` in `us-central1-b-vpc-roce`; None without RDMA.
        boot_disk: a `disk_type` that fits.
        driver_floor: first GPU driver branch that knows the GPU; None when every branch that GKE offers does.
        gpudirect: RDMA, TCPXO or TCPX.
        sources: where this comes from.
    """

    name: str
    served: bool
    reason: str | None
    accelerator_type: str
    accelerator_count: int
    accelerator_memory_gb: int
    vcpus: int
    memory_gb: int
    local_ssd_count: int | None
    local_ssd_total_gib: int
    nics: int
    gvnic_nics: int
    rdma_nics: int
    network_gbps: int
    network_profile: str | None
    boot_disk: str
    driver_floor: str | None
    gpudirect: str
    sources: tuple[Source, ...]

    @property
    def additional_networks(self) -> int:
        """`additional_node_network_configs` of the manual route: every interface but the first."""
        return self.nics - 1

    def profile_name(self, zone: str) -> str | None:
        """The RoCE network profile of a zone: `us-central1-b-vpc-roce`."""
        return None if self.network_profile is None else f"{zone}-{self.network_profile}"


def _machine(entry: dict[str, Any]) -> MachineType:
    accelerator, ssd, nics = entry["accelerator"], entry["local_ssd"], entry["nics"]
    return MachineType(
        name=entry["name"],
        served=entry["served"],
        reason=entry["reason"],
        accelerator_type=accelerator["type"],
        accelerator_count=accelerator["count"],
        accelerator_memory_gb=accelerator["memory_gb"],
        vcpus=entry["vcpus"],
        memory_gb=entry["memory_gb"],
        local_ssd_count=ssd["count"],
        local_ssd_total_gib=ssd["total_gib"],
        nics=nics["total"],
        gvnic_nics=nics["gvnic"],
        rdma_nics=nics["rdma"],
        network_gbps=nics["gbps"],
        network_profile=entry["network_profile"],
        boot_disk=entry["boot_disk"],
        driver_floor=entry["driver_floor"],
        gpudirect=entry["gpudirect"],
        sources=tuple(source(s) for s in entry["sources"]),
    )


@cache
def machine_types() -> dict[str, MachineType]:
    """All machine types that are known, by name; the served ones first."""
    return {e["name"]: _machine(e) for e in load("machines")}


def machine_type(name: str) -> MachineType | None:
    """The machine type of that name, served or not; None when it is not in the catalog."""
    return machine_types().get(name)


def served() -> tuple[MachineType, ...]:
    """The machine types that the automated RDMA NCCL installer takes."""
    return tuple(m for m in machine_types().values() if m.served)


def served_type(name: str) -> MachineType | None:
    """The machine type of that name when it is served, else None."""
    found = machine_type(name)
    return found if found is not None and found.served else None
