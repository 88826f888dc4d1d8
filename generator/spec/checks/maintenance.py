"""Maintenance windows and exclusions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from generator.catalog import limits
from generator.spec import recurrence
from generator.spec.checks.look import Check, Look
from generator.spec.document import Problem


def _maintenance(look: Look) -> Iterator[Problem]:
    here = look.at("cluster", "maintenance")
    if isinstance(here.value(), dict):
        yield from _period(here.at("window"), "The maintenance window")
        yield from _window(here.at("window"))
    names: dict[str, int] = {}
    for index, exclusion in enumerate(here.items("exclusions")):
        if not isinstance(exclusion, dict):
            continue
        yield from _period(here.at("exclusions", index), "The exclusion")
        name = exclusion.get("name")
        if isinstance(name, str) and names.setdefault(name, index) != index:
            yield here.problem(
                "exclusions",
                index,
                "name",
                message=f"Two exclusions are named {name!r}.",
                hint="Give each its own name.",
                key=False,
            )


def _period(here: Look, what: str) -> Iterator[Problem]:
    start, end = _times(here)
    for key, moment in (("start_time", start), ("end_time", end)):
        text = here.text(key)
        if moment is None and text is not None and re.match(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}", text, re.ASCII):
            yield here.problem(
                key,
                message=f"`{text}` is no day and time of the calendar.",
                hint="Write one such as 2026-01-03T01:00:00Z.",
                key=False,
            )
    if start is not None and end is not None and end <= start:
        yield here.problem(
            "end_time",
            message=f"{what} ends before it begins.",
            hint="Write an end_time after the start_time.",
            key=False,
        )


def _window(here: Look) -> Iterator[Problem]:
    start, end = _times(here)
    lasts = end - start if start is not None and end is not None and end > start else None
    least = timedelta(hours=limits.shortest_window())
    if lasts is not None and start is not None and lasts < least:
        yield here.problem(
            "end_time",
            message=f"The maintenance window lasts {_hours(lasts)}; GKE counts windows of at least {_hours(least)}.",
            hint=f"Write {(start + least).isoformat().replace('+00:00', 'Z')} or later.",
            key=False,
        )
        lasts = None
    text = here.text("recurrence")
    if not text:
        return
    parts = recurrence.read(text)
    if isinstance(parts, str):
        bare = (
            text.partition(":")[2]
            if text.upper().startswith("RRULE:")
            else re.sub(r"\s*([;=,])\s*", r"\1", text.strip())
        )
        is_sound = bare != text and isinstance(recurrence.read(bare), dict)
        yield here.problem(
            "recurrence",
            message=f"The recurrence {parts}.",
            hint=f"Write {bare}." if is_sound else "Write one such as FREQ=DAILY or FREQ=WEEKLY;BYDAY=SA,SU.",
            key=False,
        )
        return
    if parts["FREQ"] in limits.refused_frequencies():
        yield here.problem(
            "recurrence",
            message=f"GKE takes no recurrence with FREQ={parts['FREQ']}.",
            hint="Write one such as FREQ=DAILY or FREQ=WEEKLY;BYDAY=SA,SU.",
            key=False,
        )
        return
    often = recurrence.most_often(parts, limits.maintenance_days())
    needed = timedelta(hours=limits.maintenance_hours())
    if often is not None and lasts is not None and often * lasts < needed:
        yield here.problem(
            "recurrence",
            message=(
                f"These windows give at most {_hours(often * lasts)} in {limits.maintenance_days()} days; "
                f"GKE needs {_hours(needed)}."
            ),
            hint="Write FREQ=DAILY, more days, or a longer window.",
            key=False,
        )


def _hours(span: timedelta) -> str:
    hours = span / timedelta(hours=1)
    return f"{hours:g} hour{'' if hours == 1 else 's'}"


def _times(here: Look) -> tuple[datetime | None, datetime | None]:
    return _time(here.text("start_time")), _time(here.text("end_time"))


def _time(text: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


CHECKS: tuple[Check, ...] = (_maintenance,)
