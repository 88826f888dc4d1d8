"""python-hcl2's parser, with its grammar cache in a folder of our own.

The library keeps a pickle of its grammar beside its own code, where it often cannot write (then each run costs a second more),
and where others may be able to. A pickle is code: ours lies in a folder that only the user can write to, or there is none.
"""

from __future__ import annotations

import importlib
import os
import stat
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

# lark's parser and lexer states are shared within a process: after a race all later results are wrong.
_LOCK = Lock()
_prepared = False


def tree(text: str) -> Any:
    """python-hcl2's parse tree of a text (`lark.Tree`); safe to call from several threads.

    Raises:
        lark.exceptions.UnexpectedInput: when the library does not read it.
        RecursionError: when it is nested too deeply.
    """
    import hcl2

    with _LOCK:
        _prepare()
        return hcl2.parses_to_tree(text)


def cache_file() -> Path | None:
    """Where the grammar is kept, None when no folder is safe and writable."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        folder = (Path(base) if Path(base).is_absolute() else Path.home() / ".cache") / "gke-rdma"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _only_ours(folder.lstat(), stat.S_ISDIR) or not os.access(folder, os.W_OK):
            return None
        releases = f"{version('python-hcl2')}-{version('lark')}-{sys.version_info[0]}.{sys.version_info[1]}"
        file = folder / f"hcl2-grammar-{releases}.bin"
        if file.is_symlink() or (file.exists() and not _only_ours(file.lstat(), stat.S_ISREG)):
            return None
    except (OSError, RuntimeError):
        return None
    return file


def _only_ours(status: os.stat_result, right_kind: Any) -> bool:
    """Whether it is of the right kind, the user's own, and nobody else may write to it."""
    return bool(right_kind(status.st_mode)) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def _prepare() -> None:
    """Build the library's parser once, from our cache where there is one."""
    global _prepared
    if _prepared:
        return
    library: Any = importlib.import_module("hcl2.parser")
    final = cache_file()
    if final is None:
        library.PARSER_FILE = ""
        library.parser()
    elif final.exists():
        library.PARSER_FILE = final
        library.parser()
    else:
        _build_and_keep(library, final)
    _prepared = True


def _build_and_keep(library: Any, final: Path) -> None:
    """Build the parser and put its grammar into place whole, so that another process never reads half a file."""
    try:
        handle, name = tempfile.mkstemp(dir=final.parent)
        os.close(handle)
        # The library takes a file that exists for a cache, and logs that it is none.
        Path(name).unlink()
    except OSError:
        library.PARSER_FILE = ""
        library.parser()
        return
    fresh = Path(name)
    library.PARSER_FILE = fresh
    library.parser()
    library.PARSER_FILE = final
    try:
        fresh.chmod(0o600)
        fresh.replace(final)
    except OSError:
        fresh.unlink(missing_ok=True)
