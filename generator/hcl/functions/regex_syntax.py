r"""Go's regular expressions (https://github.com/google/re2/wiki/Syntax), read into pieces for `regex_program`.

Python's `re` reads many of them differently (`$`, `\\s`, `a++`, nested repetition that takes exponential time), so they are
not given to it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import NoReturn

from generator.hcl.evaluate_base import Failure, LimitReached, Undecided

MAX_NESTING = 60
_LAST = 0x10FFFF
_DIGIT = ((48, 57),)
_WORD = ((48, 57), (65, 90), (95, 95), (97, 122))
_SPACE = ((9, 10), (12, 13), (32, 32))
_PERL = {"d": _DIGIT, "w": _WORD, "s": _SPACE}
_POSIX = {
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "alpha": ((65, 90), (97, 122)),
    "ascii": ((0, 127),),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((0, 31), (127, 127)),
    "digit": _DIGIT,
    "graph": ((33, 126),),
    "lower": ((97, 122),),
    "print": ((32, 126),),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 13), (32, 32)),
    "upper": ((65, 90),),
    "word": _WORD,
    "xdigit": ((48, 57), (65, 70), (97, 102)),
}
_CONTROL = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_CATEGORIES = {
    "L": ("Lu", "Ll", "Lt", "Lm", "Lo"),
    "M": ("Mn", "Mc", "Me"),
    "N": ("Nd", "Nl", "No"),
    "P": ("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"),
    "S": ("Sm", "Sc", "Sk", "So"),
    "Z": ("Zs", "Zl", "Zp"),
}
Ranges = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class CharSet:
    """Characters that an instruction takes.

    Attributes:
        ranges: code points, both ends included.
        negated: whether it takes those outside of all parts.
        categories: Unicode general categories ("L", "Lu"), True in the second place for all others.
        parts: sets that it takes as well.
        fold: whether upper and lower case are one.
    """

    ranges: Ranges
    negated: bool = False
    categories: tuple[tuple[str, bool], ...] = ()
    parts: tuple[CharSet, ...] = ()
    fold: bool = False

    def takes(self, char: str) -> bool:
        """Whether a character is one of the set.

        Raises:
            Undecided: upper and lower case of characters beyond ASCII.
        """
        if self.fold and char.isalpha():
            if not char.isascii():
                raise Undecided("upper and lower case beyond ASCII are not told apart in a pattern")
            found = self._holds(char.lower()) or self._holds(char.upper())
        else:
            found = self._holds(char)
        return found != self.negated

    def _holds(self, char: str) -> bool:
        code = ord(char)
        if any(low <= code <= high for low, high in self.ranges):
            return True
        if self.categories:
            category = unicodedata.category(char)
            if any(category.startswith(name) != other for name, other in self.categories):
                return True
        return any(part.takes(char) for part in self.parts)


@dataclass(slots=True)
class _Flags:
    fold: bool = False
    lines: bool = False
    dot_all: bool = False
    lazy: bool = False

    def copy(self) -> _Flags:
        return _Flags(self.fold, self.lines, self.dot_all, self.lazy)


# A piece of a pattern: its kind and its parts.
Piece = tuple[object, ...]


class _Reader:
    __slots__ = ("at", "depth", "groups", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.groups: list[str | None] = []

    def fail(self, what: str) -> NoReturn:
        raise Failure(f"invalid regular expression: {what}")

    def peek(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def take(self, text: str) -> bool:
        if self.peek(text):
            self.at += len(text)
            return True
        return False

    def next(self) -> str:
        if self.at >= len(self.text):
            self.fail("it ends too early")
        self.at += 1
        return self.text[self.at - 1]

    def alternatives(self, flags: _Flags) -> Piece:
        branches = [self.sequence(flags)]
        while self.take("|"):
            branches.append(self.sequence(flags))
        return branches[0] if len(branches) == 1 else ("alt", branches)

    def sequence(self, flags: _Flags) -> Piece:
        pieces: list[Piece] = []
        repeatable = repeated = False
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            bounds = self.quantifier()
            if bounds is not None:
                if not repeatable or repeated:
                    self.fail("a repetition has nothing to repeat")
                lazy = self.take("?") != flags.lazy
                pieces[-1] = ("repeat", pieces[-1], *bounds, lazy)
                repeated = True
                continue
            piece = self.atom(flags)
            repeated = False
            if piece is not None:
                pieces.append(piece)
                repeatable = True
            else:
                repeatable = False
        return ("seq", pieces)

    def quantifier(self) -> tuple[int, int | None] | None:
        if self.take("*"):
            return 0, None
        if self.take("+"):
            return 1, None
        if self.take("?"):
            return 0, 1
        return self.counted() if self.peek("{") else None

    def counted(self) -> tuple[int, int | None] | None:
        """`{2}`, `{2,}`, `{2,5}`; a brace that is none of these is a character."""
        end = self.text.find("}", self.at)
        low, comma, high = self.text[self.at + 1 : end].partition(",") if end > 0 else ("", "", "")
        digits = frozenset("0123456789")
        if not low or not digits.issuperset(low) or not digits.issuperset(high):
            return None
        if len(low) > 4 or len(high) > 4 or int(low) > 1000 or (high and not int(low) <= int(high) <= 1000):
            self.fail("a repeat count is too large or out of order")
        if (len(low) > 1 and low[0] == "0") or (len(high) > 1 and high[0] == "0"):
            return None
        self.at = end + 1
        return int(low), (int(low) if not comma else int(high) if high else None)

    def atom(self, flags: _Flags) -> Piece | None:
        char = self.next()
        if char == "(":
            return self.group(flags)
        if char == "[":
            return ("set", self.char_class(flags))
        if char == ".":
            return ("set", CharSet(() if flags.dot_all else ((10, 10),), negated=True))
        if char == "^":
            return ("assert", "line start" if flags.lines else "start")
        if char == "$":
            return ("assert", "line end" if flags.lines else "end")
        if char == "\\":
            return self.escape(flags)
        return ("set", self.single(ord(char), flags))

    def single(self, code: int, flags: _Flags) -> CharSet:
        if flags.fold and code > 127 and chr(code).isalpha():
            raise Undecided("upper and lower case beyond ASCII are not told apart in a pattern")
        return CharSet(((code, code),), fold=flags.fold)

    def group(self, flags: _Flags) -> Piece | None:
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise LimitReached
        name: str | None = None
        slot: int | None = None
        inner = flags.copy()
        if self.take("?P<") or (self.peek("?<") and not self.peek("?<=") and not self.peek("?<!") and self.take("?<")):
            name = self.name()
        elif self.take("?"):
            if self.set_flags(inner):
                flags.fold, flags.lines, flags.dot_all, flags.lazy = inner.fold, inner.lines, inner.dot_all, inner.lazy
                self.depth -= 1
                return None
            slot = -1
        if slot is None:
            self.groups.append(name)
            slot = len(self.groups)
        body = self.alternatives(inner)
        if not self.take(")"):
            self.fail("a parenthesis is not closed")
        self.depth -= 1
        return body if slot < 0 else ("group", slot, body)

    def name(self) -> str:
        end = self.text.find(">", self.at)
        name = self.text[self.at : end] if end >= 0 else ""
        if not name or not name.isascii() or not name.replace("_", "a").isalnum() or name in self.groups:
            self.fail("a group has an invalid or repeated name")
        self.at = end + 1
        return name

    def set_flags(self, flags: _Flags) -> bool:
        """The letters after `(?`; True when they end in `)` and so hold for the rest of the group around."""
        on, seen = True, False
        while True:
            char = self.next()
            if char == "-" and on:
                on, seen = False, False
            elif char in "imsU":
                seen = True
                if char == "i":
                    flags.fold = on
                elif char == "m":
                    flags.lines = on
                elif char == "s":
                    flags.dot_all = on
                else:
                    flags.lazy = on
            elif char in ":)" and (seen or on):
                return char == ")"
            else:
                self.fail("an unknown kind of group")

    def escape(self, flags: _Flags) -> Piece | None:
        char = self.next()
        if char in "bBAz":
            return ("assert", {"b": "word", "B": "no word", "A": "start", "z": "end"}[char])
        if char == "Q":
            end = self.text.find("\\E", self.at)
            literal = self.text[self.at : end if end >= 0 else len(self.text)]
            self.at = end + 2 if end >= 0 else len(self.text)
            if len(literal) != 1:
                raise Undecided("a pattern holds a quoted stretch")
            return ("set", self.single(ord(literal), flags))
        found = self.set_escape(char, flags)
        return ("set", found if found is not None else self.single(self.code_escape(char), flags))

    def set_escape(self, char: str, flags: _Flags) -> CharSet | None:
        if char.lower() in _PERL:
            return CharSet(_PERL[char.lower()], negated=char.isupper(), fold=False)
        if char not in "pP":
            return None
        name = self.next()
        if name == "{":
            end = self.text.find("}", self.at)
            if end < 0:
                self.fail("a character class is not closed")
            name, self.at = self.text[self.at : end], end + 1
        other = char == "P"
        if name.startswith("^"):
            name, other = name[1:], not other
        if flags.fold or (name not in _CATEGORIES and name not in _CATEGORIES.get(name[:1], ())):
            raise Undecided("a pattern uses a Unicode class that is not evaluated")
        return CharSet((), categories=((name, other),))

    def code_escape(self, char: str) -> int:
        if char in _CONTROL:
            return _CONTROL[char]
        if char == "x":
            return self.hexadecimal()
        if char in "01234567":
            digits = char
            while len(digits) < 3 and self.at < len(self.text) and self.text[self.at] in "01234567":
                digits += self.next()
            if char != "0" and len(digits) == 1:
                self.fail("there are no references to groups")
            return int(digits, 8)
        if char.isascii() and not char.isalnum():
            return ord(char)
        return self.fail(f"\\{char} is no escape sequence")

    def hexadecimal(self) -> int:
        if self.take("{"):
            end = self.text.find("}", self.at)
            digits, self.at = self.text[self.at : max(end, self.at)], end + 1
        else:
            digits, self.at = self.text[self.at : self.at + 2], self.at + 2
            if len(digits) < 2:
                self.fail("\\x needs two digits")
        if not digits or len(digits) > 6 or not frozenset("0123456789abcdefABCDEF").issuperset(digits):
            self.fail("\\x needs hexadecimal digits")
        code = int(digits, 16)
        return code if code <= _LAST else self.fail("there is no such character")

    def char_class(self, flags: _Flags) -> CharSet:
        negated = self.take("^")
        ranges: list[tuple[int, int]] = []
        parts: list[CharSet] = []
        first = True
        while first or not self.peek("]"):
            first = False
            if self.peek("[:"):
                named = self.posix()
                if named is not None:
                    parts.append(named)
                    continue
            char = self.next()
            low = ord(char)
            if char == "\\":
                char = self.next()
                inner = self.set_escape(char, flags)
                if inner is not None:
                    parts.append(inner)
                    continue
                low = self.code_escape(char)
            high = self.range_end(low)
            if high < low:
                self.fail("a range of characters is out of order")
            ranges.append((low, high))
        self.at += 1
        if flags.fold and (any(high > 127 for _, high in ranges) or any(p.negated for p in parts)):
            raise Undecided("upper and lower case beyond ASCII are not told apart in a pattern")
        return CharSet(tuple(ranges), negated, parts=tuple(parts), fold=flags.fold)

    def range_end(self, low: int) -> int:
        if not self.peek("-") or self.text.startswith("-]", self.at):
            return low
        self.at += 1
        char = self.next()
        return self.code_escape(self.next()) if char == "\\" else ord(char)

    def posix(self) -> CharSet | None:
        end = self.text.find(":]", self.at + 2)
        if end < 0:
            return None
        name = self.text[self.at + 2 : end]
        ranges = _POSIX.get(name.removeprefix("^"))
        if ranges is None:
            self.fail(f"{name} is no class of characters")
        self.at = end + 2
        return CharSet(ranges, negated=name.startswith("^"))


def read_pattern(pattern: str) -> tuple[Piece, list[str | None]]:
    """The pieces of a pattern, and the name of each capture group (None for one without a name).

    Raises:
        Failure: Go refuses the pattern.
        Undecided: it uses what we do not evaluate.
        LimitReached: it is nested too deeply.
    """
    reader = _Reader(pattern)
    piece = reader.alternatives(_Flags())
    if reader.at < len(pattern):
        reader.fail("a parenthesis is closed that was not opened")
    return piece, reader.groups
