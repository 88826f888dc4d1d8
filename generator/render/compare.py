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

# In this order in a list of differences, before all others.
_FIRST = ("terraform.tfvars", "main.tf", "network.tf", "variables.tf", "outputs.tf", "providers.tf", "versions.tf")


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that is not as it would be generated.

    Attributes:
        name: its path in the folder.
        old: what is there; None when nothing is.
        new: what would be generated; None when nothing would be.
        recorded: the digest of what was generated there; None when nothing was.
    """

    name: str
    old: bytes | None
    new: bytes | None
    recorded: str | None = None

    @property
    def reason(self) -> str:
        """What is wrong, in a few words."""
        if self.old is None:
            return "would be written" if self.recorded is None else "is missing, and would be written"
        if self.name == record.NAME:
            return "would change with the others"
        if self.recorded is None:
            return "is a file of yours, and generating needs its name"
        if record.digest(self.old) != self.recorded:
            return "was edited by hand, so an update would be refused"
        return "is generated no longer" if self.new is None else "would change"

    @property
    def rank(self) -> tuple[int, str]:
        """Where it stands in a list: what people look for comes first, digests come last."""
        if self.name == record.NAME:
            return len(_FIRST) + 1, self.name
        return (_FIRST.index(self.name) if self.name in _FIRST else len(_FIRST)), self.name

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
    """What `generate` would change in a folder: values and resources first, the record last.

    Raises:
        InputError: the folder is none of ours, or an update of it was cut short.
    """
    target = folder.place(directory)
    old = _record(directory) if target.exists() and any(target.iterdir()) else None
    files = folder.content(loaded, target)
    there = journal.present(target, [*files, *(old.files if old else ())])
    digests = old.files if old else {}
    found = [
        Difference(n, there.get(n), files.get(n), digests.get(n))
        for n in set(files) | set(there)
        if there.get(n) != files.get(n)
    ]
    return sorted(found, key=lambda d: d.rank)


def generated_folders(top: Path) -> list[Path]:
    """The generated folders at and below a folder, in order; hidden folders are not searched."""
    found = []
    for root, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if record.NAME in names:
            found.append(Path(root))
    return found


def recorded(directory: Path) -> tuple[Loaded, str | None]:
    """The spec that a folder was made from: the spec file as it is now, where the record's path still leads to one.

    Returns:
        The spec, and what should be said about it: that its file is gone, or describes another cluster by now.

    Raises:
        InputError: the folder is none of ours, or an update of it was cut short.
        UserErrors: the spec is wrong.
    """
    old = _record(directory)
    path = None if old.spec_path is None else Path(os.path.normpath(directory.resolve() / old.spec_path))
    if path is not None and path.is_file():
        loaded = load(path)
        other = folder.renamed(old.spec, loaded.data)
        return (
            loaded,
            f"{_shown(path)} describes another cluster than the folder was made for: {other}" if other else None,
        )
    gone = None if path is None else f"{_shown(path)} is gone, so the folder is compared with the spec in its record"
    return Loaded(check(Document(old.spec), directory / record.NAME), old.spec, path), gone


def spec_file(directory: Path) -> Path | None:
    """The spec file that a generated folder was made from; None when it is gone, or came from standard input.

    Raises:
        InputError: the folder is none of ours, or an update of it was cut short.
    """
    old = _record(directory)
    path = None if old.spec_path is None else Path(os.path.normpath(directory.resolve() / old.spec_path))
    return path if path is not None and path.is_file() else None


def _shown(path: Path) -> str:
    return Path(os.path.relpath(path)).as_posix()


def _record(directory: Path) -> record.Record:
    if journal.is_pending(directory):
        raise InputError(
            "An update of this folder was cut short, so it is neither old nor new.",
            hint="Run `gke-rdma generate` again: it finishes the update first.",
            path=directory,
        )
    if not os.path.lexists(directory):
        raise InputError("There is no such folder.", hint="gke-rdma generate SPEC -o DIR makes one", path=directory)
    old = record.read(directory) if directory.is_dir() else None
    if old is None:
        raise InputError("This is no generated folder: it has no .gke-rdma.json.", path=directory)
    return old
