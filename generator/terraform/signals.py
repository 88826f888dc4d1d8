"""Ctrl-C and TERM while Terraform runs: passed on once, then waited for; a second one is passed on too, with a warning.

Terraform answers the first interrupt by finishing what it is doing and saving its state, and the second one by stopping at
once, which forgets what it was making. It runs in a session of its own, so the terminal's Ctrl-C reaches this process alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from generator.errors import InterruptedRun

_HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """While it is entered, interrupts go to the child that is at work; where there is none, the next `check` ends the run.

    Args:
        say: takes one line for people.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._received: list[int] = []
        self._child: int | None = None
        self._passed_on = 0
        self._told = 0
        self._starting = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Signals:
        if threading.current_thread() is threading.main_thread():
            for number in _HANDLED:
                # nohup means what it says. An interrupt that a shell ignores for its background jobs reaches Terraform by
                # itself, and so it does here.
                if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._before.clear()

    @property
    def received(self) -> int:
        """How many interrupts came so far."""
        return len(self._received)

    def error(self) -> InterruptedRun:
        """What to leave with after an interrupt."""
        terminated = bool(self._received) and self._received[0] != signal.SIGINT
        return InterruptedRun(
            "interrupted",
            terminated=terminated,
            hint="what Terraform has done is in its state: the next plan shows what is left",
        )

    def check(self) -> None:
        """Leave when an interrupt came.

        Raises:
            InterruptedRun: 130 after Ctrl-C, 143 after TERM or HUP.
        """
        if self._received:
            raise self.error()

    def settle(self) -> None:
        """The interrupts that came are dealt with: what is left to do may start children again."""
        self._received.clear()

    def starting(self) -> None:
        """A child is about to start: hold what comes until `child` is called."""
        self.check()
        self._passed_on = self._told = 0
        self._starting = True

    def child(self, process: int | None) -> None:
        """From now on interrupts go to this process; None when there is none any more."""
        self._child = process
        self._starting = False
        if process is not None:
            self._pass_on()

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self._received.append(number)
        if self._child is not None:
            self._pass_on()
        elif not self._starting and len(self._received) > 1:
            # Between children the first one is noticed at the next `check`, which is not far; nothing is torn apart.
            raise self.error()

    def _pass_on(self) -> None:
        # Nothing is said here: a handler may run in the middle of another line, and output that is gone must not stop it.
        while self._child is not None and self._passed_on < len(self._received):
            self._passed_on += 1
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGINT)

    @property
    def passed_on(self) -> bool:
        """Whether the child that is at work was told to stop."""
        return self._passed_on > 0

    def tell(self) -> None:
        """Say what was passed on since this was called last."""
        while self._told < min(self._passed_on, 2):
            self._told += 1
            if self._told == 1:
                self._say("interrupted: Terraform was told to stop and to save its state; waiting for it")
            else:
                self._say("interrupted again: Terraform stops at once now, and forgets what it was making")
