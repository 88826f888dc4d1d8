"""`format` and `formatlist`: the verbs of cty's format function, which are those of Go's `fmt` where it has them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from generator.hcl.convert import as_bool, as_number, as_string
from generator.hcl.convert_numbers import number_text, rounded, shortest_decimal
from generator.hcl.evaluate_base import Failure, LimitReached, Undecided, list_value, undecided
from generator.hcl.functions.base import on_values, short_text, with_marks
from generator.hcl.functions.graphemes import count, graphemes
from generator.hcl.functions.json_text import encode
from generator.hcl.operators import Number
from generator.hcl.types import STRING, Collection
from generator.hcl.values import UnknownData, Value, string

_VERB = re.compile(r"%([-+# 0]*)([1-9][0-9]*)?(?:\.([0-9]*))?(?:\[([0-9]+)\])?(.)?", re.DOTALL | re.ASCII)
_MAX_WIDTH = 10_000


@dataclass(frozen=True, slots=True)
class _Verb:
    letter: str
    flags: str
    width: int
    precision: int | None

    def padded(self, text: str, digits: bool = False) -> str:
        """Filled up to the width; zeros go between a number's sign and its digits."""
        missing = self.width - count(text)
        if missing <= 0:
            return text
        if "-" in self.flags:
            return text + " " * missing
        if "0" in self.flags:
            sign = text[:1] if digits and text[:1] in "+- " else ""
            return sign + "0" * missing + text[len(sign) :]
        return " " * missing + text

    def signed(self, text: str) -> str:
        """With the sign that the flags ask for."""
        if text.startswith("-"):
            return text
        return ("+" if "+" in self.flags else " " if " " in self.flags else "") + text


def formatted(template: str, args: list[Value]) -> str:
    """What `format` makes of a template and arguments that are wholly known.

    Raises:
        Failure: a verb is invalid, or an argument is missing, left over or of another type.
        Undecided: an argument is null.
        LimitReached: the text would be too long.
    """
    parts: list[str] = []
    at = used = 0
    following = 1
    while (found := template.find("%", at)) >= 0:
        parts.append(template[at:found])
        match = _VERB.match(template, found)
        if match is None or match[5] is None:
            raise Failure("a verb of the format is cut off")
        at = match.end()
        if match[5] == "%":
            parts.append("%")
            continue
        place = int(match[4]) if match[4] else following
        if not 1 <= place <= len(args):
            raise Failure("there are fewer arguments than the format asks for")
        following, used = place + 1, max(used, place)
        width = int(match[2] or 0)
        precision = int(match[3]) if match[3] else None
        if width > _MAX_WIDTH or (precision or 0) > _MAX_WIDTH:
            raise LimitReached
        parts.append(short_text(_one(_Verb(match[5], match[1], width, precision), args[place - 1])))
    parts.append(template[at:])
    if used < len(args):
        raise Failure("there are more arguments than the format uses")
    return short_text("".join(parts))


def _one(verb: _Verb, arg: Value) -> str:
    if arg.data is None:
        raise Undecided("null is formatted", type_=STRING)
    letter = verb.letter
    if letter == "v":
        return _default(verb, arg)
    if letter == "t":
        return "true" if as_bool(arg) else "false"
    if letter in "sq":
        return _text(verb, as_string(arg))
    if letter in "bdoxX":
        return verb.padded(verb.signed(_whole(verb, as_number(arg))), digits=True)
    if letter in "eEfgG":
        data = as_number(arg).data
        assert isinstance(data, int | Fraction)
        return verb.padded(verb.signed(_decimal(verb, rounded(data))), digits=True)
    raise Failure(f"%{letter} is no verb of a format")


def _default(verb: _Verb, arg: Value) -> str:
    if "#" in verb.flags:
        return verb.padded(encode(arg))
    if isinstance(arg.data, str):
        return _text(_Verb("s", verb.flags, verb.width, verb.precision), arg.data)
    if isinstance(arg.data, bool):
        return "true" if arg.data else "false"
    if isinstance(arg.data, int | Fraction):
        return _one(_Verb("g", verb.flags, verb.width, verb.precision), arg)
    return verb.padded(encode(arg))


