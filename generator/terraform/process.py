"""Running one child process: its output line by line, a time limit, and nothing left behind."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator.terraform.signals import Signals

# How long a child that was told to stop may take to save its state before it is killed, in seconds.
GRACE = 120.0
# How long we read on when the child is gone but something it started still holds its output, in seconds.
_DRAIN = 1.0
_TICK = 0.25


class NotStarted(Exception):
    """The program cannot be started; the message says why."""


@dataclass(frozen=True, slots=True)
class Completed:
    """How a child ended.

    Attributes:
        returncode: its exit code, negative for a signal.
        stdout: what it wrote.
        stderr: what it wrote.
        timed_out: it took too long and was told to stop.
    """

    returncode: int
    stdout: str
    stderr: str
    timed_out: bool = False


@dataclass(slots=True)
class _Stream:
    """One of the child's outputs: everything so far, and the beginning of a line that has no end yet."""

    on_line: Callable[[str], None] | None
    chunks: list[bytes] = field(default_factory=list)
    rest: bytes = b""

    def text(self) -> str:
        return b"".join(self.chunks).decode("utf-8", "replace")


def run(
    command: Sequence[str],
    *,
    directory: Path,
    environment: Mapping[str, str],
    signals: Signals,
    timeout: float | None = None,
    grace: float = GRACE,
    on_line: Callable[[str], None] | None = None,
    on_tick: Callable[[], None] | None = None,
    descriptors: Sequence[int] = (),
) -> Completed:
    """Run a command to its end, in a session of its own and without standard input.

    Args:
        command: the program and its arguments.
        directory: where it runs.
        environment: all of its environment.
        signals: where interrupts of this process arrive; they are passed on to the child.
        timeout: seconds until the child is told to stop, as by Ctrl-C; None for no limit.
        grace: seconds that it then has before it is killed.
        on_line: takes each line of its standard output as it comes, without the line end. When it raises, the child is told
            to stop and waited for; but when our own output cannot be written any more, the child goes on to its end.
        on_tick: called several times a second while the child runs; when it raises, as `on_line`.
        descriptors: further file descriptors that the child keeps.

    Raises:
        NotStarted: the program cannot be started.
    """
    signals.starting()
    out, out_end = os.pipe()
    err, err_end = os.pipe()
    try:
        # A child that holds the reading ends of its own output cannot die of SIGPIPE when this process is killed: the
        # kernel tells it to stop instead (see `_die_with_parent`), and it saves its state and frees its lock.
        try:
            process = subprocess.Popen(
                command,
                cwd=directory,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=out_end,
                stderr=err_end,
                start_new_session=True,
                pass_fds=(*descriptors, out, err),
                preexec_fn=_die_with_parent(),
            )
        except OSError as error:
            raise NotStarted(error.strerror or str(error)) from error
        finally:
            os.close(out_end)
            os.close(err_end)
        signals.child(process.pid)
        return _Watch(process, {out: _Stream(on_line), err: _Stream(None)}, signals, timeout, grace, on_tick).wait()
    finally:
        signals.child(None)
        os.close(out)
        os.close(err)


def _die_with_parent() -> Callable[[], None] | None:
    """On Linux: let the kernel interrupt the child when this process dies, so that it does not go on unattended."""
    if sys.platform != "linux":
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    set_parent_death_signal = 1

    def before_exec() -> None:
        prctl(set_parent_death_signal, signal.SIGINT)

    return before_exec


class _Watch:
    """Reads a child's output until it ends."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        streams: dict[int, _Stream],
        signals: Signals,
        timeout: float | None,
        grace: float,
        on_tick: Callable[[], None] | None,
    ) -> None:
        self._signals = signals
        self._tellers = [signals.tell] if on_tick is None else [signals.tell, on_tick]
        self._process = process
        self._grace = grace
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._timed_out = False
        self._kill_at: float | None = None
        self._drained_at: float | None = None
        self._failure: BaseException | None = None
        self._streams = streams

    def wait(self) -> Completed:
        """Until the child has ended.

        Raises:
            BaseException: what `on_line` raised, after the child has ended.
        """
        try:
            with selectors.DefaultSelector() as selector:
                for descriptor in self._streams:
                    os.set_blocking(descriptor, False)
                    selector.register(descriptor, selectors.EVENT_READ)
                while selector.get_map() and not self._drained():
                    for key, _ in selector.select(_TICK):
                        self._read(selector, key.fd)
                    self._tellers = [tell for tell in self._tellers if self._heard(tell)]
                    self._enforce_limits()
            self._reap()
            self._heard(self._signals.tell)
        finally:
            self._sweep()
        if self._failure is not None:
            raise self._failure
        out, err = self._streams.values()
        return Completed(self._process.returncode, out.text(), err.text(), self._timed_out)

    def _read(self, selector: selectors.BaseSelector, descriptor: int) -> None:
        try:
            data = os.read(descriptor, 65536)
        except BlockingIOError:
            return
        stream = self._streams[descriptor]
        if not data:
            selector.unregister(descriptor)
            if stream.rest:
                self._tell(stream, stream.rest)
                stream.rest = b""
            return
        stream.chunks.append(data)
        if stream.on_line is not None:
            *lines, stream.rest = (stream.rest + data).split(b"\n")
            for line in lines:
                self._tell(stream, line)

    def _tell(self, stream: _Stream, line: bytes) -> None:
        on_line = stream.on_line
        if on_line is not None and not self._heard(lambda: on_line(line.decode("utf-8", "replace").rstrip("\r"))):
            stream.on_line = None

    def _heard(self, tell: Callable[[], None]) -> bool:
        """Tell somebody something; False when that failed and is not to be tried again."""
        try:
            tell()
        except OSError as error:
            self._failure = error
        except BaseException as error:
            self._failure = error
            self._stop()
        else:
            return True
        return False

    def _stop(self) -> None:
        if self._kill_at is None:
            self._kill_at = time.monotonic() + self._grace
            # A second interrupt would make Terraform forget what it is making.
            if not self._signals.passed_on:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._process.pid, signal.SIGINT)

    def _enforce_limits(self) -> None:
        now = time.monotonic()
        if self._deadline is not None and now > self._deadline and self._process.poll() is None:
            self._timed_out = True
            self._stop()
        if self._kill_at is not None and now > self._kill_at:
            self._process.kill()

    def _drained(self) -> bool:
        if self._process.poll() is None:
            return False
        self._drained_at = self._drained_at or time.monotonic() + _DRAIN
        return time.monotonic() > self._drained_at

    def _reap(self) -> None:
        while self._process.poll() is None:
            self._enforce_limits()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_TICK)

    def _sweep(self) -> None:
        """After an end that was not Terraform's own doing its providers are still there: end them too."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        if self._process.returncode < 0 or self._drained_at is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
