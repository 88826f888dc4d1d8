"""What the rules ask again and again about a node pool: is it ours, which way does it take to RDMA, where does it stand.

Everything here holds on known values only: `True` is proven, `False` is proven absent, `None` is neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator.catalog import labels, machines, values
from generator.catalog.machines import MachineType
from generator.findings import Fix, Severity
from generator.rules.base import Note, Problem
from generator.view import (
    Absent,
    Answer,
    Block,
    Blocks,
    Cluster,
    Depth,
    Elements,
    Known,
    NodePool,
    Origin,
    Resource,
    Span,
    Unknown,
)

STRATEGY = "node_config.gpudirect_strategy"
PROFILE = "network_config.accelerator_network_profile"
NETWORKS = "network_config.additional_node_network_configs"
LABELS = "node_config.labels"
MACHINE = "node_config.machine_type"

# Zones end in a letter; AI zones in "ai" with a number and a letter.
_ZONE = re.compile(r"[a-z]+-[a-z]+\d+-(?:ai\d+)?[a-z]")
_REGION = re.compile(r"[a-z]+-[a-z]+\d+")


def problem(
    about: NodePool | Resource,
    severity: Severity,
    at: Answer | Elements | Span | None,
    message: str,
    help_: str,
    *notes: Note,
    fix: Fix | None = None,
) -> Problem:
    """A problem of a pool or a resource that points to an answer and tells where its value came from."""
    span = at if isinstance(at, Span) or at is None else at.span
    secret = isinstance(at, Known) and at.sensitive
    return Problem(severity, message, help_, span, about.address, (*origins(at), *notes), fix, sensitive=secret)


def origins(found: Answer | Elements | Span | None) -> tuple[Note, ...]:
    """Notes on the places that a value came from."""
    if not isinstance(found, Known):
        return ()
    return tuple(Note(o.span, f"the value comes from here: {o.what}") for o in found.origins)


def note(span: Span | None, message: str) -> tuple[Note, ...]:
    """One note, or none where there is no text."""
    return () if span is None else (Note(span, message),)


def later(first: Span | None, second: Span | None) -> bool:
    """Whether `second` stands behind `first`: of two places that contradict, the later one is pointed to.

    Places in different files have no order; then the second one is taken.
    """
    if first is None or second is None or first.source is not second.source:
        return True
    return second.start >= first.start


def in_order(places: list[tuple[str, Span | None]]) -> list[tuple[str, Span | None]]:
    """Named places in the order of the text; as they are when they stand in several files or in none."""
    sources = {id(span.source) if span else None for _, span in places}
    if len(sources) != 1 or None in sources:
        return places
    return sorted(places, key=lambda place: place[1].start if place[1] else 0)


def is_written(answer: Answer) -> bool | None:
    """Whether a text argument has a value; "" is as good as not written to the provider. None when that is not known."""
    if isinstance(answer, Unknown):
        return None
    return isinstance(answer, Known) and answer.value != ""


def text(answer: Answer) -> str | None:
    """A known, non-empty text; else None."""
    return answer.value if isinstance(answer, Known) and isinstance(answer.value, str) and answer.value else None


def number(answer: Answer) -> int | None:
    """A known whole number; else None."""
    if isinstance(answer, Known) and isinstance(answer.value, int) and not isinstance(answer.value, bool):
        return answer.value
    return None


def is_true(answer: Answer) -> bool | None:
    """A flag that is false when it is not written; None when that is not known."""
    if isinstance(answer, Unknown):
        return None
    return isinstance(answer, Known) and answer.value is True


def present(blocks: Blocks) -> bool | None:
    """Whether there is a block of a type at all."""
    if blocks.unknown is None:
        return bool(blocks.items)
    return True if any(b.certain for b in blocks.items) else None


def is_created(resource: Resource) -> bool:
    """Whether a plan makes it new (a replacement too)."""
    return resource.change is not None and "create" in resource.change.actions


def is_text(about: Resource) -> bool:
    """Whether the view reads `.tf` files, where nobody knows what exists already."""
    return about.depth is Depth.TEXT


def installer(pool: NodePool) -> bool:
    """Whether it is known to ask for the automated RDMA NCCL installer; "" is how a module switches the argument off."""
    return is_written(pool.get(STRATEGY)) is True


def machine(pool: NodePool) -> MachineType | None:
    """The machine type when it is known and one of those that the installer serves."""
    name = text(pool.get(MACHINE))
    return None if name is None else machines.served_type(name)


def hardware(pool: NodePool) -> bool:
    """Whether it is an installer pool or has a machine type for RDMA."""
    return machine(pool) is not None or installer(pool)


def needed_machine(pool: NodePool) -> MachineType | None:
    """The pool's machine type; for an installer pool of unknown type one of the served ones, which agree on their networks."""
    return machine(pool) or (machines.served()[0] if installer(pool) else None)


