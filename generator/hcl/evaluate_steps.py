"""Steps into values: `.name`, `[key]`."""

from __future__ import annotations

from fractions import Fraction
from typing import NoReturn

from generator.hcl.convert import converted
from generator.hcl.convert_types import describe
from generator.hcl.evaluate_base import Failure, Undecided, first_unknown, marked, unknown_like
from generator.hcl.nodes import GetAttr, Step
from generator.hcl.types import ANY, NUMBER, STRING, Collection, ObjectType, TupleType, Type
from generator.hcl.values import UnknownData, Value, boolean, null, number, string


def walk(value: Value, steps: tuple[Step, ...]) -> Value:
    """The value that the steps lead to.

    Raises:
        Failure: Terraform refuses a step.
        Undecided: the value that a step is taken from is unknown.
    """
    for step in steps:
        value = get_attribute(value, step.name) if isinstance(step, GetAttr) else get_index(value, _constant(step.key))
    return value


def _constant(key: str | int | Fraction | bool | None) -> Value:
    if key is None:
        return null()
    if isinstance(key, bool):
        return boolean(key)
    return string(key) if isinstance(key, str) else number(key)


def get_attribute(value: Value, name: str) -> Value:
    """`.name` of an object or map.

    Raises:
        Failure: it has no such attribute, is null, or is no object.
        Undecided: it is unknown.
    """
    data = value.data
    if data is None:
        raise Failure(f"attribute {name} is asked of null")
    if isinstance(data, UnknownData):
        return _of_unknown(value, name)
    if not isinstance(data, dict):
        raise Failure(f"attribute {name} is asked of a {describe(value.type)}")
    part = data.get(name)
    if part is None:
        if value.open:
            raise Undecided(f"attribute {name} is not known")
        raise Failure(f"it has no attribute {name}")
    return marked(part, value)


def _of_unknown(value: Value, name: str) -> Value:
    """An attribute of an unknown has the type that the unknown's type gives it."""
    type_: Type = ANY
    if isinstance(value.type, ObjectType):
        if name not in value.type.attributes:
            raise Undecided(f"attribute {name} is not known")
        type_ = value.type.attributes[name]
    elif isinstance(value.type, Collection) and value.type.name == "map":
        type_ = value.type.element
    return unknown_like(value, type_)


def get_index(collection: Value, key: Value) -> Value:
    """`collection[key]`.

    Raises:
        Failure: there is no such element, or the collection cannot be indexed.
        Undecided: one of the two is unknown.
    """
    data = collection.data
    if data is None or key.data is None:
        raise Failure("null cannot be indexed" if data is None else "the index is null")
    if isinstance(data, UnknownData):
        return marked(_element_of_unknown(collection, key), key)
    if isinstance(data, tuple) and collection.type.name != "set":
        return marked(_in_sequence(collection, data, key), collection, key)
    if not isinstance(data, dict):
        raise Failure(f"a {describe(collection.type)} has no indexes")
    if key.is_unknown:
        _chosen_by_unknown(collection, key)
    name = converted(key, STRING).data
    if isinstance(name, str) and name in data:
        return marked(data[name], collection, key)
    if collection.open:
        raise Undecided(f"attribute {name} is not known")
    raise Failure(f"it has no element {name!r}" if not key.sensitive else "it has no such element")


def _chosen_by_unknown(collection: Value, key: Value) -> NoReturn:
    """An element whose key is unknown: it does not refer to what the key refers to.

    Raises:
        Undecided: always.
    """
    type_ = collection.type.element if isinstance(collection.type, Collection) else ANY
    raise Undecided(first_unknown(key).reason, type_=type_)


def _element_of_unknown(collection: Value, key: Value) -> Value:
    type_ = collection.type
    if isinstance(type_, Collection) and type_.name in ("list", "map"):
        return unknown_like(collection, type_.element)
    if isinstance(type_, TupleType) and isinstance(key.data, int) and 0 <= key.data < len(type_.elements):
        return unknown_like(collection, type_.elements[key.data])
    if isinstance(type_, ObjectType) and isinstance(key.data, str) and key.data in type_.attributes:
        return unknown_like(collection, type_.attributes[key.data])
    return unknown_like(collection)


def _in_sequence(collection: Value, data: tuple[Value, ...], key: Value) -> Value:
    place = converted(key, NUMBER)
    if place.is_unknown:
        _chosen_by_unknown(collection, key)
    at = place.data
    if not isinstance(at, int) or not 0 <= at < len(data):
        raise Failure(f"there is no element {at} among {len(data)}")
    return data[at]
