"""Node pools: machine, size, zone, disk, labels, upgrades."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from generator.catalog import labels, machines
from generator.spec.checks.cluster import location, zone_at
from generator.spec.checks.look import Check, Look
from generator.spec.document import Problem
from generator.spec.model import region_of
from generator.spec.names import shown

_RESERVED_LABELS = ("kubernetes.io", "k8s.io")


def machine_problems(here: Look) -> Iterator[Problem]:
    """Whether `machine_type` of a pool, ComputeClass or fallback is one that is served."""
    name = here.text("machine_type")
    if not name or machines.served_type(name) is not None:
        return
    served = [m.name for m in machines.served()]
    known = machines.machine_type(name)
    if known is not None:
        yield here.problem(
            "machine_type",
            message=f"The machine type {name} is known, but not served: {known.reason}.",
            hint=f"Write {' or '.join(served)}.",
            key=False,
        )
        return
    near = get_close_matches(name.lower(), served, n=1, cutoff=0.7)
    hint = f"Did you mean {near[0]}?" if near else f"Write {' or '.join(served)}."
    yield here.problem(
        "machine_type",
        message=f"The machine type {shown(name)} is not known to have GPUDirect RDMA.",
        hint=hint,
        key=False,
    )


def _machine_type(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        yield from machine_problems(pool)


def _names(look: Look) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for index, pool in enumerate(look.pools()):
        name = pool.text("name")
        if name is None:
            continue
        if name == "default-pool":
            yield pool.problem(
                "name",
                message="`default-pool` is the name of the CPU pool that GKE makes with the cluster.",
                hint="Give the GPU pool another name.",
                key=False,
            )
        if first.setdefault(name, index) != index:
            yield pool.problem(
                "name", message=f"Two node pools are named {name}.", hint="Give each its own name.", key=False
            )


def _size(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        fixed, scaled = pool.has("node_count"), pool.has("autoscaling")
        if fixed and scaled:
            yield pool.problem(
                "autoscaling",
                message="`node_count` and `autoscaling` cannot stand together: every plan would set the count back.",
                hint="Remove one of the two.",
            )
        if not pool.meant("node_count") and not pool.meant("autoscaling"):
            yield pool.problem(
                message="The node pool has neither `node_count` nor `autoscaling`.",
                hint="Add `node_count: 2`, or `autoscaling: {min_node_count: 0, max_node_count: 2}`.",
            )
        least, most = pool.number("autoscaling", "min_node_count"), pool.number("autoscaling", "max_node_count")
        if least is not None and most is not None and least > most:
            yield pool.problem(
                "autoscaling",
                "min_node_count",
                message=f"min_node_count {least} is above max_node_count {most}.",
                hint="Exchange the two.",
                key=False,
            )


def _zone(look: Look) -> Iterator[Problem]:
    place = location(look)
    for pool in look.pools():
        zone = zone_at(pool, "zone")
        if zone and place and region_of(zone) != region_of(place):
            yield pool.problem(
                "zone",
                message=f"The zone {zone} is not in {region_of(place)}, the region of the cluster.",
                hint=f"Write a zone of {region_of(place)}.",
                key=False,
            )


def _disk(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        disk = pool.text("disk_type")
        machine = machines.served_type(pool.text("machine_type") or "")
        if disk and machine and disk.lower().startswith("pd-"):
            yield pool.problem(
                "disk_type",
                message=f"{machine.name} takes no Persistent Disk such as {shown(disk)}.",
                hint=f"Write {machine.boot_disk}, or leave it out.",
                key=False,
            )


def _labels(look: Look) -> Iterator[Problem]:
    needed = {label.key: label.value for label in (labels.dranet(), labels.network_profile())}
    for pool in look.pools():
        dranet = pool.text("networking") in (None, "dranet")
        for key, value in pool.mapping("labels").items():
            if key in needed and not dranet:
                yield pool.problem(
                    "labels",
                    key,
                    message=f"The label {key} belongs to the dranet route; the two routes exclude each other.",
                    hint="Remove it, or write `networking: dranet`.",
                )
            elif key in needed and value != needed[key]:
                yield pool.problem(
                    "labels",
                    key,
                    message=f'The label {key} has to be "{needed[key]}" on this route; it is written by itself.',
                    hint="Remove it.",
                )
            elif _is_reserved(key):
                yield pool.problem(
                    "labels",
                    key,
                    message=f"GKE refuses the label {key}: keys of kubernetes.io and k8s.io are reserved.",
                    hint="Choose a key of your own.",
                )


def _is_reserved(key: str) -> bool:
    prefix, slash, _ = key.partition("/")
    return bool(slash) and any(prefix == r or prefix.endswith(f".{r}") for r in _RESERVED_LABELS)


def _taints(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        seen: set[tuple[str, str]] = set()
        for index, taint in enumerate(pool.items("taints")):
            pair = (str(taint.get("key")), str(taint.get("effect"))) if isinstance(taint, dict) else None
            if pair is not None and pair in seen:
                yield pool.problem(
                    "taints",
                    index,
                    message=f"Two taints have the key {pair[0]} and the effect {pair[1]}.",
                    hint="Remove one of the two.",
                )
            elif pair is not None:
                seen.add(pair)


def _upgrades(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        surge, missing = (
            pool.number("upgrade_settings", "max_surge"),
            pool.number("upgrade_settings", "max_unavailable"),
        )
        if surge is None or missing is None:
            continue
        if surge + missing == 0:
            yield pool.problem(
                "upgrade_settings",
                message="max_surge and max_unavailable are both 0, so no node could ever be upgraded.",
                hint="Write {max_surge: 0, max_unavailable: 1}.",
            )
        elif surge + missing > 20:
            yield pool.problem(
                "upgrade_settings",
                message=f"max_surge and max_unavailable are {surge + missing} together; GKE takes 20.",
                hint="Lower them.",
            )


CHECKS: tuple[Check, ...] = (_machine_type, _names, _size, _zone, _disk, _labels, _taints, _upgrades)
