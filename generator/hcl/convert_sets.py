"""The order of a set's elements. Terraform sorts strings, numbers and bools, and everything else by a text that stands for it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from generator.hcl.convert_numbers import rounded
from generator.hcl.evaluate_base import Undecided
from generator.hcl.values import UnknownData, Value


def ordered_set(items: Sequence[Value]) -> list[Value]:
    """Elements of one type without duplicates, in Terraform's order; what is not wholly known comes last, in the order given.

    Raises:
        Undecided: the order of the elements is one that we do not know.
    """
    known: dict[object, Value] = {}
    unknown: list[Value] = []
    for item in items:
        if item.is_wholly_known:
            known.setdefault(identity(item), item)
        else:
            unknown.append(item)
    if len(known) < 2:
        return [*known.values(), *unknown]
    nulls = [v for v in known.values() if v.data is None]
    others = [v for v in known.values() if v.data is not None]
    if all(isinstance(v.data, str | bool | int | Fraction) for v in others):
        others.sort(key=_natural)
    else:
        others.sort(key=_hash_text)
    return [*others, *nulls, *unknown]


def _natural(value: Value) -> Any:
    data = value.data
    return rounded(data) if isinstance(data, Fraction) else data


def identity(value: Value) -> object:
    """A hashable key that is equal for equal, wholly known values of one type."""
    data = value.data
    if isinstance(data, tuple):
        return (value.type.name, tuple([identity(v) for v in data]))
    if isinstance(data, dict):
        return (value.type.name, tuple([(k, identity(v)) for k, v in sorted(data.items())]))
    if isinstance(data, bool):
        return ("bool", data)
    if isinstance(data, int | Fraction):
        return rounded(data)
    return None if isinstance(data, UnknownData) else data


def _hash_text(value: Value) -> bytes:
    data = value.data
    if data is None:
        return b"~"
    if isinstance(data, bool):
        return b"T" if data else b"F"
    if isinstance(data, int):
        return str(data).encode()
    if isinstance(data, str):
        return _quoted(data)
    if isinstance(data, tuple):
        brackets = b"<>" if value.type.name == "tuple" else b"[]"
        return brackets[:1] + b"".join([_hash_text(v) + b";" for v in data]) + brackets[1:]
    if isinstance(data, dict):
        if value.type.name == "map":
            return b"{" + b"".join([_quoted(k) + b":" + _hash_text(v) + b";" for k, v in sorted(data.items())]) + b"}"
        return b"<" + b"".join([_hash_text(v) + b";" for _, v in sorted(data.items())]) + b">"
    raise Undecided("the order of its elements is not known")


def _quoted(text: str) -> bytes:
    if not text.isprintable() or not text.isascii():
        raise Undecided("the order of its elements is not known")
    return b'"' + text.replace("\\", "\\\\").replace('"', '\\"').encode() + b'"'
