"""Functions on numbers."""

from __future__ import annotations

import math
from fractions import Fraction

from generator.hcl.convert import converted
from generator.hcl.convert_numbers import MAX_EXPONENT, NEGATIVE_ZERO, rounded, whole
from generator.hcl.evaluate_base import Failure, LimitReached, Undecided, undecided
from generator.hcl.functions.base import on_values, pure, whole_number, with_marks
from generator.hcl.functions.go_math import go_logarithm, go_power
from generator.hcl.operators import Number
from generator.hcl.types import NUMBER, STRING
from generator.hcl.values import Value, number

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@pure("abs", NUMBER, result=NUMBER)
def _abs(a: Number) -> Number:
    return -a if a < 0 else a


@pure("ceil", NUMBER, result=NUMBER)
def _ceil(a: Number) -> Number:
    return math.ceil(rounded(a))


@pure("floor", NUMBER, result=NUMBER)
def _floor(a: Number) -> Number:
    return math.floor(rounded(a))


@pure("signum", NUMBER, result=NUMBER)
def _signum(a: Number) -> Number:
    if not isinstance(a, int):
        raise Failure("the argument must be a whole number")
    return (a > 0) - (a < 0)


@pure("max", result=NUMBER, variadic=NUMBER)
def _max(*numbers: Number) -> Number:
    if not numbers:
        raise Failure("at least one number is needed")
    return max(numbers)


@pure("min", result=NUMBER, variadic=NUMBER)
def _min(*numbers: Number) -> Number:
    if not numbers:
        raise Failure("at least one number is needed")
    return min(numbers)


def _from_float(result: float) -> Number:
    """A result of double precision, as the shortest decimal that stands for it: that is how Terraform prints it."""
    if math.isinf(result) or math.isnan(result):
        raise Undecided("the result is infinite", type_=NUMBER)
    if result == 0 and math.copysign(1, result) < 0:
        raise Undecided(NEGATIVE_ZERO, type_=NUMBER)
    return whole(Fraction(repr(result)))


@pure("pow", NUMBER, NUMBER, result=NUMBER)
def _pow(base: Number, power: Number) -> Number:
    try:
        return _from_float(go_power(float(base), float(power)))
    except (OverflowError, ValueError, ZeroDivisionError):
        raise Undecided("the result is infinite or undefined", type_=NUMBER) from None


@pure("log", NUMBER, NUMBER, result=NUMBER)
def _log(a: Number, base: Number) -> Number:
    try:
        return _from_float(go_logarithm(float(a)) / go_logarithm(float(base)))
    except (OverflowError, ValueError, ZeroDivisionError):
        raise Undecided("the result is infinite or undefined", type_=NUMBER) from None


@on_values("parseint", 2)
def _parseint(args: list[Value]) -> Value:
    text, base = converted(args[0], STRING), converted(args[1], NUMBER)
    if args[0].data is None or base.data is None:
        raise Failure("an argument is null")
    if text.is_unknown or base.is_unknown:
        undecided(text if text.is_unknown else base, NUMBER)
    if not args[0].type == STRING:
        raise Failure("the first argument must be a string")
    assert isinstance(text.data, str) and isinstance(base.data, int | Fraction)
    return with_marks(number(_parsed(text.data, whole_number(base.data, "the base"))), args)


def _parsed(text: str, base: int) -> int:
    if not 2 <= base <= 62:
        raise Failure("the base must be between 2 and 62")
    if len(text) > MAX_EXPONENT:
        raise LimitReached
    sign, digits = (text[0], text[1:]) if text[:1] in ("+", "-") and text else ("", text)
    if base <= 36:
        digits = digits.lower()
    result = 0
    for digit in digits:
        at = _DIGITS.find(digit)
        if not 0 <= at < base:
            raise Failure("it holds no number of that base")
        result = result * base + at
    if not digits:
        raise Failure("it holds no number")
    return -result if sign == "-" else result
