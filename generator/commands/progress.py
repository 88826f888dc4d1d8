"""Telling people and machines what Terraform is doing: lines on stderr, or JSON lines on stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from generator.errors import UserError, UserErrors
from generator.findings import Report
from generator.report import json_document
from generator.report.drawing import Drawing, visible
from generator.terraform.events import Event

# Events of which people read the message; the others repeat what the summary says.
_SHOWN = frozenset(
    {
        "apply_start",
        "apply_progress",
        "apply_complete",
        "apply_errored",
        "provision_start",
        "provision_progress",
        "provision_complete",
        "provision_errored",
        "ephemeral_op_errored",
    }
)


class Progress:
    """Draws what happens.

    Args:
        as_json: one JSON object a line on stdout; else plain lines on stderr.
        quiet: nothing but the result.
    """

    def __init__(self, *, as_json: bool, quiet: bool = False) -> None:
        self._as_json = as_json
        self._quiet = quiet

    def say(self, text: str) -> None:
        """One line for people; in JSON it is an event of its own, and still on stderr."""
        if not self._quiet:
            sys.stderr.write(visible(text) + "\n")
            sys.stderr.flush()

    def recover(self, directory: Path) -> None:
        """Finish an update of a generated folder that was cut short, and say so.

        Raises:
            RefusedError: a file that it would replace was edited since.
        """
        from generator.render import journal

        if journal.recover(directory):
            self.say(f"{directory}: an update that was cut short has been finished first")

    def event(self, event: Event) -> None:
        """One event of Terraform."""
        if self._as_json:
            sys.stdout.write(json.dumps(_plain(event)) + "\n")
            sys.stdout.flush()
        elif event.diagnostic is not None and event.diagnostic.severity == "warning":
            self.say(f"warning: {event.diagnostic.text}")
        elif event.type in _SHOWN:
            self.say(event.message)


@contextmanager
def errors_as_document(format_: str) -> Iterator[None]:
    """With the format json, errors go out as a document too, and the exit code is theirs.

    Raises:
        typer.Exit: an error was written as a document.
        UserError, UserErrors: with other formats, as they came.
    """
    try:
        yield
    except (UserError, UserErrors) as error:
        if format_ != "json":
            raise
        document = json_document.document(Report(errors=[error]), Drawing(Path.cwd())) | {"plan": None}
        sys.stdout.write(json.dumps(document) + "\n")
        raise typer.Exit(int(error.code)) from error


def _plain(event: Event) -> dict[str, Any]:
    found: dict[str, Any] = {"type": event.type, "message": event.message}
    for name in ("address", "action", "elapsed", "id"):
        value = getattr(event, name)
        if value is not None:
            found[name] = value
    if event.changes is not None:
        found["changes"] = dict(event.changes)
    if event.diagnostic is not None:
        told = event.diagnostic
        found["diagnostic"] = {
            "severity": told.severity,
            "summary": told.summary,
            "detail": told.detail,
            "address": told.address,
            "path": str(told.path) if told.path else None,
            "line": told.line,
        }
    return found
