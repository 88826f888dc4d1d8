"""Comparing a folder with what would be generated, without writing."""

from __future__ import annotations

import difflib
import os
from dataclasses import dataclass
from pathlib import Path

from generator.errors import InputError
from generator.render import folder, journal, record
from generator.spec.document import Document
from generator.spec.load import Loaded, check, load


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that is not as it would be generated.

    Attributes:
        name: its path in the folder.
        old: what is there; None when nothing is.
        new: what would be generated; None when nothing would be.
    """

    name: str
    old: bytes | None
    new: bytes | None

    @property
    def reason(self) -> str:
        """What is wrong, in a few words."""
        if self.old is None:
            return "would be written"
        return "is generated no longer" if self.new is None else "would change"

    def text(self, directory: str) -> str:
        """A unified diff, for `patch -p1`."""
        old = (self.old or b"").decode("utf-8", errors="replace").splitlines(keepends=True)
        new = (self.new or b"").decode("utf-8", errors="replace").splitlines(keepends=True)
        path = f"{directory}/{self.name}"
        lines = difflib.unified_diff(
            old,
            new,
            "/dev/null" if self.old is None else f"a/{path}",
            "/dev/null" if self.new is None else f"b/{path}",
        )
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def differences(loaded: Loaded, directory: Path) -> list[Difference]:
    """What `generate` would change in a folder, by file name.

    Raises:
        InputError: the folder is none of ours, or an update of it was cut short.
    """
    target = folder.place(directory)
    old = _record(directory) if target.exists() and any(target.iterdir()) else None
    files = folder.content(loaded, target)
    there = journal.present(target, [*files, *(old.files if old else ())])
    names = sorted(set(files) | set(there))
    return [Difference(n, there.get(n), files.get(n)) for n in names if there.get(n) != files.get(n)]


def generated_folders(top: Path) -> list[Path]:
    """The generated folders at and below a folder, in order; hidden folders are not searched."""
    found = []
    for root, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if record.NAME in names:
            found.append(Path(root))
    return found


def recorded(directory: Path) -> Loaded:
    """The spec that a folder was made from: the spec file as it is now, where the record's path still leads to one.

    Raises:
        InputError: the folder is none of ours, or an update of it was cut short.
        UserErrors: the spec is wrong.
    """
    old = _record(directory)
    path = None if old.spec_path is None else Path(os.path.normpath(directory.resolve() / old.spec_path))
    if path is not None and path.is_file():
        return load(path)
    return Loaded(check(Document(old.spec), directory / record.NAME), old.spec, path)


def _record(directory: Path) -> record.Record:
    if journal.is_pending(directory):
        raise InputError(
            "An update of this folder was cut short, so it is neither old nor new.",
            hint="Run `gke-rdma generate` again: it finishes the update first.",
            path=directory,
        )
    old = record.read(directory) if directory.is_dir() else None
    if old is None:
        raise InputError("This is no generated folder: it has no .gke-rdma.json.", path=directory)
    return old
