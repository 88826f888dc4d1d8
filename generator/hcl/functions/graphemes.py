"""A text cut into the characters that people see, which is how Terraform counts (Unicode Standard Annex 29)."""

from __future__ import annotations

import unicodedata

from generator.hcl.evaluate_base import Undecided

_SIMPLE = frozenset(["Lu", "Ll", "Lo", "Nd", "Po", "Ps", "Pe", "Pd", "Pi", "Pf", "Sm", "Sc"])
_FIRST_MARK, _LAST_MARK = "\u0300", "\u036f"
# Scripts whose letters join into syllables: Thai and Lao, the parts of Hangul, Hangul.
_JOINING = (("\u0e00", "\u0eff"), ("\u1100", "\u11ff"), ("\uac00", "\ud7ff"))


def graphemes(text: str) -> list[str]:
    """The characters that people see.

    Raises:
        Undecided: the text holds characters that combine in ways that we do not follow.
    """
    result: list[str] = []
    for char in text:
        if result and (_FIRST_MARK <= char <= _LAST_MARK or (char == "\n" and result[-1] == "\r")):
            result[-1] += char
        elif _stands_alone(char):
            result.append(char)
        else:
            raise Undecided("it holds characters that combine")
    return result


def count(text: str) -> int:
    """How many characters people see.

    Raises:
        Undecided: as `graphemes`.
    """
    return len(text) if text.isascii() and "\r" not in text else len(graphemes(text))


def _stands_alone(char: str) -> bool:
    if char < _FIRST_MARK:
        return True
    return unicodedata.category(char) in _SIMPLE and not any(low <= char <= high for low, high in _JOINING)
