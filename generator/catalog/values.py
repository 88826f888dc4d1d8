"""Values that arguments of a node pool or a cluster have to have."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from generator.catalog.store import load


def _entry(name: str) -> Any:
    return load("values")[name]


def gpudirect_strategy() -> str:
    """The one value of `gpudirect_strategy`, in Terraform's spelling."""
    return str(_entry("gpudirect_strategy")["value"])


def datapath_provider() -> str:
    """The `datapath_provider` of Dataplane V2."""
    return str(_entry("datapath_provider")["value"])


def network_profile() -> str:
    """The `accelerator_network_profile` that lets GKE make the networks."""
    return str(_entry("network_profile")["value"])


def network_profile_off() -> tuple[str, ...]:
    """Values of `accelerator_network_profile` that bring no networks."""
    return tuple(_entry("network_profile")["off"])


def image_type() -> str:
    """The node image that the installer works on."""
    return str(_entry("image_type")["value"])


def driver_versions() -> tuple[str, ...]:
    """The values of `gpu_driver_version`."""
    return tuple(_entry("driver_versions")["value"])


def driver_disabled() -> str:
    """The value of `gpu_driver_version` with which GKE installs no driver."""
    return str(_entry("driver_versions")["disabled"])


def placement_type() -> str:
    """The one useful `type` of `placement_policy`."""
    return str(_entry("placement_type")["value"])


def refused_boot_disks() -> str:
    """What the names of disk types begin with that these machines cannot boot from."""
    return str(_entry("refused_boot_disks")["value"])


def no_channel() -> str:
    """The `channel` of a cluster that is in no release channel."""
    return str(_entry("no_channel")["value"])


def specific_reservation() -> str:
    """The `consume_reservation_type` that names its reservation."""
    return str(_entry("reservation_types")["specific"])


def taking_reservations() -> tuple[str, ...]:
    """Values of `consume_reservation_type` that take machines out of a reservation."""
    return tuple(_entry("reservation_types")["taking"])


@cache
def _reservation_shape() -> re.Pattern[str]:
    return re.compile(_entry("reservation_shape")["value"])


def is_reservation(text: str) -> bool:
    """Whether a value of `reservation_affinity.values` has a shape that GKE knows.

    These are NAME, NAME/reservationBlocks/BLOCK and NAME/reservationBlocks/BLOCK/reservationSubBlocks/SUB_BLOCK, each also
    with projects/PROJECT/reservations/ before it.
    """
    return _reservation_shape().fullmatch(text) is not None
