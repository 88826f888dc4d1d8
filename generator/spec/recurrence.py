"""Recurrence rules of RFC 5545 (section 3.3.10): their syntax, and how often they begin."""

from __future__ import annotations

import re
from math import ceil

from generator.spec.names import shown

_DAY = "(?:SU|MO|TU|WE|TH|FR|SA)"
_NUMBERS = r"[+-]?\d{1,3}(?:,[+-]?\d{1,3})*"
_FREQUENCIES = ("SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
_PARTS = {
    "FREQ": "|".join(_FREQUENCIES),
    "UNTIL": r"\d{8}(?:T\d{6}Z?)?",
    "COUNT": r"[1-9]\d{0,8}",
    "INTERVAL": r"[1-9]\d{0,8}",
    "BYDAY": rf"(?:[+-]?\d{{1,2}})?{_DAY}(?:,(?:[+-]?\d{{1,2}})?{_DAY})*",
    "WKST": _DAY,
    **dict.fromkeys(
        ("BYSECOND", "BYMINUTE", "BYHOUR", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS"), _NUMBERS
    ),
}


def read(text: str) -> dict[str, str] | str:
    """The parts of a rule by name, in capitals.

    Returns:
        The parts; or what is wrong, as the end of a sentence.
    """
    found: dict[str, str] = {}
    for part in text.upper().split(";"):
        name, equals, value = part.partition("=")
        if not equals or name not in _PARTS:
            return f"has the part {shown(part)}, which RFC 5545 does not know" if part else "has an empty part"
        if name in found:
            return f"has {name} twice"
        if re.fullmatch(_PARTS[name], value, re.ASCII) is None:
            return f"has {name}={shown(value)}, which RFC 5545 does not know"
        found[name] = value
    if "FREQ" not in found:
        return "lacks FREQ"
    return "has both COUNT and UNTIL" if {"COUNT", "UNTIL"} <= set(found) else found


def most_often(parts: dict[str, str], days: int) -> int | None:
    """How often a rule begins at most within a number of days; None when that is not worked out here."""
    if set(parts) - {"FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "BYSETPOS", "WKST"}:
        return None
    interval = int(parts.get("INTERVAL", "1"))
    listed = {name: value.split(",") for name, value in parts.items()}
    if parts["FREQ"] == "DAILY" and not set(parts) & {"BYDAY", "BYMONTHDAY", "BYSETPOS"}:
        return ceil(days / interval)
    if parts["FREQ"] == "WEEKLY" and not set(parts) & {"BYMONTHDAY", "BYSETPOS"}:
        each, weeks = len(listed.get("BYDAY", [""])), days // 7
        return weeks * each + min(each, days % 7) if interval == 1 else ceil(days / (7 * interval)) * each
    if parts["FREQ"] == "MONTHLY":
        # Two months meet in every span of this length.
        return _in_a_month(listed) * 2 if days <= 32 else None
    return None


def _in_a_month(listed: dict[str, list[str]]) -> int:
    if "BYSETPOS" in listed:
        return len(listed["BYSETPOS"])
    weekdays = sum(1 if day[:-2] else 5 for day in listed.get("BYDAY", ()))
    dates = len(listed.get("BYMONTHDAY", ()))
    return min(weekdays, dates) if weekdays and dates else weekdays or dates or 1
