"""What a view answers when it is asked for a value: Known, Unknown or Absent.

An Unknown has no value, so a rule cannot compare it by mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from generator.hcl.source import Span
from generator.hcl.values import Origin

# Numbers are int when whole, else Fraction. Sets are frozensets, lists are tuples, maps and objects are dicts.
Plain = None | bool | int | Fraction | str | tuple["Plain", ...] | frozenset["Plain"] | Mapping[str, "Plain"]


@dataclass(frozen=True, slots=True)
class Known:
    """A value that is known wholly, converted to the argument's type.

    Attributes:
        value: plain Python data.
        span: where to point: the argument's expression, or the element's when a map or list is written in place. None in a
            plan without its text.
        origins: where the value came from when that is somewhere else (default, tfvars line, local), nearest first.
        sensitive: the value must not be printed; `show()` takes care.
    """

    value: Plain
    span: Span | None
    origins: tuple[Origin, ...] = ()
    sensitive: bool = False

    def show(self) -> str:
        """The value as it is written in Terraform, or "(sensitive value)"."""
        return "(sensitive value)" if self.sensitive else show(self.value)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that is not known: computed, looked up, from a variable without a value, or not evaluated by us.

    Attributes:
        reason: a phrase for people.
        span: its expression, or the header of the block that may or may not hold it.
        refers_to: the address of the resource instance that it is a computed attribute of (`google_container_cluster.c.id`).
        origins: the places it came through, as for `Known`.
    """

    reason: str
    span: Span | None
    refers_to: str | None = None
    origins: tuple[Origin, ...] = ()


@dataclass(frozen=True, slots=True)
class Absent:
    """Nothing is written, or null is.

    Attributes:
        span: the expression when it is null; else the header of the innermost block on the path that is written, from the
            first letter of its type to the end of its last label.
        is_null: an expression is there, and gives null.
    """

    span: Span | None
    is_null: bool = False


Answer = Known | Unknown | Absent


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of a list, set or map of which each may be known or not.

    Attributes:
        items: the elements in order; for a map, those of `keys`, one for one. Unknown elements of a set may be equal to
            others, so the number of items is an upper bound when `distinct` is False.
        keys: the keys of a map or object, else empty.
        span: the argument's expression.
        distinct: the number of items is the true number of elements.
    """

    items: tuple[Known | Unknown | Absent, ...]
    keys: tuple[str, ...]
    span: Span | None
    distinct: bool = True


def show(value: Plain) -> str:
    """Plain data the way Terraform writes it, on one line, shortened when long."""
    text = _show(value)
    return text if len(text) <= 120 else text[:117] + "…"


def _show(value: Plain) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        escaped = (
            value.replace("\\", "\\\\")
            .replace('"', '\\"')
            .replace("\n", "\\n")
            .replace("\r", "\\r")
            .replace("\t", "\\t")
        )
        return f'"{escaped}"'
    if isinstance(value, Fraction):
        return repr(float(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_show(k)} = {_show(v)}" for k, v in value.items()) + " }" if value else "{}"
    items = sorted(value, key=_show) if isinstance(value, frozenset) else value
    return "[" + ", ".join(_show(v) for v in items) + "]"
