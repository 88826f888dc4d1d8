"""The live table on a terminal: what Terraform is at work on, how long that takes, and how much of it is done."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

from generator.report.drawing import visible
from generator.terraform.events import Event

_DOING = {"create": "creating", "update": "changing", "delete": "destroying", "read": "reading"}
_ENDS = frozenset(
    {"apply_complete", "apply_errored", "refresh_complete", "ephemeral_op_complete", "ephemeral_op_errored"}
)
_BEGINS = frozenset({"apply_start", "refresh_start", "ephemeral_op_start"})
# What an apply does one by one for a planned change.
_OPERATIONS = {"create": 1, "update": 1, "delete": 1, "replace": 2}
# Rows are drawn again when a second has passed, not with every event: a plan may have thousands.
_PACE = 0.2


@dataclass(slots=True)
class _Row:
    """One resource at work."""

    action: str
    since: float


@dataclass(slots=True)
class LiveTable:
    """Rows at the end of a terminal, drawn over themselves; what is said goes above them.

    Attributes:
        stream: the terminal.
        now: the clock, in seconds.
    """

    stream: TextIO
    now: Callable[[], float] = time.monotonic
    _rows: dict[str, _Row] = field(default_factory=dict)
    _command: str = ""
    _since: float = 0.0
    _total: int = 0
    _done: int = 0
    _drawn: int = 0
    _drawn_at: float = float("-inf")

    def begins(self, command: str) -> None:
        """Terraform is started with this command."""
        self._command, self._since = command, self.now()
        self._rows.clear()
        self._total = self._done = 0
        self.draw()

    def take(self, event: Event) -> None:
        """Note what an event says of the resources at work."""
        if event.address is None:
            return
        if event.type == "planned_change":
            self._total += _OPERATIONS.get(event.action or "", 0)
        elif event.type in _BEGINS:
            action = "reading" if event.type == "refresh_start" else _DOING.get(event.action or "", event.action or "")
            self._rows[event.address] = _Row(action, self.now())
        elif event.type in _ENDS:
            self._rows.pop(event.address, None)
            self._done += event.type == "apply_complete" and event.action != "read"
        self.tick()

    def say(self, text: str) -> None:
        """One line for people above the table."""
        self.erase()
        self._write(visible(text) + "\n")
        self.draw()

    def tick(self) -> None:
        """Time has passed."""
        if self.now() - self._drawn_at >= _PACE:
            self.draw()

    def draw(self) -> None:
        """Draw the table as it is now."""
        width, height = shutil.get_terminal_size()
        room = max(1, height - 3)
        rows = list(self._rows.items())
        lines = [f"  {a}  {row.action}  {duration(self.now() - row.since)}" for a, row in rows[:room]]
        if len(rows) > room:
            lines.append(f"  … and {len(rows) - room} more")
        told = f", {self._done} of {self._total} done" if self._command == "apply" and self._total else ""
        lines.append(f"terraform {self._command}: {duration(self.now() - self._since)}{told}")
        self.erase()
        self._write("".join(visible(line)[: width - 1] + "\n" for line in lines))
        self._drawn, self._drawn_at = len(lines), self.now()

    def erase(self) -> None:
        """Take the table off the terminal."""
        if self._drawn:
            self._write(f"\x1b[{self._drawn}A\r\x1b[J")
            self._drawn = 0

    def _write(self, text: str) -> None:
        # A terminal that has gone away is no reason to stop: Terraform goes on.
        with contextlib.suppress(OSError):
            self.stream.write(text)
            self.stream.flush()


def duration(seconds: float) -> str:
    """`5s`, `1m05s`, `2h03m`."""
    whole = int(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02}s"
    return f"{whole // 3600}h{whole % 3600 // 60:02}m"
