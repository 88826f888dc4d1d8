"""Whether somebody is at work in a folder: its files must not change under a running plan or apply.

Who writes holds the folder alone, who plans or applies holds it together with others of that kind. The kernel lets go of the
locks when a process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from generator.errors import RefusedError
from generator.render import journal

# `gke-rdma apply` holds a lock on the plan that it applies, Terraform one on a local state.
_PLAN = ".gke-rdma/plan"
_STATE = "terraform.tfstate"


@contextlib.contextmanager
def nobody_applies(directory: Path) -> Iterator[None]:
    """Keep plans from being made or applied for a while.

    Raises:
        RefusedError: that is being done.
    """
    with contextlib.ExitStack() as held:
        folder = _opened(directory, held, os.O_RDONLY)
        if folder is not None:
            _lock(lambda: fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB), directory)
        plan = _opened(directory / _PLAN, held)
        if plan is not None:
            _lock(lambda: fcntl.flock(plan, fcntl.LOCK_EX | fcntl.LOCK_NB), directory)
        state = _opened(directory / _STATE, held)
        if state is not None:
            # Terraform locks with fcntl(2), which flock(2) does not see.
            _lock(lambda: fcntl.lockf(state, fcntl.LOCK_EX | fcntl.LOCK_NB), directory)
        yield


@contextlib.contextmanager
def nobody_writes(directory: Path) -> Iterator[bool]:
    """Keep the folder's files from being generated for a while; an update that was cut short is finished first.

    Returns:
        Whether there was one.

    Raises:
        RefusedError: they are being generated, or a file that the update would replace was edited since.
    """
    with contextlib.ExitStack() as held:
        folder = _opened(directory, held, os.O_RDONLY)
        finished = False
        if folder is not None:
            message = "gke-rdma writes the files of this folder at the moment."
            if journal.is_pending(directory):
                _lock(lambda: fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB), directory, message)
                finished = journal.recover(directory)
            _lock(lambda: fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB), directory, message)
        yield finished


def _opened(path: Path, held: contextlib.ExitStack, mode: int = os.O_RDWR | os.O_NOFOLLOW) -> int | None:
    try:
        descriptor = os.open(path, mode | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    held.callback(os.close, descriptor)
    return descriptor


def _lock(
    take: Callable[[], object],
    directory: Path,
    message: str = "Terraform is at work in this folder, so nothing was written.",
) -> None:
    try:
        take()
    except (BlockingIOError, PermissionError):
        raise RefusedError(message, hint="Wait until it has ended.", path=directory) from None
    except OSError:
        pass  # a file system without locks
