"""Terraform's `-json` output: one event a line, and diagnostics with their place."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error or warning of Terraform or a provider.

    Attributes:
        severity: "error" or "warning".
        summary: the first line.
        detail: the rest; providers often leave it empty.
        address: the resource it is about.
        path: the file, absolute; None when it has no place.
        line: 1-based.
        column: 1-based, as Terraform counts.
    """

    severity: str
    summary: str
    detail: str = ""
    address: str | None = None
    path: Path | None = None
    line: int | None = None
    column: int | None = None

    @property
    def text(self) -> str:
        """Summary and detail in one."""
        return f"{self.summary}: {self.detail}" if self.detail else self.summary

    def hiding(self, hide: Callable[[str], str]) -> Diagnostic:
        """The same without secrets."""
        return replace(self, summary=hide(self.summary), detail=hide(self.detail))


@dataclass(frozen=True, slots=True)
class Event:
    """One line of an event stream.

    Attributes:
        type: Terraform's name: `apply_start`, `planned_change`, `diagnostic`, …
        message: its text for people.
        address: the resource it is about.
        action: what happens to that resource: `create`, `update`, …
        elapsed: seconds since the operation on the resource began.
        id: the resource's id, once it is there.
        changes: counts of a `change_summary`: `add`, `change`, `remove`, `import`.
        diagnostic: of a `diagnostic`.
    """

    type: str
    message: str
    address: str | None = None
    action: str | None = None
    elapsed: int | None = None
    id: str | None = None
    changes: Mapping[str, int] | None = None
    diagnostic: Diagnostic | None = None

    def hiding(self, hide: Callable[[str], str]) -> Event:
        """The same without secrets."""
        found = self.diagnostic
        return replace(
            self,
            message=hide(self.message),
            id=hide(self.id) if self.id is not None else None,
            diagnostic=found.hiding(hide) if found else None,
        )


def parse(line: str, directory: Path) -> Event | None:
    """The event on a line, or None when the line is no event.

    Values (outputs, that is) are left out on purpose: they may be secrets.

    Args:
        line: one line of output.
        directory: where Terraform ran; its file names are relative to it.
    """
    if not line.startswith("{"):
        return None
    try:
        data = json.loads(line)
    except ValueError:
        return None
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str):
        return None
    about = data.get("hook") or data.get("change") or {}
    resource = about.get("resource") or {}
    found = data.get("diagnostic")
    return Event(
        kind,
        str(data.get("@message", "")),
        address=resource.get("addr"),
        action=about.get("action"),
        elapsed=about.get("elapsed_seconds"),
        id=about.get("id_value") if about.get("id_key") == "id" else None,
        changes={k: v for k, v in data.get("changes", {}).items() if isinstance(v, int)} if "changes" in data else None,
        diagnostic=diagnostic(found, directory) if isinstance(found, dict) else None,
    )


def diagnostic(data: Mapping[str, Any], directory: Path) -> Diagnostic:
    """A diagnostic from its JSON form, as events and `validate -json` have it."""
    place = data.get("range") or {}
    start = place.get("start") or {}
    name = place.get("filename")
    # What Terraform read through a descriptor (see `inputs`) has no file that a reader could open.
    real = name if name and not name.startswith("/dev/fd/") else None
    return Diagnostic(
        severity=str(data.get("severity", "error")),
        summary=str(data.get("summary", "")).strip(),
        detail=str(data.get("detail", "")).strip(),
        address=data.get("address"),
        path=directory / real if real else None,
        line=start.get("line") if real else None,
        column=start.get("column") if real else None,
    )