def profile(pool: NodePool) -> bool | None:
    """Whether it has an accelerator network profile that brings networks."""
    if pool.has(PROFILE) is not True:
        return pool.has(PROFILE)
    answer = pool.get(PROFILE)
    if not isinstance(answer, Known):
        return None
    return str(answer.value).lower() not in values.network_profile_off()


def dranet_label(pool: NodePool) -> bool | None:
    """Whether the DRANET label is set to the value that turns it on."""
    wanted = labels.dranet()
    answer = pool.element(LABELS, wanted.key)
    if isinstance(answer, Unknown):
        return None
    return isinstance(answer, Known) and answer.value == wanted.value


def dranet(pool: NodePool) -> bool | None:
    """Whether it takes the dranet route: an accelerator network profile or the DRANET label."""
    return _either(profile(pool), dranet_label(pool))


def manual(pool: NodePool) -> bool | None:
    """Whether it takes the manual route: networks of its own."""
    return present(pool.blocks(NETWORKS))


def _either(one: bool | None, other: bool | None) -> bool | None:
    if one or other:
        return True
    return None if one is None or other is None else False


def cluster_of(pool: NodePool) -> Cluster | None:
    """Its cluster when that is made in the same tree and known to be the one."""
    return pool.cluster if isinstance(pool.cluster, Cluster) else None


def is_autopilot(cluster: Cluster) -> bool | None:
    """Whether it is an Autopilot cluster."""
    return is_true(cluster.resource.get("enable_autopilot"))


def ours(cluster: Cluster) -> Iterator[NodePool]:
    """Its pools that are in scope."""
    return (p for p in cluster.pools if hardware(p))


def node_config(pool: NodePool) -> Span | None:
    """The header of `node_config`, or of what would hold it."""
    blocks = pool.blocks("node_config")
    return blocks.items[0].header if blocks.items else blocks.span


def accelerators(pool: NodePool) -> tuple[Block, ...]:
    """The `guest_accelerator` blocks."""
    return pool.blocks("node_config.guest_accelerator").items


def specific_reservation(pool: NodePool) -> Known | None:
    """`consume_reservation_type` when it is known to name a specific reservation, in a block that is known to be there."""
    if present(pool.blocks("node_config.reservation_affinity")) is not True:
        return None
    answer = pool.get("node_config.reservation_affinity.consume_reservation_type")
    return answer if isinstance(answer, Known) and answer.value == values.specific_reservation() else None


def is_zone(name: str) -> bool:
    """Whether it has the form of a zone's name."""
    return _ZONE.fullmatch(name) is not None


def is_region(name: str) -> bool:
    """Whether it has the form of a region's name."""
    return _REGION.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Zones:
    """The zones that a pool's nodes stand in.

    Attributes:
        names: their names; empty when GKE chooses several zones of a region.
        at: the expression that says so; the pool's header when nothing is written.
        answer: the value behind it, None when nothing is written.
    """

    names: frozenset[str]
    at: Span | None
    answer: Known | None

    @property
    def is_one(self) -> bool:
        """Whether it is exactly one zone."""
        return len(self.names) == 1


