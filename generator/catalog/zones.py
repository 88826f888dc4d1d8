"""Zones in which a machine type is known to be sold. The list is never complete: an unlisted zone deserves advice, no more."""

from __future__ import annotations

from generator.catalog.store import Source, load, source


def zones(machine_type: str) -> tuple[str, ...]:
    """The zones known to sell a machine type, in order; empty when the list does not have the type."""
    return tuple(load("zones")["zones"].get(machine_type, ()))


def date() -> str:
    """The month of the list, as YYYY-MM."""
    return str(load("zones")["date"])


def origin() -> Source:
    """Where the list comes from."""
    return source(load("zones")["source"])
