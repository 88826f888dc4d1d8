"""Values made of values, and places in front of trails, for what stands around the evaluator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from generator.hcl.nodes import GetAttr, Step
from generator.hcl.types import ObjectType, TupleType
from generator.hcl.values import TRAIL_LIMIT, Origin, Value


def traced(value: Value, origin: Origin) -> Value:
    """The value with one more place in front of its trail; an origin that names a resource stays, however long the trail."""
    trail = (origin, *value.trail)
    if len(trail) > TRAIL_LIMIT:
        keep = next((o for o in trail[TRAIL_LIMIT - 1 :] if o.refers_to), trail[TRAIL_LIMIT - 1])
        trail = (*trail[: TRAIL_LIMIT - 1], keep)
    return replace(value, trail=trail)


def open_object(attributes: Mapping[str, Value]) -> Value:
    """An object of which more attributes exist than are given."""
    return Value(ObjectType("object", {k: v.type for k, v in attributes.items()}), dict(attributes), open=True)


def object_of(attributes: Mapping[str, Value]) -> Value:
    """An object, its attributes in the order of their names."""
    data = dict(sorted(attributes.items()))
    return Value(ObjectType("object", {k: v.type for k, v in data.items()}), data)


def tuple_of(items: Sequence[Value]) -> Value:
    """A tuple."""
    return Value(TupleType("tuple", tuple(v.type for v in items)), tuple(items))


def step_name(step: Step) -> str | None:
    """The attribute that a step asks for: `.name` or `["name"]`."""
    if isinstance(step, GetAttr):
        return step.name
    return step.key if isinstance(step.key, str) else None
