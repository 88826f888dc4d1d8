"""Conversion of values to types, and the type that several values have in common, as Terraform does both.

Source of the rules: cty's packages `convert` (conversions, unification) and HashiCorp's description of type conversion
(https://developer.hashicorp.com/terraform/language/expressions/types#type-conversion).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, cast, runtime_checkable

from generator.hcl.convert_numbers import number_text, parse_number
from generator.hcl.convert_sets import ordered_set
from generator.hcl.convert_types import describe, has_any, unify_types
from generator.hcl.evaluate_base import (
    Failure,
    LimitReached,
    Undecided,
    checked,
    deep_marked,
    first_unknown,
    undecided,
)
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, Collection, ObjectType, TupleType, Type
from generator.hcl.values import UnknownData, Value


@runtime_checkable
class Default(Protocol):
    """A default of an optional attribute, evaluated when it is asked for (`typeexpr` makes these)."""

    def value(self) -> Value:
        """The default's value."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why a value cannot have a type.

    Attributes:
        reason: a phrase for people: "list of string required", "attribute zone is required".
        path: names, keys and indexes that lead from the value to the part that does not fit.
        value: the part that does not fit.
    """

    reason: str
    path: tuple[str | int, ...]
    value: Value


class _MisfitError(Failure):
    def __init__(self, reason: str, value: Value) -> None:
        super().__init__(reason)
        self.value = value
        self.path: list[str | int] = []


def convert(value: Value, type_: Type) -> Value | Mismatch:
    """A value converted to a type; never raises.

    Args:
        value: any value; an unknown stays unknown and takes the type.
        type_: the type wanted. `any` inside leaves open what it is; missing optional attributes get their default.

    Returns:
        The converted value with the trails and marks of the given one, or why Terraform refuses it.
    """
    try:
        return converted(value, type_)
    except _MisfitError as misfit:
        return Mismatch(misfit.reason, tuple(reversed(misfit.path)), misfit.value)
    except Failure as failure:
        return Mismatch(failure.reason, (), value)
    except Undecided as cause:
        return replace(
            cause.value(), type=type_, trail=value.trail, sensitive=value.sensitive, from_file=value.from_file
        )
    except (LimitReached, RecursionError):
        return Value(type_, UnknownData("it is too large to be converted"), value.trail, value.sensitive)


def converted(value: Value, type_: Type) -> Value:
    """As `convert`, for the evaluator itself.

    Raises:
        Failure: Terraform refuses the conversion.
        Undecided: we do not know what Terraform makes of it.
        LimitReached: the value is too large.
    """
    if value.type is type_ or type_ is ANY:
        return value
    data = value.data
    if data is None:
        return replace(value, type=type_)
    if isinstance(data, UnknownData):
        return _unknown_as(value, type_)
    if isinstance(type_, Collection):
        return _to_map(value, type_) if type_.name == "map" else _to_sequence(value, type_)
    if isinstance(type_, ObjectType):
        return _to_object(value, type_)
    if isinstance(type_, TupleType):
        return _to_tuple(value, type_)
    return _to_primitive(value, type_)


def _unknown_as(value: Value, type_: Type) -> Value:
    """An unknown of the wanted type; one whose kind can never be converted fails now."""
    if not has_any(value.type) and unify_types([value.type, type_]) is None and value.type.name != type_.name:
        primitive = {"string", "number", "bool"}
        if (value.type.name in primitive) != (type_.name in primitive):
            raise _MisfitError(f"{describe(type_)} required", value)
    narrower = has_any(type_) and value.type.name == type_.name and not has_any(value.type)
    return value if narrower else replace(value, type=type_)


def _to_primitive(value: Value, type_: Type) -> Value:
    data = value.data
    result: str | int | bool | object = None
    if type_.name == "string":
        if isinstance(data, bool):
            result = "true" if data else "false"
        elif value.type.name == "number":
            result = number_text(data)  # type: ignore[arg-type]
        elif isinstance(data, str):
            result = data
    elif type_.name == "number":
        if isinstance(data, str):
            result = _number_from(value, data)
        elif value.type.name == "number":
            result = data
    elif type_.name == "bool":
        if isinstance(data, bool):
            return value
        if isinstance(data, str):
            result = {"true": True, "1": True, "false": False, "0": False}.get(data)
    if result is None:
        raise _MisfitError(f"{describe(type_)} required", value)
    return checked(replace(value, type=type_, data=result))  # type: ignore[arg-type]


def _number_from(value: Value, text: str) -> object:
    try:
        return parse_number(text)
    except Failure as failure:
        raise _MisfitError(failure.reason, value) from None


def _to_sequence(value: Value, type_: Collection) -> Value:
    data = value.data
    if not isinstance(data, tuple):
        raise _MisfitError(f"{describe(type_)} required", value)
    if value.type.name == "set" and not value.is_wholly_known and type_.name == "list":
        undecided(value, type_)
    items = _elements(enumerate(data), type_.element)
    element = type_.element
    if has_any(element):
        had_element = value.type.element if isinstance(value.type, Collection) else ANY
        items, element = _in_common(items, element if not items and had_element is ANY else had_element)
    if type_.name == "set":
        # An element that is dropped because it equals another still shows in what is left.
        value, items = deep_marked(value, *items), ordered_set(items)
    return checked(replace(value, type=Collection(type_.name, element), data=tuple(items)))


def _to_map(value: Value, type_: Collection) -> Value:
    data = value.data
    if not isinstance(data, dict):
        raise _MisfitError(f"{describe(type_)} required", value)
    if value.open:
        raise Undecided("not all of its attributes are known", type_=type_)
    names = sorted(data)
    items = _elements(((name, data[name]) for name in names), type_.element)
    element = type_.element
    if has_any(element):
        had_element = value.type.element if isinstance(value.type, Collection) else ANY
        # A null in a map takes the type of the others, which it does not in a list.
        written = [item for item in items if item.data is not None or item.type is not ANY]
        shared, element = _in_common(written, element if not items and had_element is ANY else had_element)
        rest = iter(shared)
        items = [replace(v, type=element) if v.data is None and v.type is ANY else next(rest) for v in items]
    return checked(replace(value, type=Collection("map", element), data=dict(zip(names, items, strict=True))))


def _elements(parts: Iterable[tuple[str | int, Value]], type_: Type) -> list[Value]:
    return [_inside(part, type_, step) for step, part in parts]


def _inside(part: Value, type_: Type, step: str | int) -> Value:
    try:
        return converted(part, type_)
    except _MisfitError as misfit:
        misfit.path.append(step)
        raise
    except Undecided as cause:
        return replace(cause.value(), type=type_, trail=part.trail, sensitive=part.sensitive, from_file=part.from_file)


def _in_common(items: Sequence[Value], empty: Type) -> tuple[list[Value], Type]:
    """The items as values of one type, and that type; `empty` when there are none."""
    if not items:
        return [], empty
    if any(has_unknown_type(v) for v in items):
        return _as_strings(items), STRING
    element = unify_types([v.type for v in items])
    if element is None:
        raise Failure("all elements must have the same type")
    if has_any(element) and any(v.type != items[0].type for v in items):
        raise Undecided("its elements have no type in common that is known")
    return [converted(v, element) for v in items], element


def _as_strings(items: Sequence[Value]) -> list[Value]:
    """Items of which one has an unknown type: a string beside them stays what it is, whatever that type turns out to be."""
    unsure = next(v for v in items if has_unknown_type(v))
    if not all((v.type is STRING or v.data is None or v.is_unknown) for v in items):
        undecided(unsure)
    if not any(v.type is STRING and not v.is_unknown and v.data is not None for v in items):
        undecided(unsure)
    return [v if v.type is STRING else replace(v, type=STRING) for v in items]


def _to_object(value: Value, type_: ObjectType) -> Value:
    data = value.data
    if not isinstance(data, dict):
        raise _MisfitError(f"{describe(type_)} required", value)
    result: dict[str, Value] = {}
    for name in sorted(type_.attributes):
        wanted = type_.attributes[name]
        part = data.get(name)
        if part is None and value.open:
            result[name] = Value(wanted, UnknownData(f"attribute {name} is not known"))
            continue
        if part is None and name not in type_.optional:
            raise _MisfitError(f'attribute "{name}" is required', value)
        if part is None or (part.data is None and name in type_.defaults):
            default = type_.defaults.get(name)
            part = default.value() if isinstance(default, Default) else Value(wanted, None)
        result[name] = _inside(part, wanted, name)
    made = ObjectType("object", {name: part.type for name, part in result.items()})
    return checked(replace(value, type=made, data=result, open=False))


def _to_tuple(value: Value, type_: TupleType) -> Value:
    data = value.data
    if not isinstance(data, tuple) or value.type.name == "set":
        raise _MisfitError(f"{describe(type_)} required", value)
    if value.type.name == "list":
        raise Undecided("a list is used where a tuple is wanted", type_=type_)
    if len(data) != len(type_.elements):
        raise _MisfitError(f"{describe(type_)} with {len(type_.elements)} elements required", value)
    items = [_inside(part, wanted, i) for i, (part, wanted) in enumerate(zip(data, type_.elements, strict=True))]
    return checked(replace(value, type=TupleType("tuple", tuple([v.type for v in items])), data=tuple(items)))


def has_unknown_type(value: Value) -> bool:
    """Whether a value holds an unknown of which not even the type is known (a null has no type either, but no other to come)."""
    data = value.data
    if isinstance(data, UnknownData):
        return has_any(value.type)
    if value.open:
        return True
    if not has_any(value.type):
        return False
    parts = data if isinstance(data, tuple) else data.values() if isinstance(data, dict) else ()
    return any(has_unknown_type(part) for part in parts)


def unify(values: Sequence[Value]) -> list[Value]:
    """The values, converted to the one type that they have in common.

    Raises:
        Failure: they have none.
        Undecided: it depends on what is unknown.
        LimitReached: a value is too large.
    """
    return _in_common(values, ANY)[0]


def settled(value: Value, why: Value, may_be_set: bool = True) -> Value:
    """What is sure of a value that shares its place with one of unknown type (the other arm of a conditional).

    The other's type can turn numbers and bools into strings, and, where `may_be_set`, a tuple into a set; strings stay. That it
    can also make a list of a tuple and a map of an object, with the same parts, is let pass.
    """
    data = value.data
    if data is None or isinstance(data, str | UnknownData):
        return value if data is None or value.type is STRING else replace(value, type=ANY)
    if isinstance(data, dict):
        parts = {k: settled(v, why) for k, v in data.items()}
        return replace(value, type=ObjectType("object", {k: v.type for k, v in parts.items()}), data=parts)
    if isinstance(data, tuple) and (len(data) <= 1 or value.type.name == "set" or not may_be_set):
        items = tuple([settled(v, why) for v in data])
        if value.type.name != "tuple":
            return replace(value, data=items)
        return replace(value, type=TupleType("tuple", tuple([v.type for v in items])), data=items)
    cause = first_unknown(why)
    return Value(
        ANY, UnknownData(cause.reason, cause.refers_to), value.trail, value.sensitive, from_file=value.from_file
    )


def as_string(value: Value) -> str:
    """The text of a value that must be a known string.

    Raises:
        Failure: it is null or no string.
        Undecided: it is unknown.
    """
    return cast(str, _known(value, STRING).data)


def as_bool(value: Value) -> bool:
    """As `as_string`, for a bool."""
    return cast(bool, _known(value, BOOL).data)


def as_number(value: Value) -> Value:
    """A known number value, not null.

    Raises:
        Failure: it is null or no number.
        Undecided: it is unknown.
    """
    return _known(value, NUMBER)


def _known(value: Value, type_: Type) -> Value:
    result = converted(value, type_)
    if result.data is None:
        raise Failure("it is null")
    if isinstance(result.data, UnknownData):
        undecided(result, type_)
    return result
