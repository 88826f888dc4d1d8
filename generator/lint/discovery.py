"""From the paths of the command line to the modules that are asked for, and where their callers are sought."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from generator.errors import InputError, UserError, UserErrors
from generator.hcl.module_files import LOCK_FILE
from generator.lint.configuration import Configurations, is_repository

CONFIGURATION_SUFFIXES = (".tf", ".tofu", ".tf.json", ".tofu.json")
VARIABLE_SUFFIXES = (".tfvars", ".tfvars.json")

# A generated folder holds it while its files are brought up to date.
JOURNAL = ".gke-rdma-journal"
_RIGHTS = "check its permissions"


@dataclass(slots=True)
class Group:
    """Modules that are judged together.

    Attributes:
        top: the folder that holds them all.
        sought: the folders in which callers are sought: the repository root, else the topmost configuration, else the
            folders that were asked for.
        modules: the folders asked for that hold configuration files, in order.
        folders: every folder at and below `sought` that holds configuration files and is not excluded, the asked ones included.
    """

    top: Path
    sought: list[Path]
    modules: list[Path] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)


def discover(
    paths: Iterable[str], directory: Path, configurations: Configurations, errors: list[Exception]
) -> list[Group]:
    """The modules that paths mean, those of one repository together.

    Args:
        paths: folders and files, relative to `directory` or absolute.
        directory: the working directory, absolute.
        configurations: what is excluded, and where configurations are.
        errors: paths that cannot be used are told here; the others are checked all the same.

    Raises:
        InputError, UserErrors: a configuration file is wrong or cannot be read.
    """
    groups: dict[tuple[Path, bool], Group] = {}
    searched: dict[Path, list[Path]] = {}
    for path in paths:
        try:
            start, recursive = _start(path, directory)
        except InputError as error:
            errors.append(error)
            continue
        top, shared = _top(start, configurations)
        group = groups.setdefault((top if shared else directory, shared), Group(top, []))
        group.sought.append(top)
        if not recursive:
            group.modules += _one(start, configurations, errors)
            continue
        if start not in searched:
            searched[start] = module_folders(start, lambda at: configurations.excludes(at, folder=True), errors)
        group.modules += searched[start]
    found = [group for group in groups.values() if group.modules]
    for group in found:
        group.modules = sorted(set(group.modules))
        group.top = Path(os.path.commonpath(group.sought))
        group.folders = _all_folders(group, configurations, searched)
    return found


def module_folders(start: Path, excluded: Callable[[Path], bool], errors: list[Exception]) -> list[Path]:
    """The folders at and below `start` that hold configuration files, hidden and excluded ones left out, in order.

    Args:
        start: absolute path of a folder.
        excluded: whether a folder is excluded.
        errors: folders that cannot be listed are added here.
    """

    def unlisted(error: OSError) -> None:
        errors.append(InputError(f"the folder cannot be listed: {error.strerror}", hint=_RIGHTS, path=error.filename))

    found: list[Path] = []
    if excluded(start):
        return found
    for at, folders, files in os.walk(start, onerror=unlisted):
        here = Path(at)
        unfinished = JOURNAL in folders
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not excluded(here / f))
        if unfinished:
            errors.append(_cut_short(here))
        elif any(f.endswith(CONFIGURATION_SUFFIXES) for f in files):
            found.append(here)
    return found


def _cut_short(folder: Path) -> InputError:
    return InputError(
        "an update of this generated folder was cut short, so it is neither old nor new",
        hint="run `gke-rdma generate` again: it finishes the update first",
        path=folder,
    )


def configuration_files(folder: Path) -> Iterator[Path]:
    """The configuration files of a folder, in order of name; none when it has gone meanwhile."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(e.name for e in entries if e.name.endswith(CONFIGURATION_SUFFIXES) and not _is_folder(e))
    except FileNotFoundError:
        names = []
    return (folder / name for name in names if not name.startswith("."))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        # A link that leads to itself is a file that cannot be read.
        return False


def _start(path: str, directory: Path) -> tuple[Path, bool]:
    """The folder that a path means, and whether it is to be searched."""
    if not path or "\0" in path:
        raise InputError(f"{path!r} is no path", hint="name a folder or a .tf file")
    at = Path(os.path.normpath(directory / path))
    try:
        mode = at.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise InputError("there is no such file or folder", hint="name a folder or a .tf file", path=at) from None
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror}", hint=_RIGHTS, path=at) from error
    if stat.S_ISDIR(mode):
        if not os.access(at, os.R_OK | os.X_OK):
            raise InputError("the folder cannot be listed: permission denied", hint=_RIGHTS, path=at)
        return at, True
    if not at.name.endswith((*CONFIGURATION_SUFFIXES, *VARIABLE_SUFFIXES)) and at.name != LOCK_FILE:
        known = ", ".join((*CONFIGURATION_SUFFIXES, *VARIABLE_SUFFIXES, LOCK_FILE))
        raise InputError("this is no Terraform file", hint=f"checked are folders, and files named {known}", path=at)
    if not stat.S_ISREG(mode):
        raise InputError("this is no regular file", hint="name a folder or a .tf file", path=at)
    if not os.access(at, os.R_OK):
        raise InputError("the file cannot be read: permission denied", hint=_RIGHTS, path=at)
    if not os.access(at.parent, os.R_OK):
        raise InputError("the folder cannot be listed: permission denied", hint=_RIGHTS, path=at.parent)
    return at.parent, False


def _one(folder: Path, configurations: Configurations, errors: list[Exception]) -> list[Path]:
    if configurations.excludes(folder, folder=True):
        return []
    if (folder / JOURNAL).is_dir():
        errors.append(_cut_short(folder))
        return []
    return [folder] if any(True for _ in configuration_files(folder)) else []


def _top(start: Path, configurations: Configurations) -> tuple[Path, bool]:
    """Where callers are sought, and whether others share it (False: only the arguments themselves)."""
    for at in (start, *start.parents):
        if is_repository(at):
            return at, True
    topmost = configurations.topmost(start)
    return (start, False) if topmost is None else (topmost, True)


def _all_folders(group: Group, configurations: Configurations, searched: Mapping[Path, list[Path]]) -> list[Path]:
    def excluded(folder: Path) -> bool:
        try:
            return configurations.excludes(folder, folder=True)
        except (UserError, UserErrors):
            return False

    # What cannot be listed there, and whose configuration is wrong, was not asked for, so it is no error.
    unasked: list[Exception] = []
    found = set(group.modules)
    for top in dict.fromkeys(group.sought):
        found.update(searched[top] if top in searched else module_folders(top, excluded, unasked))
    return sorted(found)
