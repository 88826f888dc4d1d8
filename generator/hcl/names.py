"""HCL's identifiers: Unicode Annex 31, with `_` at the start and `-` further on.

The patterns take every character beyond ASCII for a letter, so that one expression serves all texts at full speed. Such a
character is invalid outside of names, strings and comments anyway: who reads a name that is not ASCII asks `wrong_character`.
"""

from __future__ import annotations

import unicodedata

# What is not allowed is listed, because the compiler of regular expressions is slow with ranges that reach far up.
NAME_CHARACTER = r"[^\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7f]"
NAME = rf"[^\x00-\x40\x5b-\x5e\x60\x7b-\x7f]{NAME_CHARACTER}*+"

_START = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Nl"))
_CONTINUE = _START | {"Mn", "Mc", "Nd", "Pc"}
# Characters that the Unicode tables name one by one (Other_ID_Start, Other_ID_Continue), and the one letter that is syntax.
_ALSO_START = frozenset("\u1885\u1886\u2118\u212e\u309b\u309c")
_ALSO_CONTINUE = _ALSO_START | set("\u00b7\u0387\u1369\u136a\u136b\u136c\u136d\u136e\u136f\u1370\u1371\u19da")
_NEVER = "\u2e2f"


def wrong_character(name: str) -> int | None:
    """The index of the first character that HCL does not take in a name at that place, or None.

    Args:
        name: one or more characters, matched by `NAME`.
    """
    if name.isascii():
        return None
    for index, char in enumerate(name):
        if char in "_-" or char.isascii():
            continue
        category = unicodedata.category(char)
        allowed = category in _CONTINUE or char in _ALSO_CONTINUE
        if index == 0:
            allowed = category in _START or char in _ALSO_START
        if not allowed or char == _NEVER:
            return index
    return None


def normalized(text: str) -> str:
    """`text` in Unicode's normal form C, which HCL gives to every string."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
