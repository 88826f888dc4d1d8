"""From evaluated values to answers."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TypeVar

from generator.hcl.evaluate_base import deep_marks
from generator.hcl.source import Span
from generator.hcl.values import Origin, UnknownData, Value
from generator.view.answers import Absent, Answer, Known, Plain, Unknown

# While a rule runs the engine collects here which unknowns it came upon (the advice `unknown-value`).
unknowns_seen: ContextVar[list[Unknown] | None] = ContextVar("unknowns_seen", default=None)

T = TypeVar("T")


def note(found: T) -> T:
    """Remember an unknown for the advice `unknown-value`; gives back what it gets."""
    if isinstance(found, Unknown):
        seen = unknowns_seen.get()
        if seen is not None:
            seen.append(found)
    return found


def plain(value: Value) -> Plain:
    """The plain data of a wholly known value (see `answers.Plain`)."""
    data = value.data
    if isinstance(data, tuple):
        items = [plain(v) for v in data]
        return frozenset(items) if value.type.name == "set" and _hashable(items) else tuple(items)
    if isinstance(data, dict):
        return {k: plain(v) for k, v in data.items()}
    assert not isinstance(data, UnknownData)
    return data


def answer(value: Value, span: Span | None) -> Answer:
    """The answer for an argument's value whose expression is at `span`."""
    if value.is_null:
        return Absent(span, is_null=True)
    if not value.is_wholly_known:
        return unknown_of(value, span)
    return Known(plain(value), span, _origins(value, span), is_sensitive(value))


def element_answer(value: Value, span: Span | None) -> Answer:
    """The answer for an element of an argument at `span`: it points to the element when that is written inside the argument."""
    inside = next((o.span for o in value.trail if span is not None and span.contains(o.span)), None)
    return answer(value, inside or span)


def unknown_of(value: Value, span: Span | None) -> Unknown:
    """Why a value is unknown: the reason of the first unknown in it."""
    refers_to = value.data.refers_to if isinstance(value.data, UnknownData) else None
    return Unknown(_first_reason(value) or "it is known after apply only", span, refers_to, _origins(value, span))


def _origins(value: Value, span: Span | None) -> tuple[Origin, ...]:
    return tuple(o for o in value.trail if span is None or not span.contains(o.span))


def _first_reason(value: Value) -> str | None:
    """The reason of the first unknown in a value, or None when there is none."""
    data = value.data
    if isinstance(data, UnknownData):
        return data.reason
    inner = data if isinstance(data, tuple) else data.values() if isinstance(data, dict) else ()
    return next((reason for v in inner if (reason := _first_reason(v))), None)


def is_sensitive(value: Value) -> bool:
    """Whether it, or anything in it, is sensitive."""
    return deep_marks(value)[0]


def _hashable(items: list[Plain]) -> bool:
    return not any(isinstance(i, dict | tuple) for i in items)
