"""Values of Terraform's type system, with what a linter needs beside them: unknowns, places and sensitive marks."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from generator.hcl.source import Span
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, Type

# A value's trail keeps this many places; further ones (a chain of locals, say) tell the reader nothing more.
TRAIL_LIMIT = 6


@dataclass(frozen=True, slots=True)
class Origin:
    """A place that a value came through.

    Attributes:
        span: the expression there.
        what: what it is, for people: "default of variable zone", "local.zones", "element".
        refers_to: the address of the resource instance whose argument stands there, when the value was read through a reference.
    """

    span: Span
    what: str
    refers_to: str | None = None


@dataclass(frozen=True, slots=True)
class UnknownData:
    """The data of a value that cannot be known before apply, or that we do not evaluate.

    Attributes:
        reason: a phrase for people: "variable zone has no value", "google_container_cluster.c.endpoint is known after apply".
        refers_to: the address of the resource instance that it is a computed attribute of. Operations on an unknown keep it.
    """

    reason: str
    refers_to: str | None = None


Data = None | bool | int | Fraction | str | tuple["Value", ...] | dict[str, "Value"] | UnknownData


@dataclass(slots=True)
class Value:
    """One value.

    Attributes:
        type: its type; `ANY` for null and for an unknown of unknown type.
        data: None for null; bool; int or Fraction for numbers (an int whenever it is whole); str; a tuple of values for list,
            set and tuple (sets without duplicates, in Terraform's order); a dict for map and object; `UnknownData`.
        trail: where it is written, nearest first: the element in a list or map, then the local, the default, the line of the
            tfvars file that it came from. At most TRAIL_LIMIT entries.
        sensitive: must never be printed.
        open: an object of which more attributes exist than `data` holds; asking for one of these gives an unknown.
        from_file: holds text that was read from a file of the module: never printed, even after `nonsensitive()`.
        weight: how much it holds, shared parts counted each time: one per value, and one more per 32 characters of a string.
    """

    type: Type
    data: Data
    trail: tuple[Origin, ...] = ()
    sensitive: bool = False
    open: bool = False
    from_file: bool = False
    weight: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        data = self.data
        if isinstance(data, str):
            self.weight = 1 + (len(data) >> 5)
        elif isinstance(data, tuple):
            self.weight = 1 + sum([v.weight for v in data])
        elif isinstance(data, dict):
            self.weight = 1 + sum([v.weight for v in data.values()])
        else:
            self.weight = 1

    @property
    def is_null(self) -> bool:
        """Whether it is null."""
        return self.data is None

    @property
    def is_unknown(self) -> bool:
        """Whether the value itself is unknown; its elements may be unknown all the same when it is not."""
        return isinstance(self.data, UnknownData)

    @property
    def is_wholly_known(self) -> bool:
        """Whether neither it nor anything inside is unknown."""
        data = self.data
        if isinstance(data, UnknownData):
            return False
        if isinstance(data, tuple):
            return all(v.is_wholly_known for v in data)
        if isinstance(data, dict):
            return not self.open and all(v.is_wholly_known for v in data.values())
        return True


def null() -> Value:
    """The null value."""
    return Value(ANY, None)


def unknown(reason: str, type_: Type = ANY) -> Value:
    """An unknown value."""
    return Value(type_, UnknownData(reason))


def string(data: str) -> Value:
    """A string value."""
    return Value(STRING, data)


def number(data: int | Fraction) -> Value:
    """A number value; a whole fraction becomes an int."""
    if isinstance(data, Fraction) and data.denominator == 1:
        data = int(data)
    return Value(NUMBER, data)


def boolean(data: bool) -> Value:
    """A bool value."""
    return Value(BOOL, data)
