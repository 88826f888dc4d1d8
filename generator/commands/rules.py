"""`gke-rdma rules`: lists the rules, or explains one."""

from __future__ import annotations

import json

from generator.errors import ExitCode, InputError
from generator.rules import pages, registry


def run(name: str | None, format_: str = "text") -> tuple[str, ExitCode]:
    """What to print, and the exit code.

    Args:
        name: the rule to explain; None lists all.
        format_: "text" or "json".

    Raises:
        InputError: there is no such rule or format.
    """
    if format_ not in ("text", "json"):
        raise InputError(f"there is no format {format_!r} here", hint="formats are text, json")
    if format_ == "json":
        content = [_entry(n) for n in registry.names()] if name is None else _entry(name, whole=True)
        return json.dumps(content, indent=2) + "\n", ExitCode.DONE
    return _table() if name is None else pages.page(name).markdown(), ExitCode.DONE


def _entry(name: str, *, whole: bool = False) -> dict[str, object]:
    rule = registry.find(name)
    entry: dict[str, object] = {
        "name": rule.name,
        "severities": [s.value for s in rule.severities],
        "summary": rule.summary,
        "depths": sorted(rule.depths),
    }
    if whole:
        page = pages.page(name)
        entry |= {"title": page.title, "sections": page.sections}
    return entry


def _table() -> str:
    rows = [(r.name, ", ".join(s.value for s in r.severities), r.summary) for r in registry.rules()]
    wide = max(len(name) for name, _, _ in rows)
    middle = max(len(severities) for _, severities, _ in rows)
    return "".join(f"{name:<{wide}}  {severities:<{middle}}  {summary}\n" for name, severities, summary in rows)
