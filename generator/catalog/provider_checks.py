"""What the provider checks beyond what its schema says: forms of values, fractions, arguments that are gone."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from generator.catalog.store import load

_CLOCK = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_DATE = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d+)?(?:Z|[+-](?:[01]\d|2[0-4]):[0-5]\d)", re.ASCII
)
_DURATION = re.compile(r"[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)", re.ASCII)
_RANGE = re.compile(r"([0-9a-fA-F:.]+)/(\d{1,4})", re.ASCII)
_PRIVATE = tuple(ipaddress.ip_network(text) for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"))
_NAME = re.compile(r"[a-z](?:[-a-z0-9]*[a-z0-9])?", re.ASCII)


def _entry(name: str) -> Any:
    return load("provider_checks")[name]


def takes_fractions(name: str) -> bool:
    """Whether an argument of that name is a number that need not be whole."""
    return name in _entry("fractions")["names"]


def limits(name: str) -> tuple[int, int] | None:
    """The lowest and highest value of an argument of that name, where its schema does not say so."""
    found = _entry("ranges")["names"].get(name)
    return (found[0], found[1]) if found else None


def element_values(type_: str, path: str) -> tuple[str, ...]:
    """The only elements that a list or set takes; empty when the provider takes any."""
    return tuple(_entry("elements")["resources"].get(type_, {}).get(path, ()))


def removed_in(type_: str, path: str) -> str | None:
    """The version of the provider that no longer has an argument or block which older ones had; None for any other."""
    found = _entry("removed")["resources"].get(type_, {}).get(path)
    return str(found) if found else None


def blocks_as_arguments_until() -> str:
    """The version of the provider from which on no block may be written as an argument with a list."""
    return str(_entry("blocks_as_arguments")["until"])


def has_form(type_: str, path: str) -> bool:
    """Whether the provider looks at the form of an argument's text."""
    return path in _entry("forms")["resources"].get(type_, {})


def form_fault(type_: str, path: str, value: str) -> str | None:
    """What is wrong with the form of a text, as a phrase for people; None when the provider takes it or does not look.

    Args:
        type_: the resource type.
        path: of the argument.
        value: what is written.
    """
    form = _entry("forms")["resources"].get(type_, {}).get(path)
    if form is None or (value == "" and form.get("empty")):
        return None
    return _FORMS[form["form"]](value, form)


def _clock(value: str, _: Mapping[str, Any]) -> str | None:
    return None if _CLOCK.fullmatch(value) else "a time of day like 03:00 is needed"


def _date(value: str, _: Mapping[str, Any]) -> str | None:
    match = _DATE.fullmatch(value)
    try:
        day = date(int(match[1]) or 4, int(match[2]), int(match[3])) if match else None
    except ValueError:
        day = None
    return None if day else "a time like 2026-12-01T03:00:00Z is needed"


def _duration(value: str, _: Mapping[str, Any]) -> str | None:
    return None if _DURATION.fullmatch(value) else "a duration like 4h0m0s is needed"


def _name(value: str, form: Mapping[str, Any]) -> str | None:
    if _NAME.fullmatch(value) and len(value) <= form["length"]:
        return None
    return f"a name of lower-case letters, digits and hyphens, at most {form['length']} long, is needed"


def _cidr(value: str, form: Mapping[str, Any]) -> str | None:
    match = _RANGE.fullmatch(value)
    try:
        network = ipaddress.ip_interface(f"{match[1]}/{int(match[2])}").network if match else None
    except ValueError:
        network = None
    if network is None:
        return "a range like 10.0.0.0/24 is needed"
    low, high = form.get("bits", (0, 128))
    if not low <= network.prefixlen <= high:
        return f"a range of length /{low} is needed" if low == high else f"a range from /{low} to /{high} is needed"
    if form.get("private") and not any(network.network_address in p for p in _PRIVATE):
        return "a private range (10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16) is needed"
    if form.get("network") and network.version == 4 and str(network) != value:
        return f"the range has to be written {network}, from its first address"
    return None


_FORMS: Mapping[str, Callable[[str, Mapping[str, Any]], str | None]] = {
    "clock": _clock,
    "date": _date,
    "duration": _duration,
    "name": _name,
    "cidr": _cidr,
}