def _text(verb: _Verb, text: str) -> str:
    if verb.precision is not None:
        text = "".join(graphemes(text)[: verb.precision])
    return verb.padded(encode(string(text)) if verb.letter == "q" else text)


def _whole(verb: _Verb, value: Value) -> str:
    data = value.data
    if not isinstance(data, int):
        raise Failure("a whole number is required")
    if verb.precision is not None:
        raise Undecided("a whole number is formatted with a precision", type_=STRING)
    prefix = {"x": "0x", "X": "0X", "o": "0", "b": "0b"}.get(verb.letter, "") if "#" in verb.flags else ""
    return ("-" if data < 0 else "") + prefix + f"{abs(data):{verb.letter}}"


def _decimal(verb: _Verb, value: Number) -> str:
    sign, magnitude = ("-", -value) if value < 0 else ("", value)
    if verb.letter in "fF":
        return sign + _fixed(magnitude, 6 if verb.precision is None else verb.precision)
    if verb.letter in "eE":
        return sign + _scientific(magnitude, 6 if verb.precision is None else verb.precision, verb.letter)
    return sign + _general(magnitude, verb)


def _fixed(value: Number, places: int) -> str:
    scaled = round(Fraction(value) * 10**places)
    digits = str(scaled).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def _significant(value: Number, count: int) -> tuple[str, int]:
    """The first digits of a number, rounded, and the power of ten of the first one."""
    if value == 0:
        return "0" * count, 0
    exponent = len(str(value.numerator)) - len(str(value.denominator))
    if Fraction(value) < Fraction(10) ** exponent:
        exponent -= 1
    digits = str(round(Fraction(value) / Fraction(10) ** (exponent - count + 1)))
    if len(digits) > count:
        digits, exponent = digits[:-1], exponent + 1
    return digits, exponent


def _scientific(value: Number, places: int, letter: str) -> str:
    digits, exponent = _significant(value, places + 1)
    return _with_exponent(digits, exponent, letter)


def _with_exponent(digits: str, exponent: int, letter: str) -> str:
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}{letter}{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


def _general(value: Number, verb: _Verb) -> str:
    """`%g`: scientific below 1e-4 and from ten to the precision on (six when the shortest digits are wanted)."""
    if verb.precision is None:
        digits, scale = shortest_decimal(value)
        exponent, limit = len(digits) + scale - 1, 6
        if value == 0:
            exponent = 0
        limit = 21 if verb.letter == "v" else limit
    else:
        digits, exponent = _significant(value, max(1, verb.precision))
        digits = digits.rstrip("0") or "0"
        limit = max(1, verb.precision)
        if limit > len(digits) > exponent:
            limit = len(digits)
    if exponent < -4 or exponent >= limit:
        return _with_exponent(digits, exponent, "e" if verb.letter == "g" else "E")
    if verb.precision is None:
        return number_text(value)
    return number_text(Fraction(int(digits)) * Fraction(10) ** (exponent - len(digits) + 1))


@on_values("format", 1, -1)
def _format(args: list[Value]) -> Value:
    if args[0].data is None:
        raise Failure("the format is null")
    for arg in args:
        if not arg.is_wholly_known:
            undecided(arg, STRING)
    return with_marks(string(formatted(as_string(args[0]), args[1:])), args)


@on_values("formatlist", 1, -1)
def _formatlist(args: list[Value]) -> Value:
    for arg in args:
        if isinstance(arg.data, UnknownData) or not arg.is_wholly_known:
            undecided(arg, Collection("list", STRING))
        if arg.data is None:
            raise Undecided("null is formatted", type_=Collection("list", STRING))
    template = as_string(args[0])
    rows = [arg.data if isinstance(arg.data, tuple) else None for arg in args[1:]]
    lengths = {len(row) for row in rows if row is not None}
    if len(lengths) > 1:
        raise Failure("the lists are of different lengths")
    rows_made = lengths.pop() if lengths else 1
    results = []
    for i in range(rows_made):
        row = [arg if items is None else items[i] for arg, items in zip(args[1:], rows, strict=True)]
        results.append(string(formatted(template, row)))
    return with_marks(list_value(STRING, results), args)
