"""Version floors and defaults: GKE, the provider, Terraform, OpenTofu, gcloud."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from generator.catalog import gke_version
from generator.catalog.store import Source, load, source

Feature = Literal["installer", "dranet", "manual", "flex-start"]
Mode = Literal["standard", "autopilot"]


@dataclass(frozen=True, slots=True)
class Floor:
    """The first GKE version that has a feature.

    Attributes:
        feature: installer (automated RDMA NCCL installer), dranet (managed DRANET and the accelerator network profile),
            manual (RDMA over networks of one's own), flex-start.
        mode: standard or autopilot.
        machine_type: the machine type it holds for; None for every one.
        version: a full version.
        source: where it comes from.
    """

    feature: Feature
    mode: Mode
    machine_type: str | None
    version: str
    source: Source


@cache
def _floors() -> tuple[Floor, ...]:
    return tuple(
        Floor(e["feature"], e["mode"], e["machine_type"], e["version"], source(e["source"]))
        for e in load("versions")["gke_floors"]
    )


def floor(feature: Feature, *, mode: Mode = "standard", machine_type: str | None = None) -> Floor | None:
    """The floor of a feature.

    Args:
        feature: see `Floor`.
        mode: of the cluster.
        machine_type: the pool's; without it the lowest floor that any machine type has.
    """
    found = [
        f
        for f in _floors()
        if f.feature == feature and f.mode == mode and (machine_type is None or f.machine_type in (None, machine_type))
    ]
    return min(found, key=_order, default=None)


def highest(floors: list[Floor]) -> Floor | None:
    """The floor that stands above the others; None of none."""
    return max(floors, key=_order, default=None)


def _order(floor: Floor) -> tuple[int, int, int, int]:
    version = gke_version.parse(floor.version)
    assert version is not None
    return version.highest


def newest(part: str) -> str | None:
    """The newest full GKE version that is known here and fits `part` (`1.34`, `1.34.8`, a full one); None when none does."""
    wanted = gke_version.parse(part)
    if wanted is None:
        return None
    if wanted.is_full:
        return part
    known = [(v, e["version"]) for e in load("versions")["gke_newest"] if (v := gke_version.parse(e["version"]))]
    fitting = [(v.highest, text) for v, text in known if v.numbers[: len(wanted.numbers)] == wanted.numbers]
    return max(fitting)[1] if fitting else None


def default_version(mode: Mode = "standard") -> str:
    """The part of a version that a spec without `cluster.version` means: `1.34` (Autopilot: `1.36`)."""
    return str(load("versions")["gke_defaults"][mode])


def _single(name: str) -> str:
    return str(load("versions")[name]["version"])


def provider_floor() -> str:
    """The first version of hashicorp/google that has everything our folders use: 7.34.0, for `gpudirect_strategy`."""
    return _single("provider")


def provider_beta_floor(path: str) -> str | None:
    """The first version of hashicorp/google-beta that takes an argument of a node pool; None when that is not known.

    Args:
        path: as in a node pool, or in a cluster's `node_pool` or `node_config` block.
    """
    found = load("versions")["provider_beta"]["paths"].get(path.removeprefix("node_pool."))
    return None if found is None else str(found)


def provider_known() -> str:
    """The version of hashicorp/google whose arguments we hold: what is newer may have more."""
    return _single("provider_known")


def terraform_floor() -> str:
    """The first Terraform version we support."""
    return _single("terraform")


def opentofu_floor() -> str:
    """The first OpenTofu version we support."""
    return _single("opentofu")


def gcloud_floor() -> str:
    """The first gcloud version with `--gpudirect-strategy`."""
    return _single("gcloud")


def no_channel_ends() -> str:
    """The day on which clusters without a release channel end, as YYYY-MM-DD."""
    return _single("no_channel_ends")
