"""Values as JSON text and JSON text as values, as Terraform's `jsonencode` and `jsondecode` have them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from generator.hcl.convert_numbers import number_text, parse_number
from generator.hcl.evaluate_base import Failure, Undecided, object_of, tuple_of
from generator.hcl.values import Value, boolean, null, number, string

_ESCAPES = {
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\b": "\\b",
    "\f": "\\f",
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
    "\u2028": "\\u2028",
    "\u2029": "\\u2029",
}


def quote(text: str) -> str:
    """A JSON string as Go writes it: `<`, `>` and `&` escaped too."""
    if text.isalnum():
        return f'"{text}"'
    return '"' + "".join([_ESCAPES.get(c) or (c if c >= " " else f"\\u{ord(c):04x}") for c in text]) + '"'


def encode(value: Value) -> str:
    """A wholly known value as compact JSON.

    Raises:
        Undecided: an open object, or an unknown inside.
    """
    data = value.data
    if data is None:
        return "null"
    if isinstance(data, bool):
        return "true" if data else "false"
    if isinstance(data, str):
        return quote(data)
    if isinstance(data, int | Fraction):
        return number_text(data)
    if isinstance(data, tuple):
        return "[" + ",".join([encode(v) for v in data]) + "]"
    if isinstance(data, dict) and not value.open:
        return "{" + ",".join([f"{quote(k)}:{encode(v)}" for k, v in sorted(data.items())]) + "}"
    raise Undecided("not all of it is known")


def decode(text: str) -> Value:
    """The value of a JSON text: objects, tuples and plain values.

    Raises:
        Failure: it is no JSON.
        Undecided: it holds what Go and Python read differently.
        LimitReached: a number is too large.
    """
    import json

    try:
        plain = json.loads(
            text, parse_float=parse_number, parse_int=parse_number, parse_constant=_constant, object_pairs_hook=_members
        )
    except (ValueError, RecursionError):
        raise Failure("it is no JSON") from None
    return from_plain(plain)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Undecided("a JSON object has a key twice")
    return members


def _constant(name: str) -> object:
    raise Failure(f"{name} is no JSON")


def from_plain(plain: Any) -> Value:
    """Plain data (dict, list, str, int, Fraction, bool, None) as a value.

    Raises:
        Undecided: text with lone surrogates.
    """
    if plain is None:
        return null()
    if isinstance(plain, bool):
        return boolean(plain)
    if isinstance(plain, str):
        if not plain.isascii() and any("\ud800" <= c <= "\udfff" for c in plain):
            raise Undecided("a text holds half a character")
        return string(plain)
    if isinstance(plain, int | Fraction):
        return number(plain)
    if isinstance(plain, list):
        return tuple_of([from_plain(item) for item in plain])
    return object_of({name: from_plain(item) for name, item in plain.items()})
