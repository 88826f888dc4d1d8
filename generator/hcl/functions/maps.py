"""Functions on maps and objects."""

from __future__ import annotations

from generator.hcl.convert import converted
from generator.hcl.convert_types import describe
from generator.hcl.evaluate_base import (
    Failure,
    LimitReached,
    Undecided,
    deep_marked,
    list_value,
    map_value,
    marked,
    object_of,
    tuple_of,
    undecided,
)
from generator.hcl.functions.base import on_values, with_marks
from generator.hcl.functions.collections import element_type, elements
from generator.hcl.types import STRING, Collection
from generator.hcl.values import Value, string

_TEXTS = Collection("list", STRING)
_MAX_PAIRS = 20_000


def members(value: Value) -> dict[str, Value]:
    """The parts of a map or object.

    Raises:
        Failure: it is null or of another kind.
        Undecided: it is unknown, or not all of its attributes are known.
    """
    data = value.data
    if data is None:
        raise Failure("the argument is null")
    if value.is_unknown:
        undecided(value)
    if not isinstance(data, dict):
        raise Failure(f"a {describe(value.type)} is no map")
    if value.open:
        raise Undecided("not all of its attributes are known")
    return data


@on_values("keys", 1)
def _keys(args: list[Value]) -> Value:
    names = [string(name) for name in sorted(members(args[0]))]
    return list_value(STRING, names) if args[0].type.name == "map" else tuple_of(names)


@on_values("values", 1)
def _values(args: list[Value]) -> Value:
    parts = [part for _, part in sorted(members(args[0]).items())]
    return list_value(element_type(args[0]), parts) if args[0].type.name == "map" else tuple_of(parts)


@on_values("lookup", 2, 3)
def _lookup(args: list[Value]) -> Value:
    data = args[0].data
    key = converted(args[1], STRING)
    if data is None or key.data is None:
        raise Failure("an argument is null")
    if args[0].is_unknown:
        undecided(args[0], element_type(args[0]))
    if not isinstance(data, dict):
        raise Failure(f"a {describe(args[0].type)} is no map")
    if not isinstance(key.data, str):
        undecided(key, element_type(args[0]))
    is_map = args[0].type.name == "map"
    default = (
        converted(args[2], element_type(args[0])) if len(args) == 3 and is_map else args[2] if len(args) == 3 else None
    )
    if key.data in data:
        return data[key.data]
    if args[0].open:
        raise Undecided(f"attribute {key.data} is not known")
    if default is None:
        raise Failure("the map has no such key, and no default is given")
    return default


@on_values("map", 0, -1)
def _map(_args: list[Value]) -> Value:
    raise Failure("it is no longer a function of Terraform; a map is written in braces")


@on_values("merge", 0, -1)
def _merge(args: list[Value]) -> Value:
    merged: dict[str, Value] = {}
    for arg in args:
        if arg.data is not None:
            merged.update({name: marked(part, arg) for name, part in members(arg).items()})
    if args and all(arg.type.name == "map" and arg.type == args[0].type for arg in args):
        return map_value(element_type(args[0]), merged)
    return object_of(merged)


@on_values("transpose", 1)
def _transpose(args: list[Value]) -> Value:
    lists = converted(args[0], Collection("map", _TEXTS))
    if not lists.is_wholly_known:
        undecided(lists, Collection("map", _TEXTS))
    result: dict[str, list[str]] = {}
    for name, names in sorted(members(lists).items()):
        for item in elements(names):
            if not isinstance(item.data, str):
                raise Failure("an element is null")
            result.setdefault(item.data, []).append(name)
    made = {key: list_value(STRING, [string(n) for n in sorted(names)]) for key, names in result.items()}
    return with_marks(map_value(_TEXTS, made), args)


@on_values("zipmap", 2)
def _zipmap(args: list[Value]) -> Value:
    names = elements(converted(args[0], _TEXTS))
    if any(not isinstance(name.data, str) for name in names):
        missing = next(name for name in names if not isinstance(name.data, str))
        if missing.data is None:
            raise Failure("a key is null")
        undecided(missing)
    parts = elements(args[1], ("list", "tuple"))
    if len(names) != len(parts):
        raise Failure("keys and values are of different numbers")
    if len(names) > _MAX_PAIRS:
        raise LimitReached
    pairs = {str(name.data): part for name, part in zip(names, parts, strict=True)}
    made = map_value(element_type(args[1]), pairs) if args[1].type.name == "list" else object_of(pairs)
    return deep_marked(made, args[0])
