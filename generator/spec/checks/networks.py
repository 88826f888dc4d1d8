"""Address ranges, and the networks of the multi-network route."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator

from generator.catalog import machines
from generator.catalog import networks as facts
from generator.spec.checks.cluster import zone_at
from generator.spec.checks.look import Check, Look, ip_range
from generator.spec.document import Problem
from generator.spec.model import SMALLEST_SUBNETWORK

_CONTROL_PLANE = 28
# Of other forms the schema has spoken.
_RANGE = re.compile(r"\d{1,3}(\.\d{1,3}){3}/\d{1,2}", re.ASCII)


def _ranges(look: Look) -> Iterator[tuple[Look, str]]:
    """Every key of the spec that holds an address range."""
    for pool in look.pools():
        yield pool.at("networks"), "gvnic_cidr"
        yield pool.at("networks"), "rdma_cidr"
    yield look.at("cluster", "private"), "master_ipv4_cidr_block"
    for index in range(len(look.items("cluster", "private", "authorized_networks"))):
        yield look.at("cluster", "private", "authorized_networks", index), "cidr_block"


def _forms(look: Look) -> Iterator[Problem]:
    for here, key in _ranges(look):
        text = here.text(key)
        if text is None or _RANGE.fullmatch(text) is None or ip_range(text) is not None:
            continue
        try:
            whole = ipaddress.IPv4Network(text, strict=False)
        except ValueError:
            yield here.problem(
                key, message=f"`{text}` is no IPv4 range.", hint="Write one such as 192.168.64.0/18.", key=False
            )
        else:
            yield here.problem(
                key,
                message=f"`{text}` is an address within the range {whole}, not a range.",
                hint=f"Write {whole}.",
                key=False,
            )


def _control_plane(look: Look) -> Iterator[Problem]:
    here = look.at("cluster", "private")
    block = ip_range(here.text("master_ipv4_cidr_block"))
    if block is not None and block.prefixlen != _CONTROL_PLANE:
        yield here.problem(
            "master_ipv4_cidr_block",
            message=f"The range of the control plane has to be a /28, found /{block.prefixlen}.",
            hint=f"Write {block.network_address}/28.",
            key=False,
        )


def _route(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        if pool.has("networks") and pool.text("networking") in (None, "dranet"):
            yield pool.problem(
                "networks",
                message="`networks` belongs to the multi-network route; on the dranet route GKE makes the networks.",
                hint="Remove it, or write `networking: multi-network`.",
            )


def _existing(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        here = pool.at("networks")
        prefixes = [key for key in ("gvnic_prefix", "rdma_prefix") if here.has(key)]
        ranges = [key for key in ("gvnic_cidr", "rdma_cidr") if here.has(key)]
        if prefixes and ranges:
            yield here.problem(
                ranges[0],
                message="`networks` has either ranges for new networks or prefixes of existing ones, not both.",
                hint="Remove the ranges or the prefixes.",
            )
        if len(prefixes) == 1:
            other = "rdma_prefix" if prefixes == ["gvnic_prefix"] else "gvnic_prefix"
            yield here.problem(
                prefixes[0], message=f"`{prefixes[0]}` needs `{other}` beside it.", hint=f"Add `{other}:`."
            )
        if len(prefixes) == 2 and here.text("gvnic_prefix") == here.text("rdma_prefix"):
            yield here.problem(
                "rdma_prefix",
                message="The gVNIC network and the RDMA network cannot be the same.",
                hint="Name the prefix of the RoCE network.",
                key=False,
            )
        if here.has("project") and not prefixes:
            yield here.problem(
                "project",
                message="`networks.project` says where existing networks are, but no prefixes are given.",
                hint="Add `gvnic_prefix` and `rdma_prefix`, or remove `project`.",
            )


def _usual() -> dict[str, str]:
    return {"gvnic_cidr": facts.gvnic_cidr(), "rdma_cidr": facts.rdma_cidr()}


def _overlaps(look: Look) -> Iterator[Problem]:
    control_plane = ip_range(look.text("cluster", "private", "master_ipv4_cidr_block"))
    for pool in look.pools():
        here = pool.at("networks")
        if pool.text("networking") != "multi-network" or here.has("gvnic_prefix") or here.has("rdma_prefix"):
            continue
        usual = _usual()
        gvnic, rdma = (ip_range(here.text(key) if here.has(key) else usual[key]) for key in usual)
        if gvnic and rdma and gvnic.overlaps(rdma):
            yield here.problem(
                "rdma_cidr" if here.has("rdma_cidr") else "gvnic_cidr",
                message=f"The ranges of the gVNIC network ({gvnic}) and of the RDMA network ({rdma}) overlap.",
                hint="Choose ranges that lie apart.",
                key=False,
            )
        for key, block in (("gvnic_cidr", gvnic), ("rdma_cidr", rdma)):
            if block and control_plane and block.overlaps(control_plane):
                yield here.problem(
                    key,
                    message=f"The range {block} overlaps the control plane's range {control_plane}.",
                    hint="Choose ranges that lie apart.",
                    key=False,
                )
        yield from _room(pool, gvnic, rdma)


def _room(pool: Look, gvnic: ipaddress.IPv4Network | None, rdma: ipaddress.IPv4Network | None) -> Iterator[Problem]:
    """Whether the gVNIC range makes a subnetwork, and the RDMA range one for each RDMA NIC."""
    if gvnic is not None and gvnic.prefixlen > SMALLEST_SUBNETWORK:
        yield pool.problem(
            "networks",
            "gvnic_cidr",
            message=f"The range {gvnic} is too small: a subnetwork has at least a /{SMALLEST_SUBNETWORK}.",
            hint=f"Write a /{SMALLEST_SUBNETWORK} or larger.",
            key=False,
        )
    machine = machines.served_type(pool.text("machine_type") or "")
    if rdma is None or machine is None:
        return
    bits = (machine.rdma_nics - 1).bit_length()
    if rdma.prefixlen + bits > SMALLEST_SUBNETWORK:
        yield pool.problem(
            "networks",
            "rdma_cidr",
            message=f"The range {rdma} is too small for {machine.rdma_nics} subnetworks of at least a /{SMALLEST_SUBNETWORK}.",
            hint=f"Write a /{SMALLEST_SUBNETWORK - bits} or larger.",
            key=False,
        )


def _one_pair(look: Look) -> Iterator[Problem]:
    """All multi-network pools share one zone and one pair of networks."""
    first: tuple[str | None, dict[str, object]] | None = None
    for pool in look.pools():
        if pool.text("networking") != "multi-network":
            continue
        zone = zone_at(pool, "zone") if pool.has("zone") else zone_at(look, "zone")
        networks = _usual() | pool.mapping("networks")
        if first is None:
            first = (zone, networks)
        elif zone != first[0]:
            yield pool.problem(
                "zone",
                message=f"Multi-network pools are in two zones, {first[0]} and {zone}; a RoCE network belongs to one.",
                hint="Put them into one zone, or make a folder for each zone.",
            )
        elif networks != first[1]:
            yield pool.problem(
                "networks",
                message="Multi-network pools of one zone share their networks, but these two have different ones.",
                hint="Write the same `networks` in both.",
            )


CHECKS: tuple[Check, ...] = (_forms, _control_plane, _route, _existing, _overlaps, _one_pair)
