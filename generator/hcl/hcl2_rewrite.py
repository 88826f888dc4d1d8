"""Rewrites one item of HCL, character for character, into a form that python-hcl2 reads.

python-hcl2's grammar lacks much of what HCL allows: newlines in brackets, comments at many places, `!!x`, names beyond ASCII,
`~` in interpolations, template directives in heredocs. Each rewrite keeps the length, so that all places stay what they are;
names, literals and templates are read from the original text afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NoReturn

from generator.hcl.names import NAME, NAME_CHARACTER, wrong_character
from generator.hcl.tokens import COMMENT, DEPTH_LIMIT, SyntaxFailure, closing_line

_SPACE = rf"(?>(?:[ \t\r\n]++|{COMMENT})*)"
_CODE = re.compile(
    rf'[^"\#/<{{}}()\[\]\n~]*+(?:'
    rf'([{{}}()\[\]\n"])|({COMMENT})|<<(-?)({NAME})\r?\n|(~\}})|(\Z)|/(?!\*)|[<~])'
).match
_FOR = re.compile(rf"{_SPACE}for(?!{NAME_CHARACTER})").match
_LITERAL = re.compile(r'(?>(?:[^"\\$%\r\n]++|\\[^\r\n]|\$\$\{|%%\{|[$%](?!\{))*)("|[$%]\{~?|\Z|[\\\r\n])').match
_SEQUENCE = re.compile(r"\$\$\{|%%\{|([$%]\{~?)").finditer
_DIRECTIVE = re.compile(rf"{_SPACE}(if|for|else|endif|endfor)(?!{NAME_CHARACTER})").match
_FOR_HEAD = re.compile(rf"{_SPACE}{NAME}(?:{_SPACE},{_SPACE}{NAME})?{_SPACE}in(?!{NAME_CHARACTER})").match
_SEQUENCE_END = re.compile(rf"{_SPACE}~?\}}").match

_NAME = re.compile(NAME).finditer
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_NAMESPACE = re.compile(r"(?<=[\w-])([ \t\r\n]*)::(?=[ \t\r\n]*[A-Za-z_])([ \t\r\n]*)")
_FULL_SPLAT = re.compile(r"\[[ \t\r]+\*[ \t\r]*\]|\[\*[ \t\r]+\]")
_ATTRIBUTE_SPLAT = re.compile(r"\.[ \t\r]+\*")
_UNARY = re.compile(r"(?:[!-][ \t\r]*){2,}")
_OPERAND_END = re.compile(r"[\w\])}\"*]").match


@dataclass(slots=True)
class Rewritten:
    """A text of the same length.

    Attributes:
        text: what python-hcl2 is to read.
        unary: by the offset of a unary operator that was left, the ones blanked before it, the nearest first. Offsets count
            from the beginning of this text.
    """

    text: str = ""
    unary: dict[int, list[tuple[int, str]]] = field(default_factory=dict)


class _Mode(Enum):
    BODY = auto()  # newlines separate, and a brace opens a body or an object
    OBJECT = auto()  # newlines separate
    FLAT = auto()  # newlines are white space
    STRING = auto()
    HEREDOC = auto()


@dataclass(slots=True)
class _Frame:
    """A bracket, string or heredoc that is open; `marker` and `closer` (the closing line's offset) are a heredoc's."""

    mode: _Mode
    marker: str = ""
    closer: int = -1


def rewritten(text: str, start: int, end: int) -> Rewritten:
    """The item from `start` to `end`, rewritten.

    Raises:
        SyntaxFailure: when its strings or brackets do not fit together, or it is nested too deeply.
    """
    writer = _Writer(text, start, end)
    writer.run()
    return _finished(writer.result(), start)


class _Writer:
    """Walks over an item with a stack of what is open."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self._at = self._done = start
        self._pieces: list[str] = []
        self._stack = [_Frame(_Mode.BODY)]

    def run(self) -> None:
        """Walk to the end of the item."""
        going = True
        while going:
            mode = self._stack[-1].mode
            if mode is _Mode.STRING:
                self._string()
            elif mode is _Mode.HEREDOC:
                self._heredoc(self._stack[-1])
            else:
                going = self._code(mode)
        if len(self._stack) > 1:
            self._fail("a bracket is never closed")

    def result(self) -> str:
        """What was written."""
        return "".join(self._pieces) + self._text[self._done : self._end]

    def _fail(self, message: str) -> NoReturn:
        raise SyntaxFailure(self._at, self._at, message)

    def _put(self, start: int, end: int, text: str | None = None) -> None:
        """Replace a stretch by another of its length, by blanks when none is given."""
        self._pieces.append(self._text[self._done : start])
        self._pieces.append(" " * (end - start) if text is None else text)
        self._done = end

    def _push(self, frame: _Frame) -> None:
        self._stack.append(frame)
        if len(self._stack) > DEPTH_LIMIT:
            message = f"nested more than {DEPTH_LIMIT} levels deep, which is more than we read"
            raise SyntaxFailure(self._at, self._at, message, limit=True)

    def _pop(self) -> None:
        if len(self._stack) < 2:
            self._fail("a bracket is closed that is not open")
        self._stack.pop()

    def _string(self) -> None:
        """Literal text of a quoted string up to its end or the next sequence."""
        match = _LITERAL(self._text, self._at)
        if match is None or match[1] in ("", "\\", "\r", "\n"):
            self._fail("the quoted string is not closed")
        start = match.start(1)
        if start > self._at:
            self._put(self._at, start, "x" * (start - self._at))
        self._at = match.end()
        if match[1] == '"':
            self._pop()
        else:
            self._sequence(start)

    def _heredoc(self, frame: _Frame) -> None:
        """Literal text of a heredoc up to its end or the next sequence; the whole becomes a quoted string."""
        if frame.closer < self._at:
            found = closing_line(frame.marker).search(self._text, self._at)
            if found is None:
                self._fail("the heredoc is never closed")
            frame.closer = found.start()
        for match in _SEQUENCE(self._text, self._at, frame.closer):
            if match[1]:
                if match.start() > self._at:
                    self._put(self._at, match.start(), "x" * (match.start() - self._at))
                self._at = match.end()
                self._sequence(match.start())
                return
        last = self._text.index(frame.marker, frame.closer) + len(frame.marker)
        self._put(self._at, last, "x" * (last - self._at - 1) + '"')
        self._at = last
        self._pop()

    def _sequence(self, start: int) -> None:
        """Enter `${` or `%{`; of a directive only its expression is kept, as if it were an interpolation."""
        if self._text[start] == "$":
            if self._text[self._at - 1] == "~":
                self._put(self._at - 1, self._at)
            self._push(_Frame(_Mode.FLAT))
            return
        directive = _DIRECTIVE(self._text, self._at)
        if directive is None:
            self._fail("an unknown template directive")
        last, word = directive.end(), directive[1]
        if word in ("if", "for"):
            if word == "for":
                head = _FOR_HEAD(self._text, last)
                if head is None:
                    self._fail("a for directive without names")
                last = head.end()
            self._put(start, last, "${" + " " * (last - start - 2))
            self._push(_Frame(_Mode.FLAT))
            self._at = last
            return
        closing = _SEQUENCE_END(self._text, last)
        if closing is None:
            self._fail(f"more than the directive {word}")
        self._put(start, closing.end(), "x" * (closing.end() - start))
        self._at = closing.end()

    def _code(self, mode: _Mode) -> bool:
        """What is no literal, up to the next thing that matters. False at the end of the item."""
        match = _CODE(self._text, self._at, self._end)
        if match is None:
            self._fail("a comment is never closed")
        self._at = match.end()
        if match[1] is not None:
            self._bracket(match[1], mode)
        elif match[2] is not None:
            self._put(match.start(2), self._at - 1 if match[2].endswith("\r") else self._at)
        elif match[4] is not None:
            start = match.start(3) - 2
            self._push(_Frame(_Mode.HEREDOC, match[4]))
            self._put(start, self._at, '"' + "x" * (self._at - start - 1))
        elif match[5] is not None:
            self._pop()
            self._put(self._at - 2, self._at - 1)
        elif match[6] is not None:
            return False
        return True

    def _bracket(self, found: str, mode: _Mode) -> None:
        if found == "\n":
            if mode is _Mode.FLAT:
                self._put(self._at - 1, self._at)
        elif found == '"':
            self._push(_Frame(_Mode.STRING))
        elif found == "{":
            if mode is _Mode.BODY and self._opens_body(self._at - 1):
                self._push(_Frame(_Mode.BODY))
            else:
                self._push(_Frame(_Mode.FLAT if _FOR(self._text, self._at) else _Mode.OBJECT))
        elif found in "([":
            self._push(_Frame(_Mode.FLAT))
        else:
            self._pop()

    def _opens_body(self, brace: int) -> bool:
        """Whether a brace follows a block's type or label, not an operator."""
        at = brace - 1
        while at >= self._start:
            if self._text[at] in " \t":
                at -= 1
            elif self._text[at] == "/" and self._text[at - 1] == "*":
                at = self._text.rindex("/*", 0, at - 1) - 1
            else:
                break
        char = self._text[at] if at >= self._start else ""
        return char != "" and (char in '"_-' or char.isalnum() or not char.isascii())


def _finished(text: str, start: int) -> Rewritten:
    """Rewrites below the level of brackets; literals are inert by now, so plain substitution is safe."""
    result = Rewritten()
    if not text.isascii():
        for name in _NAME(text):
            wrong = wrong_character(name[0])
            if wrong is not None:
                at = start + name.start() + wrong
                raise SyntaxFailure(at, at + 1, f"found the character {name[0][wrong]} outside of strings and comments")
        text = _BEYOND_ASCII.sub(lambda match: "x" * len(match[0]), text)
    if "::" in text:
        text = _NAMESPACE.sub(lambda match: "_" * len(match[0]), text)
    if "*" in text:
        text = _FULL_SPLAT.sub(lambda match: "[*]".ljust(len(match[0])), text)
        text = _ATTRIBUTE_SPLAT.sub(lambda match: ".*".rjust(len(match[0])), text)
    pieces: list[str] = []
    done = 0
    for operators in _unary_runs(text):
        keep = operators[-1][0]
        pieces.append(text[done : operators[0][0]])
        pieces.append(" " * (keep - operators[0][0]))
        done = keep
        result.unary[keep] = operators[-2::-1]
    result.text = "".join(pieces) + text[done:]
    return result


def _unary_runs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Two or more unary operators in a row, with their offsets."""
    for match in _UNARY.finditer(text):
        operators = [(at, char) for at, char in enumerate(match[0], match.start()) if char in "!-"]
        before = match.start() - 1
        if before >= 0 and (text[before].isalnum() or text[before] == "_") and not match[0].strip().strip("-"):
            continue
        while before >= 0 and text[before] in " \t\r":
            before -= 1
        if match[0].startswith("!") and text[match.end() : match.end() + 1] == "=":
            operators.pop()
        if before >= 0 and operators and operators[0][1] == "-" and _OPERAND_END(text[before]):
            operators.pop(0)
        if len(operators) > 1:
            yield operators
