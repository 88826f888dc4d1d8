"""The bytes of files as sources."""

from __future__ import annotations

from pathlib import Path

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
