"""Functions on points in time, written as RFC 3339 has them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from fractions import Fraction

from generator.hcl.evaluate_base import Failure, Undecided
from generator.hcl.functions.base import pure
from generator.hcl.types import NUMBER, STRING

_STAMP = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)\Z", re.ASCII)
_DURATION = re.compile(r"[+-]?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+\Z", re.ASCII)
_PIECE = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)", re.ASCII)
_NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "µs": 1_000,
    "μs": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
}
_LIMIT = 1 << 63
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TOKEN = re.compile(r"'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+", re.DOTALL)


def _parsed(stamp: str) -> tuple[datetime, int, str]:
    """The local time, the nanoseconds beyond its second, and the zone as written."""
    found = _STAMP.match(stamp)
    if found is None:
        raise Failure("a time such as 2018-01-02T23:12:01Z is needed")
    try:
        local = datetime.fromisoformat(found[1])
    except ValueError:
        if stamp.startswith("0000"):
            raise Undecided("the year is zero", type_=STRING) from None
        raise Failure("there is no such time") from None
    return local, int((found[2] or "0").ljust(9, "0")), found[3]


def _offset(zone: str) -> timedelta:
    if zone == "Z":
        return timedelta()
    minutes = int(zone[1:3]) * 60 + int(zone[4:6])
    return timedelta(minutes=-minutes if zone[0] == "-" else minutes)


@pure("formatdate", STRING, STRING, result=STRING)
def _formatdate(spec: str, stamp: str) -> str:
    local, _, zone = _parsed(stamp)
    fields = _fields(local, zone)
    result, at = [], 0
    while at < len(spec):
        token = _TOKEN.match(spec, at)
        if token is None:
            raise Failure("a quoted part of the format is not closed")
        at = token.end()
        if token[1] is not None:
            result.append(token[1].replace("''", "'"))
        elif token[2] is not None:
            if token[0] not in fields:
                raise Failure(f"the format does not know {token[0]}")
            result.append(fields[token[0]])
        else:
            result.append(token[0])
    return "".join(result)


def _fields(local: datetime, zone: str) -> dict[str, str]:
    month, day = _MONTHS[local.month - 1], _DAYS[local.weekday()]
    half = "AM" if local.hour < 12 else "PM"
    utc = _offset(zone) == timedelta()
    digits = "+00:00" if zone == "Z" else zone
    return {
        "YYYY": f"{local.year:04d}",
        "YY": f"{local.year % 100:02d}",
        "MMMM": month,
        "MMM": month[:3],
        "MM": f"{local.month:02d}",
        "M": str(local.month),
        "DD": f"{local.day:02d}",
        "D": str(local.day),
        "EEEE": day,
        "EEE": day[:3],
        "hh": f"{local.hour:02d}",
        "h": str(local.hour),
        "HH": f"{(local.hour - 1) % 12 + 1:02d}",
        "H": str((local.hour - 1) % 12 + 1),
        "AA": half,
        "aa": half.lower(),
        "mm": f"{local.minute:02d}",
        "m": str(local.minute),
        "ss": f"{local.second:02d}",
        "s": str(local.second),
        "ZZZZZ": digits,
        "ZZZZ": digits.replace(":", ""),
        "ZZZ": "UTC" if utc else digits.replace(":", ""),
        "Z": "Z" if utc else digits,
    }


def _nanoseconds(duration: str) -> int:
    if duration.lstrip("+-") == "0" and len(duration) <= 2:
        return 0
    if not _DURATION.match(duration):
        raise Failure("a duration such as 1h30m is needed")
    total = sum(int(Fraction(amount) * _NANOSECONDS[unit]) for amount, unit in _PIECE.findall(duration))
    if total >= _LIMIT:
        raise Failure("the duration is too long")
    return -total if duration.startswith("-") else total


@pure("timeadd", STRING, STRING, result=STRING)
def _timeadd(stamp: str, duration: str) -> str:
    if len(duration) > 200:
        raise Undecided("the duration is too long to be read", type_=STRING)
    local, nanoseconds, zone = _parsed(stamp)
    try:
        moved = local + timedelta(seconds=(nanoseconds + _nanoseconds(duration)) // 1_000_000_000)
    except OverflowError:
        raise Undecided("the time lies beyond the years that are handled", type_=STRING) from None
    return f"{moved.isoformat()}{'Z' if _offset(zone) == timedelta() else zone}"


@pure("timecmp", STRING, STRING, result=NUMBER)
def _timecmp(first: str, second: str) -> int:
    moments = []
    for stamp in (first, second):
        local, nanoseconds, zone = _parsed(stamp)
        moments.append(((local - datetime(1, 1, 1)) - _offset(zone), nanoseconds))
    return (moments[0] > moments[1]) - (moments[0] < moments[1])
