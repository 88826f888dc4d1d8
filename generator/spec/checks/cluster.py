"""Places, versions and network of the cluster."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.catalog import gke_version, machines, versions
from generator.spec.checks.look import Check, Look
from generator.spec.document import Problem
from generator.spec.model import is_zone, region_of

_ZONE = re.compile(r"[a-z]+-[a-z]+[0-9]+-[a-z0-9]+")
_LOCATION = re.compile(r"[a-z]+-[a-z]+[0-9]+(-[a-z0-9]+)?")


def zone_at(look: Look, *steps: str | int) -> str | None:
    """A zone that is written there and has a zone's form."""
    text = look.text(*steps)
    return text if text and _ZONE.fullmatch(text) else None


def location(look: Look) -> str | None:
    """The cluster's location, written or by default; None when it has no location's form."""
    if look.top().has("cluster", "location"):
        text = look.top().text("cluster", "location")
        return text if text and _LOCATION.fullmatch(text) else None
    zone = zone_at(look.top(), "zone")
    return region_of(zone) if zone and look.top().text("mode") == "autopilot" else zone


def _location(look: Look) -> Iterator[Problem]:
    place, zone = location(look), zone_at(look, "zone")
    if place is None:
        return
    if look.text("mode") == "autopilot" and is_zone(place):
        yield look.problem(
            "cluster",
            "location",
            message=f"Autopilot clusters are regional, and {place} is a zone.",
            hint=f"Write {region_of(place)}.",
            key=False,
        )
    elif zone and region_of(place) != region_of(zone):
        yield look.problem(
            "cluster",
            "location",
            message=f"The cluster's location {place} is not in {region_of(zone)}, the region of the GPU zone {zone}.",
            hint=f"Write {region_of(zone)} or {zone}, or change `zone`.",
            key=False,
        )


def _node_locations(look: Look) -> Iterator[Problem]:
    place = location(look)
    if place is None or not look.has("cluster", "node_locations"):
        return
    if is_zone(place):
        yield look.problem(
            "cluster",
            "node_locations",
            message=f"`cluster.node_locations` is for regional clusters, and {place} is a zone.",
            hint=f"Remove it, or write `location: {region_of(place)}`.",
        )
        return
    for index, zone in enumerate(look.items("cluster", "node_locations")):
        if isinstance(zone, str) and _ZONE.fullmatch(zone) and region_of(zone) != place:
            yield look.problem(
                "cluster",
                "node_locations",
                index,
                message=f"The zone {zone} is not in the cluster's region {place}.",
                hint=f"Write a zone of {place}.",
                key=False,
            )


def _version(look: Look) -> Iterator[Problem]:
    if not look.has("cluster", "version"):
        return
    version = look.value("cluster", "version")
    if version is None:
        if not look.value("cluster", "release_channel"):
            yield look.problem(
                "cluster",
                "version",
                message="Without a version the cluster needs a release channel, which then chooses one.",
                hint="Write a version, or add `release_channel: REGULAR`.",
            )
        return
    mode: versions.Mode = "autopilot" if look.text("mode") == "autopilot" else "standard"
    floor = versions.floor("installer", mode=mode)
    if floor is None or not isinstance(version, str) or gke_version.parse(version) is None:
        return
    if gke_version.is_below(version, floor.version):
        kind = "Autopilot" if mode == "autopilot" else "Standard"
        yield look.problem(
            "cluster",
            "version",
            message=f"GKE {version} is older than {floor.version}, where {kind} clusters get the RDMA NCCL installer.",
            hint=f'Write "{versions.default_version(mode)}" (its newest patch) or "{floor.version}".',
            key=False,
        )


def _default_pool(look: Look) -> Iterator[Problem]:
    name = look.text("cluster", "default_pool", "machine_type")
    machine = machines.machine_type(name) if name else None
    if machine is not None:
        yield look.problem(
            "cluster",
            "default_pool",
            "machine_type",
            message=f"The default pool is for CPU work, and {name} is a GPU machine.",
            hint="Write a CPU machine type such as e2-standard-4, or leave it out.",
            key=False,
        )


def _private(look: Look) -> Iterator[Problem]:
    here = look.at("cluster", "private")
    if here.value("endpoint") is True and here.value("nodes") is not True:
        yield here.problem(
            "endpoint",
            message="A private endpoint needs private nodes.",
            hint="Add `nodes: true`, or remove `endpoint`.",
        )
    if here.has("master_ipv4_cidr_block") and here.value("nodes") is not True:
        yield here.problem(
            "master_ipv4_cidr_block",
            message="A range for the control plane is for clusters with private nodes.",
            hint="Add `nodes: true`, or remove `master_ipv4_cidr_block`.",
        )


def _network(look: Look) -> Iterator[Problem]:
    here = look.at("cluster", "network")
    network, subnetwork, project = here.text("network"), here.text("subnetwork"), look.text("project")
    pods, services = here.text("pods_range_name"), here.text("services_range_name")
    if pods is not None and pods == services:
        yield here.problem(
            "services_range_name",
            message="Pods and Services cannot share one secondary range.",
            hint="Name another range of the subnetwork.",
            key=False,
        )
    host = network.split("/")[1] if network and network.startswith("projects/") else None
    if subnetwork and subnetwork.startswith("projects/"):
        parts = subnetwork.split("/")
        zone = zone_at(look, "zone")
        if host is not None and parts[1] != host:
            yield here.problem(
                "subnetwork",
                message=f"The subnetwork is of project {parts[1]}, but its network is of project {host}.",
                hint="Name a subnetwork of that network.",
                key=False,
            )
        if zone and len(parts) > 3 and parts[3] != region_of(zone):
            yield here.problem(
                "subnetwork",
                message=f"The subnetwork is in {parts[3]}, but the cluster is in {region_of(zone)}.",
                hint=f"Name a subnetwork in {region_of(zone)}.",
                key=False,
            )
    elif host is not None and host != project:
        where = "subnetwork" if subnetwork else "network"
        yield here.problem(
            where,
            message=f"The network belongs to project {host} (a Shared VPC), so its subnetwork has to be named with its project.",
            hint=f"Write subnetwork: projects/{host}/regions/REGION/subnetworks/NAME.",
        )


CHECKS: tuple[Check, ...] = (_location, _node_locations, _version, _default_pool, _private, _network)
