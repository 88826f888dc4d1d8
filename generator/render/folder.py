"""The front door to disk: a spec's files become a folder, whole or not at all, and never over anything of the user's.

A new folder is made as a sibling under a temporary name, read back, checked, and renamed into place. An existing folder of
ours is brought up to date under a journal (see `journal`). Runs in the same parent folder wait for each other, so a
temporary sibling that is found is always one that a killed run has left.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import InputError, RefusedError
from generator.render import busy, journal, record
from generator.render.files import folder_files
from generator.spec.load import Loaded

if TYPE_CHECKING:
    from generator.render.readback import Advice

# How long to wait for another run in the same parent folder, in seconds.
LOCK_PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `generate` did.

    Attributes:
        directory: the folder.
        created: it was not there before, or was empty.
        written: files that are new or changed, by their path in the folder, in order.
        removed: files that are generated no longer.
        warnings: what the user should know.
        advice: what the rules advise about what was written.
    """

    directory: Path
    created: bool
    written: tuple[str, ...]
    removed: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    advice: tuple[Advice, ...] = ()


def content(loaded: Loaded, directory: Path) -> dict[str, bytes]:
    """All files of the folder, the record included, as bytes. `directory` is where it will lie (the record says from what)."""
    files = {name: text.encode("utf-8") for name, text in folder_files(loaded.spec).items()}
    spec_path = None if loaded.path is None else Path(os.path.relpath(loaded.path.absolute(), directory)).as_posix()
    made = record.make(loaded.data, spec_path, files)
    return {**files, record.NAME: made.text().encode("utf-8")}


def generate(loaded: Loaded, directory: Path) -> Outcome:
    """Make or update the folder of a spec.

    Raises:
        InputError: the place cannot hold the folder, or what would be written fails our own checks.
        RefusedError: the folder is not ours, or files of it were edited by hand.
    """
    target = place(directory)
    files = content(loaded, target)
    made = _make_parents(target.parent)
    try:
        with _alone(target.parent):
            _clean(target)
            if _is_fresh(target):
                return _create(target, files)
            with busy.nobody_applies(target):
                journal.recover(target)
                return _update(target, files, loaded.data)
    except OSError as error:
        raise _disk_error(error, target) from None
    finally:
        _remove_empty(made)


