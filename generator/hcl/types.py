"""Terraform's types, as far as values, conversions and type constraints need them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any as AnyJson


@dataclass(frozen=True, slots=True)
class Type:
    """A type without parts: `string`, `number`, `bool`, or `any` (not known yet, and the type of null)."""

    name: str


STRING = Type("string")
NUMBER = Type("number")
BOOL = Type("bool")
ANY = Type("any")


@dataclass(frozen=True, slots=True)
class Collection(Type):
    """`list`, `set` or `map` of one element type (`name` says which)."""

    element: Type


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """A fixed sequence of types; `name` is "tuple"."""

    elements: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class ObjectType(Type):
    """Named attributes; `name` is "object".

    Attributes:
        attributes: type of each attribute.
        optional: names that a type constraint declares with `optional()`.
        defaults: for some optional names their default (`typeexpr.OptionalDefault`), evaluated when asked for.
    """

    attributes: dict[str, Type]
    optional: frozenset[str] = frozenset()
    defaults: dict[str, object] = field(default_factory=dict, compare=False)


def list_of(element: Type) -> Collection:
    """`list(element)`."""
    return Collection("list", element)


def set_of(element: Type) -> Collection:
    """`set(element)`."""
    return Collection("set", element)


def map_of(element: Type) -> Collection:
    """`map(element)`."""
    return Collection("map", element)


def from_json(notation: AnyJson) -> Type:
    """The type of Terraform's JSON notation: `"string"`, `["map", "string"]`, `["object", {…}]`.

    Raises:
        ValueError: for anything else.
    """
    if isinstance(notation, str):
        known = {"string": STRING, "number": NUMBER, "bool": BOOL, "dynamic": ANY}
        if notation in known:
            return known[notation]
    elif isinstance(notation, list) and len(notation) >= 2:
        kind, of = notation[0], notation[1]
        if kind in ("list", "set", "map"):
            return Collection(kind, from_json(of))
        if kind == "tuple":
            return TupleType("tuple", tuple(from_json(t) for t in of))
        if kind == "object":
            optional = frozenset(notation[2]) if len(notation) > 2 else frozenset()
            return ObjectType("object", {k: from_json(t) for k, t in of.items()}, optional)
    raise ValueError(f"not a type: {notation!r}")
