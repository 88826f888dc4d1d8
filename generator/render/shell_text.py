"""Writing bash and gcloud's lists: text that stays text."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

# No program can be given this character: words end with it.
_NUL, _INSTEAD = "\0", "\ufffd"


def quote(text: str) -> str:
    """Text as one word of bash on one line. NUL, which no word can hold, becomes the replacement character.

    What looks like an expansion is written so that neither bash nor a checker of scripts takes it for one.
    """
    text = text.replace(_NUL, _INSTEAD)
    if text.isprintable() and not any(char in "$`" for char in text):
        return shlex.quote(text)
    return "$'" + "".join(_escaped(char) for char in text) + "'"


def _escaped(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    if char.isprintable():
        return char
    # In bytes: what \u means to bash depends on the locale.
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8"))


def gcloud_list(items: Sequence[str]) -> str:
    """Items as the value of a gcloud flag that takes a list.

    They are joined by commas, or, where an item holds one, by a character of its own that the value begins with: `^;^a,b;c`
    (`gcloud topic escaping`).
    """
    joined = ",".join(items)
    if not any("," in item for item in items) and not joined.startswith("^"):
        return joined
    separator = next(c for c in map(chr, range(ord(";"), 0x10000)) if c not in "^=" and c not in joined)
    return f"^{separator}^{separator.join(items)}"
