"""Terraform's plugin protocol, version 5, as far as values, schemas and messages are concerned.

A value of the protocol is plain Python here: None, bool, int, float, str, a list (list, set, tuple) or a dict (map, object), and
`UNKNOWN` at any depth. An object holds every argument and every block of its schema; a block that is not written is an empty
list, or None when its nesting is "single".
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from generator.hcl.types import Collection, ObjectType, TupleType, Type
from generator.schema.tree import ArgumentSchema, BlockSchema

Step = str | int
Path = tuple[Step, ...]
Object = dict[str, Any]


class Unknown:
    """The type of `UNKNOWN`, a value that is known after apply."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNKNOWN"

    def __deepcopy__(self, memo: object) -> Unknown:
        return self


UNKNOWN: Final = Unknown()

_UNKNOWN_ON_THE_WIRE = b"\x00"
_NESTING = {"single": 1, "list": 2, "set": 3, "map": 4, "group": 5}
_ERROR, _WARNING = 1, 2


@cache
def messages() -> Any:
    """The protocol's message classes."""
    from tfplugin_proto import tfplugin5_5_pb2

    return tfplugin5_5_pb2


def unpack(value: Any) -> Any:
    """The Python form of a `DynamicValue`."""
    if value.msgpack:
        import msgpack

        # Unknown values come as extension 0, or as extension 12 when something about them is known already.
        raw = msgpack.unpackb(value.msgpack, ext_hook=lambda _code, _data: UNKNOWN, strict_map_key=False)
        return _whole_numbers(raw)
    return json.loads(value.json) if value.json else None


def pack(value: Any) -> Any:
    """The `DynamicValue` of a Python form."""
    import msgpack

    packed = msgpack.packb(value, default=lambda _unknown: msgpack.ExtType(0, _UNKNOWN_ON_THE_WIRE))
    return messages().DynamicValue(msgpack=packed)


def is_wholly_known(value: Any) -> bool:
    """Whether no part of it is unknown."""
    if isinstance(value, dict):
        return all(is_wholly_known(v) for v in value.values())
    if isinstance(value, list):
        return all(is_wholly_known(v) for v in value)
    return value is not UNKNOWN


def complete(value: Mapping[str, Any] | None, schema: BlockSchema) -> Object:
    """The object with every argument and block of its schema, and nothing else, as the protocol wants it."""
    given = value or {}
    whole: Object = {name: _conform(argument.type, given.get(name)) for name, argument in schema.arguments.items()}
    for name, block in schema.blocks.items():
        rows = given.get(name)
        if block.nesting == "single":
            whole[name] = complete(rows, block) if isinstance(rows, dict) else rows
        elif isinstance(rows, list):
            whole[name] = [complete(row, block) if isinstance(row, dict) else row for row in rows]
        else:
            whole[name] = [] if rows is None else rows
    return whole


def schema_message(schema: BlockSchema) -> Any:
    """The `Schema` of a resource type, a data source or the provider."""
    return messages().Schema(version=0, block=_block_message(schema))


def path_message(path: Path) -> Any:
    """The `AttributePath` of a path."""
    message = messages().AttributePath()
    for step in path:
        if isinstance(step, int):
            message.steps.add(element_key_int=step)
        else:
            message.steps.add(attribute_name=step)
    return message


def error(summary: str, detail: str = "", path: Path = ()) -> Any:
    """A `Diagnostic` that stops Terraform."""
    return _diagnostic(_ERROR, summary, detail, path)


def warning(summary: str, detail: str = "", path: Path = ()) -> Any:
    """A `Diagnostic` that Terraform only shows."""
    return _diagnostic(_WARNING, summary, detail, path)


def notation(type_: Type) -> Any:
    """Terraform's JSON notation of a type: `"string"`, `["map", "string"]`."""
    if isinstance(type_, Collection):
        return [type_.name, notation(type_.element)]
    if isinstance(type_, ObjectType):
        return ["object", {name: notation(inner) for name, inner in type_.attributes.items()}]
    if isinstance(type_, TupleType):
        return ["tuple", [notation(inner) for inner in type_.elements]]
    return "dynamic" if type_.name == "any" else type_.name


def _conform(type_: Type, value: Any) -> Any:
    """The value with exactly the attributes that its type names, at any depth."""
    if isinstance(type_, Collection):
        if isinstance(value, list):
            return [_conform(type_.element, inner) for inner in value]
        if isinstance(value, dict):
            return {key: _conform(type_.element, inner) for key, inner in value.items()}
    elif isinstance(type_, ObjectType) and isinstance(value, dict):
        return {name: _conform(inner, value.get(name)) for name, inner in type_.attributes.items()}
    return value


def _diagnostic(severity: int, summary: str, detail: str, path: Path) -> Any:
    attribute = path_message(path) if path else None
    return messages().Diagnostic(severity=severity, summary=summary, detail=detail, attribute=attribute)


def _block_message(schema: BlockSchema) -> Any:
    block = messages().Schema.Block(version=0)
    block.attributes.extend(_attribute_messages(schema.arguments.items()))
    for name, inner in sorted(schema.blocks.items()):
        block.block_types.add(
            type_name=name,
            block=_block_message(inner),
            nesting=_NESTING[inner.nesting],
            min_items=inner.min,
            max_items=inner.max,
        )
    return block


def _attribute_messages(arguments: Iterable[tuple[str, ArgumentSchema]]) -> Iterable[Any]:
    attribute = messages().Schema.Attribute
    for name, argument in sorted(arguments):
        yield attribute(
            name=name,
            type=json.dumps(notation(argument.type)).encode(),
            required=argument.required,
            optional=argument.optional,
            computed=argument.computed,
            sensitive=argument.sensitive,
            deprecated=argument.deprecated,
        )


def _whole_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole_numbers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
