"""Throw-away folders whose program was killed: a lock tells that one is in use, and the kernel lets go of it at any end."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "gke-rdma-rehearsal-"
_LOCK = "in-use"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Mark a folder as one to clean up, and hold it while it is in use. A folder without the mark is never cleaned up."""
    beside = folder / f"{_LOCK}.new"
    descriptor = os.open(beside, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        # Under its name it is locked from the first moment on.
        beside.rename(folder / _LOCK)
        yield
    finally:
        os.close(descriptor)


def clean_up() -> None:
    """Remove our own folders in the temporary folder that nobody holds any more."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if _is_ours(folder) and _is_left(folder / _LOCK):
            shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == stat.S_IRWXU


def _is_left(lock: Path) -> bool:
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
