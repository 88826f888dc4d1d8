"""Terraform's numbers: binary floating point with 512 bits of mantissa, written as the shortest decimal that reads back the same.

A value holds an int or an exact fraction; what Terraform would compute with is `rounded` of it.
Source: cty uses `big.Float` with precision 512 and rounding to nearest even, and prints with `Text('f', -1)`.
"""

from __future__ import annotations

import re
from fractions import Fraction

from generator.hcl.evaluate_base import Failure, LimitReached, Undecided

PRECISION = 512
# Beyond these Terraform computes with exponents that would cost us unbounded digits.
MAX_EXPONENT = 2_000
# Terraform has it and writes it "-0"; an int has no room for it.
NEGATIVE_ZERO = "a negative zero"
_MAX_BITS = 7_000
_SMALL = 1 << PRECISION
_EXACT_DIGITS = 150
_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d+))?\Z", re.ASCII)
_ODD = re.compile(r"[+-]?[0-9.][0-9.+\-eEpP]*\Z", re.ASCII)


def whole(number: int | Fraction) -> int | Fraction:
    """An int whenever the number is whole."""
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def rounded(number: int | Fraction) -> int | Fraction:
    """The number that Terraform computes with: 512 significant bits.

    Raises:
        LimitReached: when the number is too large or too small to handle.
    """
    if isinstance(number, int) and -_SMALL < number < _SMALL:
        return number
    top, bottom = abs(number.numerator), number.denominator
    if max(top.bit_length(), bottom.bit_length()) > _MAX_BITS:
        raise LimitReached
    shift = PRECISION - (top.bit_length() - bottom.bit_length())
    mantissa = _divide(top, bottom, shift)
    if mantissa.bit_length() > PRECISION:
        shift -= 1
        mantissa = _divide(top, bottom, shift)
    result = Fraction(mantissa << -shift) if shift < 0 else Fraction(mantissa, 1 << shift)
    return whole(-result if number < 0 else result)


def _divide(top: int, bottom: int, shift: int) -> int:
    """Top * 2**shift / bottom, rounded half to even."""
    if shift >= 0:
        top <<= shift
    else:
        bottom <<= -shift
    quotient, rest = divmod(top, bottom)
    if rest * 2 > bottom or (rest * 2 == bottom and quotient & 1):
        quotient += 1
    return quotient


def number_text(number: int | Fraction) -> str:
    """A number as Terraform writes it into a string."""
    if isinstance(number, int) and -_SMALL < number < _SMALL:
        return str(number)
    sign = "-" if number < 0 else ""
    digits, exponent = shortest_decimal(-number if number < 0 else number)
    if exponent >= 0:
        return sign + digits + "0" * exponent
    digits = digits.rjust(1 - exponent, "0")
    return f"{sign}{digits[:exponent]}.{digits[exponent:]}"


def shortest_decimal(number: int | Fraction) -> tuple[str, int]:
    """The shortest digits that stand for a number that is not negative.

    Returns:
        The digits without trailing zeros, and the power of ten to scale them by.
    """
    exact = _exact_decimal(number)
    if exact is not None:
        return exact
    value = Fraction(rounded(number))
    shift = PRECISION - (value.numerator.bit_length() - value.denominator.bit_length())
    half = Fraction(1, 2) / (Fraction(2) ** shift)
    if value * Fraction(2) ** shift < (1 << (PRECISION - 1)):
        half /= 2
    elif value * Fraction(2) ** shift >= _SMALL:
        half *= 2
    magnitude = len(str(value.numerator)) - len(str(value.denominator))
    low, high = 1, 170
    while low < high:
        middle = (low + high) // 2
        digits, exponent = _to_digits(value, middle, magnitude)
        if abs(Fraction(digits) * Fraction(10) ** exponent - value) < half:
            high = middle
        else:
            low = middle + 1
    digits, exponent = _to_digits(value, low, magnitude)
    text = str(digits)
    stripped = text.rstrip("0") or "0"
    return stripped, exponent + len(text) - len(stripped)


def _to_digits(value: Fraction, count: int, magnitude: int) -> tuple[int, int]:
    exponent = magnitude - count
    scaled = value / Fraction(10) ** exponent
    if scaled < 10 ** (count - 1):
        exponent -= 1
    elif scaled >= 10**count:
        exponent += 1
    return round(value / Fraction(10) ** exponent), exponent


def _exact_decimal(number: int | Fraction) -> tuple[str, int] | None:
    """The decimal expansion when it is so short that no shorter one could stand for the number."""
    bottom, places = number.denominator, 0
    for factor in (2, 5):
        power, rest = 0, bottom
        while rest % factor == 0 and power <= MAX_EXPONENT:
            rest //= factor
            power += 1
        bottom, places = rest, max(places, power)
    if bottom != 1 or places > MAX_EXPONENT:
        return None
    digits = str(number.numerator * 10**places // number.denominator)
    stripped = digits.rstrip("0") or "0"
    if len(stripped) > _EXACT_DIGITS:
        return None
    return stripped, len(digits) - len(stripped) - places


def parse_number(text: str) -> int | Fraction:
    """The number in a string, as `tonumber` reads it.

    Raises:
        Failure: Terraform finds no number in it.
        Undecided: a form that Terraform may read and we do not.
        LimitReached: the exponent or the number of digits is beyond what we handle.
    """
    if len(text) > MAX_EXPONENT:
        raise LimitReached
    found = _DECIMAL.match(text)
    if found is None:
        if _ODD.match(text):
            raise Undecided("it holds a number in an unusual notation")
        raise Failure("a number is required")
    if found[1] and abs(int(found[1])) > MAX_EXPONENT:
        raise LimitReached
    result = whole(Fraction(text))
    if result == 0 and text.startswith("-"):
        raise Undecided(NEGATIVE_ZERO)
    return result