def place(directory: Path) -> Path:
    """The real path of the folder that is asked for.

    Raises:
        InputError: something else is there.
    """
    try:
        if directory.is_symlink() and not directory.exists():
            raise InputError("This is a link that leads nowhere; a folder is needed.", path=directory)
        target = directory.resolve()
        if target.exists() and not target.is_dir():
            raise InputError("This is a file; a folder is needed.", hint="Name another folder with -o.", path=directory)
    except (OSError, RuntimeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputError(f"The folder cannot be looked at: {reason}.", path=directory) from None
    return target


def _is_fresh(target: Path) -> bool:
    return not target.exists() or not any(target.iterdir())


def _create(target: Path, files: dict[str, bytes]) -> Outcome:
    if _holds_working_directory(target):
        # A renamed folder would leave the user's shell in one that is gone.
        staged, advice = _staged_inside(target, files)
        journal.update(target, staged, None)
        return Outcome(target, True, tuple(sorted(files)), (), advice=advice)
    temporary = _temporary_name(target)
    try:
        advice = _stage(temporary, files)
        try:
            temporary.rename(target)
        except OSError as error:
            if error.errno not in (errno.EXDEV, errno.EBUSY):
                raise
            # The folder is the root of another file system: it cannot be renamed over.
            staged, advice = _staged_inside(target, files)
            journal.update(target, staged, None)
        _sync_folder(target.parent)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return Outcome(target, True, tuple(sorted(files)), (), advice=advice)


def _update(target: Path, files: dict[str, bytes], data: dict[str, Any]) -> Outcome:
    old = record.read(target)
    if old is None:
        raise RefusedError(
            "This folder holds files that are not ours (it has no .gke-rdma.json), so nothing in it was touched.",
            hint="Name a new or an empty folder with -o.",
            path=target,
        )
    journal.check_unedited(target, old, files)
    old_files = journal.present(target, [*old.files, record.NAME])
    written = tuple(sorted(name for name, new in files.items() if old_files.get(name) != new))
    removed = tuple(sorted(name for name in old.files if name not in files and name in old_files))
    advice: tuple[Advice, ...] = ()
    if written or removed:
        staged, advice = _staged_inside(target, files)
        journal.update(target, staged, old)
    return Outcome(target, False, written, removed, _warnings(old.spec, data), advice)


def renamed(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Which of the keys that say what cluster it is differ: `name was a, and is b`; "" when none does."""
    changed = [key for key in ("name", "project") if old.get(key) != new.get(key)]
    return ", ".join(f"{key} was {old.get(key)}, and is {new.get(key)}" for key in changed)


def _warnings(old: dict[str, Any], new: dict[str, Any]) -> tuple[str, ...]:
    def count(spec: dict[str, Any]) -> Any:
        return ((spec.get("cluster") or {}).get("default_pool") or {}).get("node_count", 1)

    found = []
    if other := renamed(old, new):
        found.append(
            f"the folder was made for another cluster: {other}. A plan with the state of the old one replaces it; "
            "for a cluster beside it, generate into a folder of its own."
        )
    elif count(old) != count(new):
        found.append(
            f"cluster.default_pool.node_count changed from {count(old)} to {count(new)}: it counts only when the cluster is "
            "made. Resize the default pool of a cluster that exists with `gcloud container clusters resize`."
        )
    return tuple(found)


def _stage(directory: Path, files: dict[str, bytes]) -> tuple[Advice, ...]:
    """Write the files, read them back from disk, and check what is there; returns what the rules advise."""
    from generator.render import readback

    directory.mkdir()
    for name, new in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
    return readback.check(directory, files)


def _staged_inside(target: Path, files: dict[str, bytes]) -> tuple[Path, tuple[Advice, ...]]:
    staged = target / f"{journal.STAGE_PREFIX}{secrets.token_hex(8)}"
    try:
        advice = _stage(staged, files)
    except BaseException:
        shutil.rmtree(staged, ignore_errors=True)
        raise
    return staged, advice


def _temporary_name(target: Path) -> Path:
    return target.with_name(f".{target.name}.gke-rdma-{secrets.token_hex(8)}")


def _clean(target: Path) -> None:
    """Remove what killed runs for the same folder have left."""
    siblings = re.compile(rf"\.{re.escape(target.name)}\.gke-rdma-[0-9a-f]{{16}}")
    inside = re.compile(rf"{re.escape(journal.STAGE_PREFIX)}[0-9a-f]{{16}}")
    for folder, form in ((target.parent, siblings), (target, inside)):
        if not folder.is_dir():
            continue
        for entry in os.scandir(folder):
            if form.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)


@contextlib.contextmanager
def _alone(parent: Path) -> Iterator[None]:
    """Hold the parent folder's lock. The kernel frees it when this process ends, however it ends."""
    import fcntl
    import time

    descriptor = os.open(parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        deadline = time.monotonic() + LOCK_PATIENCE
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise RefusedError(
                        "Another run writes into the same parent folder.", hint="Wait for it to end.", path=parent
                    ) from None
                time.sleep(0.02)
            except OSError:
                break  # a file system without locks
        yield
    finally:
        os.close(descriptor)


def _make_parents(parent: Path) -> list[Path]:
    """Make the folders above; returns those that are new, outermost first."""
    missing = [p for p in (parent, *parent.parents) if not p.exists()][::-1]
    try:
        parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _disk_error(error, parent) from None
    return missing


def _remove_empty(folders: list[Path]) -> None:
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _holds_working_directory(target: Path) -> bool:
    try:
        return target.is_dir() and Path.cwd().is_relative_to(target)
    except OSError:
        return False


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # some file systems cannot; the rename itself has been done
    finally:
        os.close(descriptor)


def _disk_error(error: OSError, target: Path) -> InputError:
    named = error.filename if isinstance(error.filename, str) else str(target)
    # The temporary name says nothing to a reader.
    where = re.sub(r"(^|/)\.([^/]+)\.gke-rdma-[0-9a-f]{16}(?=/|$)", r"\1\2", named)
    hints = {
        errno.EACCES: "Name a folder that you may write to with -o.",
        errno.EPERM: "Name a folder that you may write to with -o.",
        errno.EROFS: "The file system is read-only; name another folder with -o.",
        errno.ENOSPC: "Make room on the disk and run it again: what was written has been removed.",
        errno.EDQUOT: "Make room in your quota and run it again: what was written has been removed.",
    }
    return InputError(f"The folder cannot be written: {error.strerror}.", hint=hints.get(error.errno or 0), path=where)
