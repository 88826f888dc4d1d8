"""Files to sources: reading and decoding that never ends in anything but a source or a clear error."""

from __future__ import annotations

from pathlib import Path

from generator.errors import InputError
from generator.hcl.source import Source

# A file of this many bytes is not read at all; the parser's own limit is lower and gives a problem with a place.
BYTES_LIMIT = 100_000_000


def decoded(path: Path, content: bytes) -> Source:
    """The source of a file's bytes.

    Bytes that are not UTF-8 become U+FFFD, their offsets are in the source's `undecodable`, and `parse` reports those that
    stand outside of comments, as Terraform does.
    """
    try:
        return Source(path, content.decode("utf-8"))
    except UnicodeDecodeError:
        pass
    marked = content.decode("utf-8", "surrogateescape")
    offsets = tuple(offset for offset, char in enumerate(marked) if "\udc80" <= char <= "\udcff")
    text = "".join("\ufffd" if "\udc80" <= char <= "\udcff" else char for char in marked)
    return Source(path, text, undecodable=offsets)


def read_source(path: Path) -> Source:
    """Read a file.

    Raises:
        InputError: when it is missing, no regular file, not readable or far too large.
    """
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder, and a file is needed", path=path)
        if path.exists() and not path.is_file():
            raise InputError(f"{path} is no regular file", path=path)
        size = path.stat().st_size
        if size > BYTES_LIMIT:
            raise InputError(f"{path} has {size:,} bytes, and we read at most {BYTES_LIMIT:,}", path=path)
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist", hint="check the path", path=path) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(f"{path} cannot be read: {reason}", hint="check its permissions", path=path) from None
    return decoded(path.absolute(), content)
