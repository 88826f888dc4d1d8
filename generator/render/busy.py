"""Whether somebody is at work in a folder: its files must not change under a running plan or apply."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from generator.errors import RefusedError

# `gke-rdma apply` holds a lock on the plan that it applies, Terraform one on a local state.
_PLAN = ".gke-rdma/plan"
_STATE = "terraform.tfstate"


@contextlib.contextmanager
def nobody_applies(directory: Path) -> Iterator[None]:
    """Keep plans from being applied for a while.

    Raises:
        RefusedError: one is being applied.
    """
    with contextlib.ExitStack() as held:
        plan = _opened(directory / _PLAN, held)
        if plan is not None:
            _lock(lambda: fcntl.flock(plan, fcntl.LOCK_EX | fcntl.LOCK_NB), directory)
        state = _opened(directory / _STATE, held)
        if state is not None:
            # Terraform locks with fcntl(2), which flock(2) does not see.
            _lock(lambda: fcntl.lockf(state, fcntl.LOCK_EX | fcntl.LOCK_NB), directory)
        yield


def _opened(path: Path, held: contextlib.ExitStack) -> int | None:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    held.callback(os.close, descriptor)
    return descriptor


def _lock(take: Callable[[], object], directory: Path) -> None:
    try:
        take()
    except (BlockingIOError, PermissionError):
        raise RefusedError(
            "Terraform is at work in this folder, so nothing was written.",
            hint="Wait until it has ended.",
            path=directory,
        ) from None
    except OSError:
        pass  # a file system without locks
