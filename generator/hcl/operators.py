"""Terraform's operators on values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from generator.hcl.convert import converted
from generator.hcl.convert_numbers import NEGATIVE_ZERO, rounded
from generator.hcl.convert_sets import identity
from generator.hcl.convert_types import has_any
from generator.hcl.evaluate_base import Failure, Undecided, deep_marked, unknown_like
from generator.hcl.types import BOOL, NUMBER, Type
from generator.hcl.values import UnknownData, Value, boolean, number

Number = int | Fraction


def unary(operator: str, operand: Value) -> Value:
    """`-x` or `!x`.

    Raises:
        Failure: the operand is null or of another type.
    """
    value = _operand(operand, BOOL if operator == "!" else NUMBER)
    if value.is_unknown:
        return value
    if isinstance(value.data, bool):
        return boolean(not value.data)
    if value.data == 0:
        raise Undecided(NEGATIVE_ZERO, type_=NUMBER)
    return number(-_number(value))


def binary(operator: str, left: Value, right: Value) -> Value:
    """`left operator right`; the caller adds the marks of the operands, of what is inside them only an equality does.

    Raises:
        Failure: an operand is null or of another type.
        Undecided: the result is one that we do not know.
    """
    if operator in ("==", "!="):
        same = equal(left, right)
        if same is None:
            return unknown_like(left if not left.is_wholly_known else right, BOOL)
        return deep_marked(boolean(same == (operator == "==")), left, right)
    if operator in ("&&", "||"):
        return _logical(operator, left, right)
    a, b = _operand(left, NUMBER), _operand(right, NUMBER)
    compare = _COMPARISONS.get(operator)
    if a.is_unknown or b.is_unknown:
        return unknown_like(a if a.is_unknown else b, NUMBER if compare is None else BOOL)
    x, y = rounded(_number(a)), rounded(_number(b))
    if compare is not None:
        return boolean(compare(x, y))
    return number(rounded(_arithmetic(operator, x, y)))


_COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


def decides(operator: str, left: Value) -> bool:
    """Whether a left operand settles the result for versions of Terraform (1.12 on) that then leave the right one alone."""
    if operator not in ("&&", "||"):
        return False
    try:
        return converted(left, BOOL).data is (operator == "||")
    except Failure:
        return False


def _arithmetic(operator: str, a: Number, b: Number) -> Number:
    if operator == "+":
        return a + b
    if operator == "-":
        return a - b
    if b == 0 and operator != "*":
        raise Undecided("a division by zero", type_=NUMBER)
    if operator in "*/" and (a == 0 or b == 0) and (a < 0 or b < 0):
        raise Undecided(NEGATIVE_ZERO, type_=NUMBER)
    if operator == "*":
        return a * b
    quotient = rounded(Fraction(a) / Fraction(b))
    if operator == "/":
        return quotient
    return rounded(a - rounded(b * int(quotient)))


def _operand(value: Value, type_: Type) -> Value:
    result = converted(value, type_)
    if result.data is None:
        raise Failure("an operand is null")
    return result


def _number(value: Value) -> Number:
    data = value.data
    if isinstance(data, bool) or not isinstance(data, int | Fraction):
        raise Failure("a number is required")
    return data


def _logical(operator: str, left: Value, right: Value) -> Value:
    """Unknown beside `false &&` or `true ||` too: Terraform decides these from version 1.12 on only, and so with null."""
    a, b = converted(left, BOOL), converted(right, BOOL)
    if a.data is None or b.data is None:
        raise Undecided("an operand is null", type_=BOOL)
    if a.is_unknown or b.is_unknown:
        return unknown_like(a if a.is_unknown else b, BOOL)
    return boolean(bool(a.data) and bool(b.data) if operator == "&&" else bool(a.data) or bool(b.data))


def equal(a: Value, b: Value) -> bool | None:
    """Whether two values are equal; None when that depends on what is unknown. Values of different types never are."""
    x, y = a.data, b.data
    if isinstance(x, UnknownData) or isinstance(y, UnknownData):
        return None
    if x is None or y is None:
        return x is None and y is None
    if a.type.name != b.type.name:
        return False
    if isinstance(x, tuple) and isinstance(y, tuple):
        same = _equal_sets(a, b, x, y) if a.type.name == "set" else _equal_rows(x, y)
    elif isinstance(x, dict) and isinstance(y, dict):
        same = _equal_named(a, b, x, y)
    elif isinstance(x, bool | str) or isinstance(y, bool | str):
        return x == y
    else:
        return rounded(_number(a)) == rounded(_number(b))
    if same and a.type != b.type:
        return None if has_any(a.type) or has_any(b.type) else False
    return same


def _equal_rows(x: tuple[Value, ...], y: tuple[Value, ...]) -> bool | None:
    if len(x) != len(y):
        return False
    return _all([equal(v, w) for v, w in zip(x, y, strict=True)])


def _equal_named(a: Value, b: Value, x: dict[str, Value], y: dict[str, Value]) -> bool | None:
    shared = _all([equal(x[k], y[k]) for k in x.keys() & y.keys()])
    if shared is False:
        return False
    missing = (x.keys() - y.keys() and not b.open) or (y.keys() - x.keys() and not a.open)
    if missing:
        return False
    return None if a.open or b.open else shared


def _equal_sets(a: Value, b: Value, x: tuple[Value, ...], y: tuple[Value, ...]) -> bool | None:
    if not a.is_wholly_known or not b.is_wholly_known:
        return None
    return {identity(v) for v in x} == {identity(v) for v in y}


def _all(answers: list[bool | None]) -> bool | None:
    if False in answers:
        return False
    return None if None in answers else True
