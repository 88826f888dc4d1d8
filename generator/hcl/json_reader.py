"""JSON with the place of everything: to literals, strings (as templates of one piece, unread), tuples and objects.

As strict as the reader that Terraform uses: no comments, no trailing commas, no byte order mark. Unlike Python's `json` it keeps
properties that occur twice.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NoReturn

from generator.hcl.names import normalized
from generator.hcl.nodes import Literal, Node, Object, ObjectItem, Template, Tuple
from generator.hcl.tokens import DEPTH_LIMIT, SyntaxFailure, number, shortened

_SPACE = re.compile(r"[ \t\r\n]*+").match
_STRING = re.compile(r'"((?>(?:[^"\\\x00-\x1f]++|\\.)*))"').match
_NUMBER = re.compile(r"(-?)((?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![0-9.eE+-])").match
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+").match
_ODD_NUMBER = re.compile(r"[0-9.eE+-]+").match
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))")
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}


class JsonReader:
    """Reads one document.

    Attributes:
        at: offset of the next character.
    """

    __slots__ = ("at", "depth", "text")

    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth = text, 0, 0

    def document(self) -> Node:
        """The only value of the text.

        Raises:
            SyntaxFailure: when the text is not JSON.
        """
        if self.text.startswith("\ufeff"):
            raise SyntaxFailure(
                0, 1, "found a byte order mark, which JSON syntax does not allow; save the file without it"
            )
        self._space()
        if self.at == len(self.text):
            raise SyntaxFailure(self.at, self.at, "the file is empty; {} is the least that JSON syntax needs")
        value = self._value()
        self._space()
        if self.at < len(self.text):
            self._fail("the end of the file is needed after the value")
        return value

    def _space(self) -> None:
        match = _SPACE(self.text, self.at)
        if match:
            self.at = match.end()

    def _peek(self) -> str:
        self._space()
        return self.text[self.at : self.at + 1]

    def _fail(self, needed: str) -> NoReturn:
        at = self.at
        if at >= len(self.text):
            raise SyntaxFailure(at, at, f"{needed}; found the end of the file")
        found = _STRING(self.text, at) or _WORD(self.text, at) or _ODD_NUMBER(self.text, at)
        end = found.end() if found else at + 1
        if self.text.startswith(("//", "/*", "#"), at):
            needed = f'{needed} (JSON has no comments; write them as a property "//")'
        raise SyntaxFailure(at, end, f"{needed}; found {shortened(self.text[at:end])}")

    def _value(self) -> Node:
        char, start = self._peek(), self.at
        if char == '"':
            return self._string()
        if char == "{":
            return self._object()
        if char == "[":
            return self._array()
        if char == "-" or char.isdecimal():
            return self._number(start)
        word = _WORD(self.text, start)
        if word is None or word[0] not in _WORDS:
            self._fail('a value is needed: "text", a number, true, false, null, { or [')
        self.at = word.end()
        return Literal(start, self.at, _WORDS[word[0]])

    def _number(self, start: int) -> Node:
        match = _NUMBER(self.text, start)
        if match is None:
            odd = _ODD_NUMBER(self.text, start)
            end = odd.end() if odd else start + 1
            message = f"{shortened(self.text[start:end])} is no number of JSON; write it like 32, -1.5 or 1e3"
            raise SyntaxFailure(start, end, message)
        self.at = match.end()
        value: int | Fraction = number(match[2], start)
        return Literal(start, self.at, -value if match[1] else value)

    def _string(self) -> Template:
        start = self.at
        match = _STRING(self.text, start)
        if match is None:
            line = self.text.find("\n", start)
            end = line if line >= 0 else len(self.text)
            message = 'the string is not closed on its line, or holds a tab or another control character; write \\n, \\t and "'
            raise SyntaxFailure(start, end, message)
        self.at = match.end()
        text, _ = decoded_string(self.text, start, self.at)
        return Template(start, self.at, (Literal(start + 1, self.at - 1, normalized(text)),))

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            message = f"nested more than {DEPTH_LIMIT} levels deep, which is more than we read"
            raise SyntaxFailure(self.at, self.at + 1, message, limit=True)
        self.at += 1

    def _array(self) -> Node:
        start = self.at
        self._enter()
        items: list[Node] = []
        if self._peek() != "]":
            items.append(self._value())
            while self._more(start, "]", "element"):
                items.append(self._value())
        self.at += 1
        self.depth -= 1
        return Tuple(start, self.at, tuple(items))

    def _object(self) -> Node:
        start = self.at
        self._enter()
        items: list[ObjectItem] = []
        if self._peek() != "}":
            items.append(self._property(start))
            while self._more(start, "}", "property"):
                items.append(self._property(start))
        self.at += 1
        self.depth -= 1
        return Object(start, self.at, tuple(items))

    def _more(self, opened: int, closing: str, what: str) -> bool:
        """Pass over a comma; False when the closing bracket is at hand instead."""
        char = self._peek()
        if char == closing:
            return False
        if char == "":
            raise SyntaxFailure(opened, opened + 1, f"{self.text[opened]} is never closed; {closing} is needed")
        if char != ",":
            self._fail(f"a comma or {closing} is needed after the {what}")
        comma = self.at
        self.at += 1
        if self._peek() == closing:
            raise SyntaxFailure(
                comma, comma + 1, f"found a comma before {closing}; JSON allows none after the last {what}"
            )
        return True

    def _property(self, opened: int) -> ObjectItem:
        char = self._peek()
        if char == "":
            raise SyntaxFailure(opened, opened + 1, "{ is never closed; } is needed")
        if char != '"':
            self._fail("a property name in double quotes is needed")
        key = self._string()
        if self._peek() != ":":
            self._fail("a colon is needed after the property name")
        self.at += 1
        value = self._value()
        return ObjectItem(key.start, value.end, key, value)


def decoded_string(text: str, start: int, end: int) -> tuple[str, list[int] | None]:
    """The text of the JSON string from quote to quote, and where each of its characters is written.

    The places are None when they are simply consecutive, which is so without escapes; else one more than there are characters.

    Raises:
        SyntaxFailure: for an escape that JSON does not know.
    """
    raw = text[start + 1 : end - 1]
    if "\\" not in raw:
        return raw, None
    pieces: list[str] = []
    places: list[int] = []
    done = 0
    for match in _ESCAPE.finditer(raw):
        pieces.append(raw[done : match.start()])
        places.extend(range(start + 1 + done, start + 1 + match.start()))
        done = match.end()
        at = start + 1 + match.start()
        if match[1] is None and match[2] not in _ESCAPED:
            known = '\\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t and \\uNNNN'
            raise SyntaxFailure(at, at + 2, f"{match[0]} is no escape sequence; JSON knows {known}")
        pieces.append(chr(int(match[1], 16)) if match[1] else _ESCAPED[match[2]])
        places.append(at)
    pieces.append(raw[done:])
    places.extend(range(start + 1 + done, end))
    return _without_surrogates("".join(pieces), places)


def _without_surrogates(text: str, places: list[int]) -> tuple[str, list[int]]:
    """Join pairs of surrogates to the characters that they stand for; single ones become U+FFFD."""
    if not any("\ud800" <= char <= "\udfff" for char in text):
        return text, places
    chars: list[str] = []
    kept: list[int] = []
    index = 0
    while index < len(text):
        pair = text[index : index + 2]
        kept.append(places[index])
        if len(pair) == 2 and "\ud800" <= pair[0] <= "\udbff" and "\udc00" <= pair[1] <= "\udfff":
            chars.append(chr(0x10000 + ((ord(pair[0]) - 0xD800) << 10) + ord(pair[1]) - 0xDC00))
            index += 1
        else:
            chars.append("\ufffd" if "\ud800" <= pair[0] <= "\udfff" else pair[0])
        index += 1
    kept.append(places[-1])
    return "".join(chars), kept
