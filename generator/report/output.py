"""Writing a report to a stream or a file."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from generator.errors import InputError


def write_stream(stream: TextIO, text: str) -> None:
    """Write text to a stream; what its encoding does not have is written as an escape.

    A reader that has seen enough (`| head`) is no error: what goes on is the exit code.
    """
    if not text:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        # The rest of the text is still in the stream, and would be complained about at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_file(path: Path, text: str) -> None:
    """Write a file as a whole: a reader sees the old one or the new one. The mode of an old one stays.

    A pipe or device is written to as it is.

    Raises:
        InputError: it cannot be written.
    """
    content = text.encode("utf-8", "backslashreplace")
    try:
        target = path.resolve()
        mode = _mode(target)
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(content)
        else:
            _replace(target, content, None if mode is None else stat.S_IMODE(mode))
    except OSError as error:
        raise InputError(
            f"the file cannot be written: {error.strerror}", hint="name a file in a folder that exists", path=path
        ) from error


def write_changed(path: Path, before: bytes, after: bytes) -> None:
    """Give a regular file a new content as a whole; its mode stays, and so does a link to it.

    Args:
        path: the file.
        before: what it held when the change was made up.
        after: what it is to hold.

    Raises:
        InputError: it holds something else by now, or cannot be written.
    """
    try:
        target = path.resolve()
        if target.read_bytes() != before:
            raise InputError("the file has changed in the meantime and is left as it is", hint="try again", path=path)
        _replace(target, after, stat.S_IMODE(target.stat().st_mode))
    except OSError as error:
        raise InputError(
            f"the file cannot be written: {error.strerror}", hint="check its permissions", path=path
        ) from error


def _mode(path: Path) -> int | None:
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _replace(target: Path, content: bytes, mode: int | None) -> None:
    import tempfile

    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            os.fchmod(file.fileno(), 0o666 & ~_umask() if mode is None else mode)
        Path(name).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise


def _umask() -> int:
    # There is no way to ask for it but to set it.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
