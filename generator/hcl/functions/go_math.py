"""Logarithm and power to the last digit as Go computes them, which is not always as the C library does.

Source of the algorithms: FreeBSD's `e_log.c` (the coefficients) and the definition of a power by repeated squaring.
"""

from __future__ import annotations

import math

_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_EVEN = (3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01)
_ODD = (6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01)


def go_logarithm(value: float) -> float:
    """The natural logarithm.

    Raises:
        ValueError: for zero and below.
    """
    if value <= 0 or math.isinf(value):
        raise ValueError(value)
    fraction, exponent = math.frexp(value)
    if fraction < math.sqrt(2) / 2:
        fraction *= 2
        exponent -= 1
    f = fraction - 1
    s = f / (2 + f)
    s2 = s * s
    s4 = s2 * s2
    t1 = s2 * (_ODD[0] + s4 * (_ODD[1] + s4 * (_ODD[2] + s4 * _ODD[3])))
    t2 = s4 * (_EVEN[0] + s4 * (_EVEN[1] + s4 * _EVEN[2]))
    half = 0.5 * f * f
    return exponent * _LN2_HIGH - ((half - (s * (half + (t1 + t2)) + exponent * _LN2_LOW)) - f)


def go_power(base: float, power: float) -> float:
    """`base` to the `power`; of powers that are not whole only the square root.

    Raises:
        ValueError: the power is one whose last digit we cannot tell, or the result is not a real number.
        OverflowError: the result is too large.
        ZeroDivisionError: zero to a negative power.
    """
    if abs(power) == 0.5:
        return math.sqrt(base) if power > 0 else 1 / math.sqrt(base)
    if not power.is_integer() or abs(power) > 1e6:
        raise ValueError(power)
    if base == 0:
        return math.pow(base, power)
    result, scale = 1.0, 0
    fraction, exponent = math.frexp(base)
    rest = int(abs(power))
    while rest:
        if rest & 1:
            result *= fraction
            scale += exponent
        fraction *= fraction
        exponent <<= 1
        if fraction < 0.5:
            fraction += fraction
            exponent -= 1
        rest >>= 1
    if power < 0:
        result, scale = 1 / result, -scale
    return math.ldexp(result, scale)