def zones(pool: NodePool) -> Zones | None:
    """Where a pool's nodes stand; None when that is not known."""
    own = pool.get("node_locations")
    if isinstance(own, Unknown):
        return None
    if isinstance(own, Known) and own.value:
        return Zones(_names(own), own.span, own)
    cluster = cluster_of(pool)
    location = _location(pool, cluster)
    name = text(location)
    if name is None or not isinstance(location, Known):
        return None
    inherited = cluster.resource.get("node_locations") if cluster is not None else None
    return _inherited(pool, name, location, inherited)


def default_location(resource: Resource) -> Known | None:
    """Where the provider puts what writes no location: its region, else its zone; None when that is not known.

    What is known points to the resource's header, where the location is missing.
    """
    if resource.defaults is None:
        return None
    region = resource.defaults.get("region")
    answer = resource.defaults.get("zone") if isinstance(region, Absent) else region
    if not isinstance(answer, Known) or not text(answer):
        return None
    origin = () if answer.span is None else (Origin(answer.span, "default of the provider"),)
    return replace(answer, span=resource.header, origins=(*origin, *answer.origins))


def _location(pool: NodePool, cluster: Cluster | None) -> Answer:
    """The location that a pool's cluster is sought in, its cluster's where the pool takes it from there."""
    own: Answer = reference(pool, "location") if pool.kind == "resource" else Absent(pool.header)
    if cluster is None or isinstance(own, Known):
        return own
    taken = isinstance(own, Absent) or any(
        o.refers_to == cluster.resource.address and o.what.endswith(".location") for o in own.origins
    )
    if not taken:
        return own
    theirs = cluster.resource.get("location")
    return (default_location(cluster.resource) or theirs) if isinstance(theirs, Absent) else theirs


def _inherited(pool: NodePool, name: str, location: Known, inherited: Answer | None) -> Zones | None:
    """The zones of a pool that writes none: those of its cluster."""
    if inherited is None:
        # A zonal cluster that is not in this tree may have further zones, but a pool that names a zone means that one.
        return Zones(frozenset({name}), location.span, location) if is_zone(name) else None
    if isinstance(inherited, Unknown):
        return None
    further = _names(inherited) if isinstance(inherited, Known) else frozenset()
    if is_zone(name):
        return Zones(further | {name}, location.span, location)
    if not is_region(name):
        return None
    if isinstance(inherited, Known) and further:
        return Zones(further, inherited.span if len(further) == 1 else pool.header, inherited)
    return Zones(frozenset(), pool.header, None)


def _names(answer: Known) -> frozenset[str]:
    value = answer.value
    return frozenset(str(v) for v in value) if isinstance(value, frozenset | tuple) else frozenset()


def last_segment(path: str) -> str:
    """The name at the end of a resource path: `projects/p/global/networks/n` is `n`."""
    return path.rsplit("/", 1)[-1]


def refers_to(answer: Answer) -> frozenset[str]:
    """The addresses of the resources that a value was read from through references."""
    if isinstance(answer, Absent):
        return frozenset()
    found = {o.refers_to for o in answer.origins if o.refers_to}
    if isinstance(answer, Unknown) and answer.refers_to:
        found.add(answer.refers_to)
    return frozenset(found)


def reference(block: Block | NodePool, path: str) -> Answer:
    """An argument that names another resource: one that is computed is as good as known when it says which it is."""
    answer = block.peek(path)
    return block.get(path) if isinstance(answer, Unknown) and not refers_to(answer) else answer


def by_name(pool: NodePool) -> bool:
    """Whether it is known to refer to its cluster by name, which says nothing about the cluster's location or identity."""
    answer = reference(pool, "cluster")
    if isinstance(answer, Known):
        return "/" not in str(answer.value)
    cluster = cluster_of(pool)
    if isinstance(answer, Absent) or cluster is None:
        return False
    # The name may itself be unknown; what was read is then told by the place it was read through.
    return any(o.refers_to == cluster.resource.address and o.what.endswith(".name") for o in answer.origins)


def shown(answer: Answer) -> str:
    """A known value for a message; empty for others."""
    return answer.show() if isinstance(answer, Known) else ""


def is_secret(answer: Answer) -> bool:
    """Whether nothing of the value may be printed."""
    return isinstance(answer, Known) and answer.sensitive
