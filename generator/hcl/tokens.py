"""Tokens of HCL, cut by one compiled expression in two modes: in one a newline is a token, in the other white space."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from generator.hcl.names import NAME, normalized, wrong_character

# Repeated groups are atomic, `(?>(?:…)*)`: a possessive repeat of a group that backtracks fails before Python 3.11.5.
COMMENT = r"\#[^\n]*+|//[^\n]*+|/\*(?>(?:[^*]++|\*(?!/))*)\*/"
HEREDOC_START = rf"<<-?{NAME}\r?\n"
_NUMBER = r"[0-9](?>(?:[0-9]++|\.+(?=[0-9]|[eE][+-]?[0-9])|[eE][+-]?[0-9])*)"
_TOKEN = (
    rf'(?:({NAME})|({_NUMBER})|("(?>(?:[^"\\$%\r\n]++|[$%](?![{{$%]))*)")'
    rf"|(\.\.\.|::|=>|==|!=|>=|<=|&&|\|\||~\}}|[-\[\](){{}}.,*%+=>!?:]|/(?![/*])|<(?!<-?{NAME}\r?\n))"
    rf'|(\r?\n|(?:\#|//)[^\n]*\n)|(")|<<(-?)({NAME})\r?\n|(?:(?:\#|//)[^\n]*+)?(\Z))'
)
Cut = Callable[[str, int, int], re.Match[str] | None]
LINES: Cut = re.compile(r"(?>(?:[ \t]++|/\*(?>(?:[^*]++|\*(?!/))*)\*/)*)" + _TOKEN).match
FLAT: Cut = re.compile(rf"(?>(?:[ \t]++|\r?\n|{COMMENT})*)" + _TOKEN).match
# What the tokens are, in the order of the groups above; DASH is the group of a heredoc's `-`.
IDENTIFIER, NUMBER, STRING, PUNCTUATION, NEWLINE, QUOTE, DASH, HEREDOC, END = range(1, 10)

_VALID_NUMBER = re.compile(r"([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?\Z")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))|\$\$\{|%%\{", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_FLAT_BLANK = re.compile(rf"(?>(?:[ \t]++|\r?\n|{COMMENT})*)").match
_LINE_BLANK = re.compile(r"(?>(?:[ \t]++|/\*(?>(?:[^*]++|\*(?!/))*)\*/)*)").match

# Terraform has no such bounds; they keep hostile text from exhausting the stack, the memory or the clock.
DEPTH_LIMIT = 150
CHAIN_LIMIT = 200
DIGITS_LIMIT = 4000

_TYPOGRAPHIC = "“”„‟‘’‚‛«»″＂"
_NOT_HCL = {
    "'": "a single quote; strings are written in double quotes",
    "`": "a backquote; strings are written in double quotes",
    ";": "a semicolon; arguments are separated by newlines",
    "&": "a single &; the operator is &&",
    "|": "a single |; the operator is ||",
    "\\": "a backslash outside of a string",
    "\0": "a NUL character",
    "\r": "a carriage return without a newline",
}


class SyntaxFailure(Exception):
    """The text is not HCL, or goes beyond a limit; becomes a `SyntaxProblem`.

    Attributes:
        start: offset of the place to point at.
        end: exclusive end of it.
        message: what was found and what is needed.
        limit: one of our limits was hit: the text is not proven invalid.
        resume: offset from which the next item is sought when the item's own borders cannot be found.
    """

    def __init__(self, start: int, end: int, message: str, *, limit: bool = False, resume: int | None = None) -> None:
        super().__init__(message)
        self.start, self.end, self.message, self.limit = start, end, message, limit
        self.resume = end if resume is None else resume


def unescape(raw: str, offset: int) -> str:
    """The text of a quoted literal, escapes decoded.

    Args:
        raw: what is written between the quotes, without template sequences.
        offset: where it begins, for failures.

    Raises:
        SyntaxFailure: for an escape that HCL does not know.
    """

    def one(match: re.Match[str]) -> str:
        digits = match[1] or match[2]
        if digits:
            code = int(digits, 16)
            if code <= 0x10FFFF and not 0xD800 <= code < 0xE000:
                return chr(code)
        elif match[3] is None:
            return match[0][1:]
        elif match[3] in _ESCAPED:
            return _ESCAPED[match[3]]
        start = offset + match.start()
        raise SyntaxFailure(
            start,
            offset + match.end(),
            f'{match[0]} is no escape sequence; HCL knows \\n, \\r, \\t, \\", \\\\, \\uNNNN and \\UNNNNNNNN',
        )

    return normalized(_ESCAPE.sub(one, raw) if "\\" in raw or "{" in raw else raw)


def number(digits: str, start: int) -> int | Fraction:
    """The exact value of a number's spelling; an int whenever it is whole.

    Raises:
        SyntaxFailure: for a spelling that HCL does not take, or one that is too long to compute with.
    """
    match = _VALID_NUMBER.match(digits)
    if match is None:
        raise SyntaxFailure(
            start, start + len(digits), f"{shortened(digits)} is no number; write it like 32, 1.5 or 1e3"
        )
    exponent = match[3] or "0"
    if len(digits) > DIGITS_LIMIT or abs(int(exponent)) > DIGITS_LIMIT:
        raise SyntaxFailure(start, start + len(digits), "the number is too long for us", limit=True)
    if match[2] is None and match[3] is None:
        return int(digits)
    value = Fraction(digits)
    return value.numerator if value.denominator == 1 else value


@lru_cache(maxsize=64)
def closing_line(marker: str) -> re.Pattern[str]:
    """Matches the line that closes a heredoc: nothing but its marker and white space."""
    return re.compile(rf"(?m)^[^\S\n]*+{re.escape(marker)}[^\S\n]*\n")


def shortened(text: str) -> str:
    """`text` on one line and not longer than some words, for messages."""
    line = text.split("\n", 1)[0].rstrip("\r")
    return line if len(line) <= 40 else line[:37] + "..."


class TokenReader:
    """Reads one token ahead.

    Attributes:
        kind: one of the token kinds above.
        lexeme: its text; for a heredoc its marker.
        start: its first character.
        end: the offset after it.
        previous: the end of the token before it.
        depth: how many brackets, operators and blocks are open around it.
    """

    __slots__ = ("cut", "depth", "end", "kind", "lexeme", "limit", "match", "previous", "start", "text")

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self.text = text
        self.limit = len(text) if end is None else end
        self.start = self.end = self.previous = start
        self.cut: Cut = LINES
        self.depth = 0
        self.kind = END
        self.lexeme = ""

    def next(self) -> None:
        """Go to the next token."""
        self.previous = self.end
        match = self.cut(self.text, self.end, self.limit)
        if match is None:
            self._invalid_character()
        self.match = match
        kind = match.lastindex or END
        self.kind = kind
        self.lexeme = lexeme = match[kind]
        self.start = match.start(kind) if kind != HEREDOC else match.start(DASH) - 2
        self.end = match.end()
        if kind == IDENTIFIER and not lexeme.isascii():
            wrong = wrong_character(lexeme)
            if wrong is not None:
                self._unexpected(self.start + wrong)

    def is_next(self, punctuation: str) -> bool:
        """Whether the token at hand is this piece of punctuation."""
        return self.kind == PUNCTUATION and self.lexeme == punctuation

    def found(self) -> str:
        """The token at hand, described for a message."""
        if self.kind == NEWLINE:
            return "a newline"
        if self.kind == END:
            return "the end of the file" if self.limit == len(self.text) else "the end of the expression"
        if self.kind == HEREDOC:
            return f"the heredoc {self.lexeme}"
        if self.kind == QUOTE:
            return "a string"
        return shortened(self.lexeme)

    def fail(self, needed: str) -> NoReturn:
        """Raise the failure that something else is needed in place of the token at hand."""
        end = self.start if self.kind in (NEWLINE, END) else self.end
        raise SyntaxFailure(self.start, end, f"{needed}; found {self.found()}", resume=self.end)

    def expect(self, punctuation: str, where: str) -> None:
        """Pass over this piece of punctuation, which must be the token at hand."""
        if self.kind != PUNCTUATION or self.lexeme != punctuation:
            self.fail(f"{punctuation} is needed {where}")
        self.next()

    def nest(self) -> None:
        """Go one level deeper. Whoever calls it takes the level back by lowering `depth`."""
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            self.too_much(f"nested more than {DEPTH_LIMIT} levels deep")

    def too_much(self, what: str) -> NoReturn:
        """Raise the failure that a limit of ours is reached at the token at hand."""
        raise SyntaxFailure(self.start, self.end, f"{what}, which is more than we read", limit=True)

    def _invalid_character(self) -> NoReturn:
        """Find what no token begins with, and say what it is."""
        skip = _LINE_BLANK if self.cut is LINES else _FLAT_BLANK
        blank = skip(self.text, self.end, self.limit)
        at = blank.end() if blank else self.end
        if self.text.startswith("/*", at):
            raise SyntaxFailure(at, at + 2, "the comment is never closed; */ is needed", resume=at + 2)
        self._unexpected(at)

    def _unexpected(self, at: int) -> NoReturn:
        char = self.text[at]
        if char in _TYPOGRAPHIC:
            what = f'the typographic quote {char}; strings are written in straight double quotes (")'
        elif char in _NOT_HCL:
            what = _NOT_HCL[char]
        elif char == "\ufffd":
            what = "bytes that are not UTF-8; save the file in that encoding"
        elif char in "\ufeff\u00a0\u200b" or not char.isprintable():
            what = f"the invisible character U+{ord(char):04X}; only blanks, tabs and newlines separate"
        else:
            what = f"the character {char}, which HCL has no use for outside of strings and comments"
        raise SyntaxFailure(at, at + 1, f"found {what}")
