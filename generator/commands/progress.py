"""Telling people and machines what Terraform is doing: a table on a terminal, lines in a log, JSON lines on stdout."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import typer

from generator.errors import UserError, UserErrors
from generator.findings import Report
from generator.report import json_document
from generator.report.drawing import Drawing, visible
from generator.terraform.events import Diagnostic, Event

if TYPE_CHECKING:
    from generator.commands.live import LiveTable

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


# How often a log hears of something that takes long, in seconds.
_HEARTBEAT = 60.0


class Progress:
    """Draws what happens. On a terminal it has to be entered: leaving it takes the table away.

    Args:
        as_json: one JSON object a line on stdout; else for people on stderr.
    """

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._table: LiveTable | None = None
        self._told: set[Diagnostic] = set()
        self._command = ""
        self._since = self._heard = 0.0

    def __enter__(self) -> Progress:
        if not self._as_json and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            from generator.commands.live import LiveTable

            self._table = LiveTable(sys.stderr)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.settle()

    def settle(self) -> None:
        """Terraform has done its work: take the table away, so that results can be printed."""
        if self._table is not None:
            self._table.erase()
            self._table = None

    def say(self, text: str) -> None:
        """One line for people, on stderr in every format."""
        if self._table is not None:
            self._table.say(text)
        else:
            # A reader that has gone away is no reason to stop: Terraform goes on.
            with suppress(OSError):
                sys.stderr.write(visible(text) + "\n")
                sys.stderr.flush()

    def begins(self, command: str) -> None:
        """Terraform is started with this command."""
        self._command = command
        self._since = self._heard = time.monotonic()
        if self._table is not None:
            self._table.begins(command)

    def tick(self) -> None:
        """Time has passed while Terraform runs."""
        if self._table is not None:
            self._table.tick()
        elif time.monotonic() - self._heard >= _HEARTBEAT:
            self._heard = time.monotonic()
            self.say(f"terraform {self._command}: still at work after {self._heard - self._since:.0f} seconds")

    @contextmanager
    def holding(self, directory: Path) -> Iterator[None]:
        """Keep the folder's files from being generated meanwhile; an update that was cut short is finished first, and told.

        Raises:
            RefusedError: they are being generated, or a file that the update would replace was edited since.
        """
        from generator.render import busy

        with busy.nobody_writes(directory) as finished:
            if finished:
                self.say(f"{directory}: an update that was cut short has been finished first")
            yield

    def event(self, event: Event) -> None:
        """One event of Terraform."""
        if self._as_json:
            sys.stdout.write(json.dumps(_plain(event)) + "\n")
            sys.stdout.flush()
            return
        if self._table is not None:
            self._table.take(event)
        found = event.diagnostic
        if found is not None and found.severity == "warning" and found not in self._told:
            self._told.add(found)
            self.say(f"warning: {_place(found)}{' '.join(found.text.split())}")
        elif event.type in _SHOWN and not (event.type == "apply_progress" and self._is_too_much(event.elapsed or 0)):
            self._heard = time.monotonic()
            self.say(event.message)

    def _is_too_much(self, elapsed: int) -> bool:
        """Whether a sign of life of a resource may be left out: Terraform gives one every ten seconds, for hours."""
        return self._table is not None or (elapsed > 30 and elapsed % _HEARTBEAT >= 10)


def _place(found: Diagnostic) -> str:
    if found.path is None:
        return ""
    return f"{Drawing(Path.cwd()).path(found.path)}:{found.line}: "


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
