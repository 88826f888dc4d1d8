"""Where machines come from: reservation, spot, flex-start, and what excludes what."""

from __future__ import annotations

from collections.abc import Iterator

from generator.spec.checks.look import Check, Look
from generator.spec.checks.pools import machine_problems
from generator.spec.document import Problem

_RESERVATION_KEYS = ("project", "name", "block", "sub_block")
_FLEX_START_LIMIT = 7 * 24 * 3600


def _places(look: Look) -> Iterator[Look]:
    """Everything that has a capacity: pools, the ComputeClass and its fallbacks."""
    yield from look.pools()
    if isinstance(look.value("compute_class"), dict):
        yield look.at("compute_class")
    for index, fallback in enumerate(look.items("compute_class", "fallbacks")):
        if isinstance(fallback, dict):
            yield look.at("compute_class", "fallbacks", index)


def _reservation(look: Look) -> Iterator[Problem]:
    for place in _places(look):
        here = place.at("capacity")
        kind = here.text("kind")
        if kind == "reservation":
            if not here.has("name"):
                yield here.problem(
                    "kind",
                    message="A reservation needs its name.",
                    hint="Add `name:` with the name of the reservation.",
                )
            if here.has("sub_block") and not here.has("block"):
                yield here.problem(
                    "sub_block", message="A sub-block lies in a block, and none is named.", hint="Add `block:`."
                )
        elif kind is not None:
            for key in _RESERVATION_KEYS:
                if here.has(key):
                    yield here.problem(
                        key,
                        message=f"`{key}` belongs to a reservation, but the capacity is {kind}.",
                        hint="Remove it, or write `kind: reservation`.",
                    )


def _flex_start(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        if pool.text("capacity", "kind") == "flex-start" and pool.has("node_count"):
            yield pool.problem(
                "node_count",
                message="Flex-start nodes come when there is capacity, so the pool takes `autoscaling`, not `node_count`.",
                hint="Write `autoscaling: {min_node_count: 0, max_node_count: 2}` instead.",
            )


def _run_duration(look: Look) -> Iterator[Problem]:
    for place in _places(look):
        text = place.text("max_run_duration") or ""
        if not (text.endswith("s") and text[:-1].isascii() and text[:-1].isdigit()):
            continue
        seconds, flexible = int(text[:-1]), place.text("capacity", "kind") == "flex-start"
        if seconds == 0:
            yield place.problem(
                "max_run_duration",
                message="Nodes with a life of 0 seconds would do nothing.",
                hint='Write one such as "86400s", or leave it out.',
                key=False,
            )
        elif flexible and seconds > _FLEX_START_LIMIT:
            yield place.problem(
                "max_run_duration",
                message="Flex-start nodes live at most 7 days (604800s).",
                hint='Write "604800s" or less.',
                key=False,
            )


def _queued(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        if pool.value("queued_provisioning") is not True:
            continue
        kind = pool.text("capacity", "kind")
        if kind in ("reservation", "spot"):
            yield pool.problem(
                "queued_provisioning",
                message=f"Queued provisioning and {kind} exclude each other.",
                hint="Write `kind: flex-start`, or remove `queued_provisioning`.",
            )
        if pool.has("node_count"):
            yield pool.problem(
                "queued_provisioning",
                message="Queued nodes come when they are asked for, so the pool takes `autoscaling`, not `node_count`.",
                hint="Write `autoscaling: {min_node_count: 0, max_node_count: 2}` instead.",
            )
        least = pool.number("autoscaling", "min_node_count")
        if least:
            yield pool.problem(
                "autoscaling",
                "min_node_count",
                message="A queued pool begins with 0 nodes.",
                hint="Write `min_node_count: 0`.",
                key=False,
            )


def _compact(look: Look) -> Iterator[Problem]:
    for pool in look.pools():
        if pool.value("compact_placement") is not True:
            continue
        if pool.text("capacity", "kind") == "reservation":
            yield pool.problem(
                "compact_placement",
                message="A reservation brings its own placement; a second policy makes the creation fail.",
                hint="Remove `compact_placement`.",
            )
        if pool.value("queued_provisioning") is True:
            yield pool.problem(
                "compact_placement",
                message="Compact placement and queued provisioning exclude each other.",
                hint="Remove one of the two.",
            )


def _compute_class(look: Look) -> Iterator[Problem]:
    for place in _places(look):
        if place.path[0] == "compute_class":
            yield from machine_problems(place)


CHECKS: tuple[Check, ...] = (_reservation, _flex_start, _run_duration, _queued, _compact, _compute_class)
