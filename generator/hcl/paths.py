"""Reading files of a module, and only those: links are resolved, regular files up to a size."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from generator.hcl.evaluate_base import Failure, Undecided

if TYPE_CHECKING:
    from generator.hcl.evaluate import Scope

MAX_FILE = 1_000_000
_MAX_ENTRIES = 10_000


def inside(scope: Scope, name: str) -> Path:
    """The real path of a file or folder that an expression names.

    Terraform takes a relative name from the folder of the root module.

    Raises:
        Undecided: it lies outside of the module's folder, or cannot be told.
    """
    if not name or "\0" in name or name.startswith("~"):
        raise Undecided("a path that is not evaluated")
    try:
        module = scope.module_dir.resolve(strict=True)
        path = (scope.root_dir / name).resolve(strict=False)
    except (OSError, RuntimeError):
        raise Undecided("a path that cannot be resolved") from None
    if path != module and module not in path.parents:
        raise Undecided("a file outside of the module's folder is not read")
    return path


def is_file(scope: Scope, name: str) -> bool:
    """Whether there is a regular file of that name.

    Raises:
        Failure: it is something else.
        Undecided: that cannot be told.
    """
    path = inside(scope, name)
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        raise Undecided("a file that cannot be read") from None
    if stat.S_ISREG(mode):
        return True
    raise Failure(f"{name} is not a regular file")


def read(scope: Scope, name: str) -> bytes:
    """The content of a file of the module.

    Raises:
        Failure: there is no such file.
        Undecided: it is too large, no regular file, or outside of the module's folder.
    """
    path = inside(scope, name)
    try:
        # Non-blocking, so that a pipe put in the file's place cannot hold the program.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise Failure("there is no such file in the module's folder") from None
    except OSError:
        raise Undecided("a file that cannot be read") from None
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode) or about.st_size > MAX_FILE:
        os.close(handle)
        raise Undecided("only regular files up to 1 MB are read")
    with os.fdopen(handle, "rb") as file:
        content = file.read(MAX_FILE + 1)
    if len(content) > MAX_FILE:
        raise Undecided("only regular files up to 1 MB are read")
    return content


def names_below(folder: Path) -> list[str]:
    """The names of all regular files below a folder, with `/`, relative to it; links to folders are not followed.

    Raises:
        Undecided: there are too many, or a folder cannot be read.
    """
    names: list[str] = []
    pending = [(folder, "")]
    seen = 0
    while pending:
        at, prefix = pending.pop()
        try:
            entries = list(os.scandir(at))
        except OSError:
            raise Undecided("a folder that cannot be read") from None
        seen += len(entries)
        if seen > _MAX_ENTRIES:
            raise Undecided("a folder with too many files")
        for entry in entries:
            if entry.is_symlink():
                raise Undecided("a folder with links in it")
            if entry.is_dir(follow_symlinks=False):
                pending.append((Path(entry.path), f"{prefix}{entry.name}/"))
            elif entry.is_file(follow_symlinks=False):
                names.append(prefix + entry.name)
    return names
