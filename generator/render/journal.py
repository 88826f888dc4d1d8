"""Bringing a folder of ours up to date, so that a kill at any moment can be made good.

All new files are first written below `.gke-rdma-stage-*` in the folder. Renaming that to `.gke-rdma-journal` is the moment
of decision: from then on the update is carried out, by this run or by the next one. File by file moves from the journal
into place, the record last; then the journal is removed.
"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from generator.errors import RefusedError
from generator.render import record
from generator.render.record import Record

NAME = ".gke-rdma-journal"
STAGE_PREFIX = ".gke-rdma-stage-"


def is_pending(target: Path) -> bool:
    """Whether an update of the folder was cut short."""
    return (target / NAME).is_dir()


def update(target: Path, staged: Path, old: Record | None) -> None:
    """Put staged files, their record among them, into place.

    Args:
        target: the folder.
        staged: a folder in it, on the same file system, with all new files.
        old: the record of what is there; None in a folder that was empty.
    """
    staged.rename(target / NAME)
    _carry_out(target, old)


def recover(target: Path) -> bool:
    """Finish an update that was cut short.

    Returns:
        Whether there was one.

    Raises:
        RefusedError: a file that it would replace was edited since.
    """
    if not is_pending(target):
        return False
    old = record.read(target)
    journal = target / NAME
    if (journal / record.NAME).exists():
        new = record.parse((journal / record.NAME).read_bytes(), journal / record.NAME)
        _check_between(target, old, new)
    _carry_out(target, old)
    return True


def _carry_out(target: Path, old: Record | None) -> None:
    journal = target / NAME
    new_record = journal / record.NAME
    if new_record.exists():
        new = record.parse(new_record.read_bytes(), new_record)
        for name in sorted(new.files):
            _move(journal / name, target / name)
        for name in sorted(set(old.files) - set(new.files) if old else ()):
            _remove(target, name)
        _move(new_record, target / record.NAME)
    shutil.rmtree(journal)


def _move(source: Path, destination: Path) -> None:
    if not source.exists():
        return  # moved before the update was cut short
    destination.parent.mkdir(parents=True, exist_ok=True)
    if destination.exists():
        source.chmod(stat.S_IMODE(destination.stat().st_mode))
    source.replace(destination)


def _remove(target: Path, name: str) -> None:
    path = target / name
    path.unlink(missing_ok=True)
    for parent in path.parents:
        if parent == target:
            break
        try:
            parent.rmdir()
        except OSError:
            break  # something of the user's is in it


def present(target: Path, names: list[str]) -> dict[str, bytes]:
    """The content of those files that are there."""
    found = {}
    for name in names:
        path = target / name
        if path.is_file():
            found[name] = path.read_bytes()
    return found


def check_unedited(target: Path, old: Record, files: dict[str, bytes]) -> None:
    """Make sure that an update loses nothing of the user's.

    Raises:
        RefusedError: a generated file was edited, or a file of the user has a name that we need.
    """
    edited = [
        name
        for name, digest in sorted(old.files.items())
        if not _holds(target, name, {digest, _digest(files.get(name))})
    ]
    if edited:
        raise RefusedError(_edited_message(edited), hint=_edited_hint(edited), path=target / edited[0])
    for name in sorted(set(files) - set(old.files) - {record.NAME}):
        path = target / name
        blocker = next(
            (
                p
                for p in (path, *path.parents)
                if p != target
                and target in p.parents
                and os.path.lexists(p)
                and (p == path or not p.is_dir() or p.is_symlink())
            ),
            None,
        )
        if blocker is not None and not (blocker == path and _holds(target, name, {_digest(files[name])})):
            raise RefusedError(
                f"The folder holds a file `{blocker.relative_to(target).as_posix()}` of yours, and generating needs that name.",
                hint="Rename or remove your file.",
                path=blocker,
            )


def _check_between(target: Path, old: Record | None, new: Record) -> None:
    """Whether each file is still as the update left it: old, new, or not there."""
    names = set(new.files) | set(old.files if old else ())
    edited = [
        name
        for name in sorted(names)
        if not _holds(target, name, {new.files.get(name), old.files.get(name) if old else None})
    ]
    if edited:
        raise RefusedError(_edited_message(edited), hint=_edited_hint(edited), path=target / edited[0])


def _digest(content: bytes | None) -> str | None:
    return None if content is None else record.digest(content)


def _holds(target: Path, name: str, digests: set[str | None]) -> bool:
    """Whether a path is a plain file with one of the digests, in plain folders, or not there at all."""
    path = target / name
    if any(p.is_symlink() for p in path.parents if p != target and target in p.parents):
        return False
    if not os.path.lexists(path):
        return True
    if path.is_symlink() or not path.is_file():
        return False
    return record.digest(path.read_bytes()) in digests


def _edited_message(edited: list[str]) -> str:
    if len(edited) == 1:
        return f"The generated file `{edited[0]}` was edited by hand, so nothing was written."
    return f"Generated files were edited by hand, so nothing was written: {', '.join(f'`{name}`' for name in edited)}."


def _edited_hint(edited: list[str]) -> str:
    if edited == ["terraform.tfvars"]:
        return "Put the values into the spec, or into zz.auto.tfvars, which is read after it; then restore or delete the file."
    return "Put the change into the spec, or into a file of your own (a `*_override.tf`, say); then restore or delete the file."
