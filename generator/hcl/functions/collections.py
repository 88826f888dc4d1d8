"""Functions on lists, sets and maps."""

from __future__ import annotations

from generator.hcl.convert_types import describe
from generator.hcl.evaluate_base import Failure, computed, object_of, tuple_of, undecided
from generator.hcl.functions.base import on_values
from generator.hcl.types import NUMBER
from generator.hcl.values import UnknownData, Value, number


@on_values("length", 1)
def _length(args: list[Value]) -> Value:
    value = args[0]
    data = value.data
    if data is None:
        raise Failure("the argument is null")
    if isinstance(data, UnknownData) or value.open or (value.type.name == "set" and not value.is_wholly_known):
        undecided(value, NUMBER)
    if isinstance(data, str | tuple | dict):
        return computed(number(len(data)), value)
    raise Failure(f"a {describe(value.type)} has no length")


@on_values("merge", 0, -1)
def _merge(args: list[Value]) -> Value:
    merged: dict[str, Value] = {}
    for arg in args:
        data = arg.data
        if data is None:
            continue
        if isinstance(data, UnknownData):
            undecided(arg)
        if not isinstance(data, dict):
            raise Failure(f"a {describe(arg.type)} cannot be merged")
        merged.update(data)
    return object_of(merged)


@on_values("concat", 1, -1)
def _concat(args: list[Value]) -> Value:
    items: list[Value] = []
    for arg in args:
        if arg.is_unknown:
            undecided(arg)
        if not isinstance(arg.data, tuple) or arg.type.name == "set":
            raise Failure("all arguments must be lists")
        items += arg.data
    return tuple_of(items)
