"""What every part of the evaluator needs: its three ways out, its budget, and values made of values.

A part of the evaluator that cannot give a value leaves by one of three exceptions:

    Failure       Terraform refuses this too; `try` and `can` may catch it
    Undecided     Terraform has an answer, we do not know it; the nearest expression becomes unknown
    LimitReached  our own bounds on work and size; the whole evaluation becomes unknown
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NoReturn

from generator.hcl.types import ANY, Collection, ObjectType, TupleType, Type
from generator.hcl.values import TRAIL_LIMIT, Origin, UnknownData, Value

MAX_WORK = 120_000
MAX_WEIGHT = 60_000
MAX_TEXT = 1_000_000


class Failure(Exception):
    """The expression is one that Terraform refuses as well.

    Args:
        reason: a phrase for people, without a trailing stop.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Undecided(Exception):
    """Terraform has an answer that we do not know.

    Args:
        reason: a phrase for people.
        refers_to: as in `UnknownData`.
        type_: the type that the answer has whatever it is.
    """

    def __init__(self, reason: str, refers_to: str | None = None, type_: Type = ANY) -> None:
        super().__init__(reason)
        self.reason = reason
        self.refers_to = refers_to
        self.type = type_

    def value(self) -> Value:
        """The unknown value that stands for it."""
        return Value(self.type, UnknownData(self.reason, self.refers_to))


class LimitReached(Exception):
    """The evaluation would take more work or room than we spend."""


class Budget:
    """What one evaluation may still spend, in units of about a microsecond."""

    __slots__ = ("left",)

    def __init__(self, left: int = MAX_WORK) -> None:
        self.left = left

    def charge(self, units: int) -> None:
        """Spend `units`.

        Raises:
            LimitReached: when nothing is left.
        """
        self.left -= units
        if self.left < 0:
            raise LimitReached


def undecided(value: Value, type_: Type = ANY) -> NoReturn:
    """Leave with the reason of an unknown value.

    Raises:
        Undecided: always.
    """
    cause = first_unknown(value)
    raise Undecided(cause.reason, cause.refers_to, type_)


def first_unknown(value: Value) -> UnknownData:
    """The first unknown inside a value that is not wholly known."""
    data = value.data
    if isinstance(data, UnknownData):
        return data
    parts = data if isinstance(data, tuple) else data.values() if isinstance(data, dict) else ()
    inner = next((v for v in parts if not v.is_wholly_known), None)
    return UnknownData("it has parts that are not known") if inner is None else first_unknown(inner)


def unknown_like(value: Value, type_: Type = ANY) -> Value:
    """An unknown for the reason that `value` is (partly) unknown for; keeps its marks and trail."""
    return Value(type_, first_unknown(value), value.trail, value.sensitive, from_file=value.from_file)


def checked(value: Value) -> Value:
    """The value itself, if it is of a size that we handle.

    Raises:
        LimitReached: when it is not.
    """
    if value.weight > MAX_WEIGHT or (isinstance(value.data, str) and len(value.data) > MAX_TEXT):
        raise LimitReached
    return value


def tuple_of(items: Iterable[Value]) -> Value:
    """A tuple value.

    Raises:
        LimitReached: when it would be too large.
    """
    data = tuple(items)
    return checked(Value(TupleType("tuple", tuple([v.type for v in data])), data))


def object_of(attributes: dict[str, Value]) -> Value:
    """An object value; attributes in the order of their names, as Terraform walks them.

    Raises:
        LimitReached: when it would be too large.
    """
    data = dict(sorted(attributes.items()))
    return checked(Value(ObjectType("object", {k: v.type for k, v in data.items()}), data))


def list_value(element: Type, items: Iterable[Value]) -> Value:
    """A list of values that are of the element type already.

    Raises:
        LimitReached: when it would be too large.
    """
    return checked(Value(Collection("list", element), tuple(items)))


def map_value(element: Type, items: dict[str, Value]) -> Value:
    """A map of values that are of the element type already.

    Raises:
        LimitReached: when it would be too large.
    """
    return checked(Value(Collection("map", element), dict(sorted(items.items()))))


def marked(value: Value, *sources: Value) -> Value:
    """`value` with the marks of the values that it was made from."""
    sensitive = value.sensitive or any(s.sensitive for s in sources)
    from_file = value.from_file or any(s.from_file for s in sources)
    if sensitive == value.sensitive and from_file == value.from_file:
        return value
    return replace(value, sensitive=sensitive, from_file=from_file)


def deep_marks(value: Value) -> tuple[bool, bool]:
    """Whether a value or anything inside is sensitive, and whether anything was read from a file."""
    data = value.data
    sensitive, from_file = value.sensitive, value.from_file
    parts = data if isinstance(data, tuple) else data.values() if isinstance(data, dict) else ()
    for part in parts:
        inner = deep_marks(part)
        sensitive, from_file = sensitive or inner[0], from_file or inner[1]
    return sensitive, from_file


def deep_marked(value: Value, *sources: Value) -> Value:
    """`value` with the marks of other values and of everything inside them."""
    marks = [deep_marks(source) for source in sources]
    if not any(m[0] or m[1] for m in marks):
        return value
    sensitive = value.sensitive or any(m[0] for m in marks)
    return replace(value, sensitive=sensitive, from_file=value.from_file or any(m[1] for m in marks))


def with_trail(value: Value, *sources: Value) -> Value:
    """`value` with the places of the values that it was computed from."""
    trail: list[Origin] = list(value.trail)
    for source in sources:
        trail += [o for o in source.trail if o not in trail]
        if len(trail) >= TRAIL_LIMIT:
            break
    return replace(value, trail=tuple(trail[:TRAIL_LIMIT])) if len(trail) > len(value.trail) else value


def computed(value: Value, *sources: Value) -> Value:
    """`value` with the marks and the places of its operands."""
    if not any(s.trail or s.sensitive or s.from_file for s in sources):
        return value
    return with_trail(marked(value, *sources), *sources)
