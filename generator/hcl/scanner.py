"""Cuts HCL text into its top-level items without parsing expressions, at some 45 MB/s.

One compiled expression runs over plain text, simple strings and comments and comes back only for braces, for strings with
templates and for heredocs. Quantifiers are possessive and nesting is kept on a stack, so hostile text costs linear time.
Cutting is not validation: what lies between the borders may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.hcl.names import NAME
from generator.hcl.tokens import COMMENT, HEREDOC_START, closing_line, unescape

_LITERAL = r'(?>(?:[^"\\$%\r\n]++|\\[^\r\n]|\$\$\{|%%\{|[$%](?!\{))*)'
_SIMPLE_STRING = rf'"{_LITERAL}"'
_INLINE_COMMENT = r"/\*(?>(?:[^*]++|\*(?!/))*)\*/"
_PLAIN = rf'(?>(?:[^"\#/<{{}}]++|{_SIMPLE_STRING}|{COMMENT}|/(?![/*])|<(?!<-?{NAME}\r?\n))*)'
_CODE = re.compile(rf'{_PLAIN}([{{}}"]|<<-?({NAME})\r?\n|\Z|/)').match
_STRING = re.compile(rf'{_LITERAL}("|[$%]\{{~?|\Z|[\\\r\n])').match
_SEQUENCE = re.compile(r"\$\$\{|%%\{|([$%]\{)").finditer
_SPACE = re.compile(rf"(?>(?:[ \t\r\n\ufeff]++|{COMMENT})*)").match
_BLANK = rf"(?>(?:[ \t]++|{_INLINE_COMMENT})*)"
_HEADER = re.compile(rf"({NAME}){_BLANK}(?:(=)(?!=)|((?>(?:(?:{_SIMPLE_STRING}|{NAME}){_BLANK})*))\{{)").match
_LABEL = re.compile(rf"{_SIMPLE_STRING}|{NAME}|{_INLINE_COMMENT}").findall
_LINE_END = re.compile(rf"(?>(?:[ \t\r]++|{_INLINE_COMMENT})*)(?:(?:\#|//)[^\n]*+)?(?:\n|\Z)").match
# An argument's expression runs to the first newline outside of brackets.
_EXPRESSION = re.compile(
    rf'(?>(?:[^"\#/<{{}}()\[\]\n]++|{_SIMPLE_STRING}|{_INLINE_COMMENT}|/(?![/*])|<(?!<-?{NAME}\r?\n))*)'
    rf'([{{}}()\[\]"\n]|<<-?({NAME})\r?\n|\#[^\n]*+|//[^\n]*+|\Z|/)'
).match
# No inline comments here: an unclosed one before each line would be searched for again and again.
_HEADER_LINE = re.compile(rf"(?m)^{NAME}[ \t]*+(?>(?:(?:{_SIMPLE_STRING}|{NAME})[ \t]*+)*)\{{").search
_HEREDOC = re.compile(HEREDOC_START.replace(NAME, f"({NAME})")).match
_NESTING_LIMIT = 2000
# The search for a missing end may go through the whole rest of the file each time.
_INCOMPLETE_LIMIT = 20


class Item(NamedTuple):
    """A block or an argument at the top level of a file.

    Attributes:
        type: the block's type or the argument's name.
        labels: the text between type and brace as it is written; None for an argument.
        start: offset of the type.
        body: offset after the opening brace or the equals sign.
        end: offset after the closing brace or the expression. Of an incomplete item: where the next one may begin.
        complete: False when the item's end could not be found.
    """

    type: str
    labels: str | None
    start: int
    body: int
    end: int
    complete: bool = True


class _NoEnd(Exception):
    """The end of a block, string or heredoc is not to be found."""


def top_level(text: str) -> Iterator[Item]:
    """The blocks and arguments of a file, in order.

    What is no item is passed over: the search goes on at the next line that begins like a block. It ends early when the ends
    of twenty items were not to be found.
    """
    at, incomplete = skip_space(text, 0), 0
    while at < len(text) and incomplete < _INCOMPLETE_LIMIT:
        item = item_at(text, at)
        if item is None:
            at = next_header(text, at)
            continue
        yield item
        at = item.end
        if not item.complete:
            incomplete += 1
        else:
            line_end = _LINE_END(text, at)
            at = line_end.end() if line_end else next_header(text, at)
        at = skip_space(text, at)


def item_at(text: str, start: int) -> Item | None:
    """The item that begins at `start`, or None when neither a block nor an argument does."""
    header = _HEADER(text, start)
    if header is None:
        return None
    body = header.end()
    try:
        end = _expression_end(text, body) if header[2] else _brace_end(text, body)
    except _NoEnd:
        return Item(header[1], header[3], start, body, next_header(text, body), complete=False)
    return Item(header[1], header[3], start, body, end)


def next_header(text: str, at: int) -> int:
    """Offset of the next line behind `at` that looks like the header of a block at the top level, or the text's end."""
    line = text.find("\n", at)
    found = _HEADER_LINE(text, line) if line >= 0 else None
    return found.start() if found else len(text)


def header_labels(labels: str) -> list[str]:
    """The decoded labels in an item's `labels`.

    Raises:
        SyntaxFailure: for an escape that HCL does not know.
    """
    found = (label for label in _LABEL(labels) if not label.startswith("/*"))
    return [unescape(label[1:-1], 0) if label[0] == '"' else label for label in found]


def skip_space(text: str, at: int) -> int:
    """The offset of the first character from `at` on that is neither white space nor part of a comment."""
    match = _SPACE(text, at)
    return match.end() if match else at


def _brace_end(text: str, at: int) -> int:
    """Offset after the brace that closes the one opened just before `at`."""
    depth = 1
    # The strings and heredocs around: how many braces were open there, and what they are (see `_template`).
    stack: list[tuple[int, list[str | int] | None]] = []
    while True:
        match = _CODE(text, at)
        if match is None:
            raise _NoEnd
        at, lexeme = match.end(), match[1]
        template: list[str | int] | None = None
        if lexeme == "{":
            depth += 1
            continue
        if lexeme == "}":
            depth -= 1
            if depth:
                continue
            if not stack:
                return at
            depth, template = stack.pop()
        elif lexeme[:2] == "<<":
            template = [match[2], -1]
        elif lexeme != '"':
            raise _NoEnd
        at, opened = _literal_end(text, at, template)
        if opened:
            stack.append((depth, template))
            depth = 1
            if len(stack) > _NESTING_LIMIT:
                raise _NoEnd


def _literal_end(text: str, at: int, heredoc: list[str | int] | None) -> tuple[int, bool]:
    """Go on in a quoted string (None) or a heredoc (its marker, and the offset of its closing line once known, else -1).

    Returns the offset after what was met, and whether that opens a template sequence instead of closing the literal.
    """
    if heredoc is None:
        match = _STRING(text, at)
        if match is None or match[1][:1] not in ('"', "$", "%"):
            raise _NoEnd
        return match.end(), match[1] != '"'
    marker, closer = str(heredoc[0]), int(heredoc[1])
    if closer < at:
        found = closing_line(marker).search(text, at)
        if found is None:
            raise _NoEnd
        heredoc[1] = closer = found.start()
    for sequence in _SEQUENCE(text, at, closer):
        if sequence[1]:
            return sequence.end(), True
    return text.index(marker, closer) + len(marker), False


def _expression_end(text: str, at: int) -> int:
    """Offset of the newline or comment that ends the expression of an argument which begins at `at`."""
    depth = 0
    while True:
        match = _EXPRESSION(text, at)
        if match is None:
            raise _NoEnd
        at, lexeme = match.end(), match[1]
        if lexeme == "" or lexeme in "([":
            if lexeme == "":
                return at
            depth += 1
        elif lexeme == "{":
            at = _brace_end(text, at)
        elif lexeme in ")]":
            depth -= 1
        elif lexeme == '"' or lexeme[:2] == "<<":
            at = _template_end(text, match.start(1))
        elif lexeme == "\n" or lexeme[:1] == "#" or lexeme[:2] == "//":
            if depth <= 0:
                return match.start(1)
        else:
            raise _NoEnd


def _template_end(text: str, at: int) -> int:
    """Offset after the quoted string or heredoc that begins at `at`."""
    heredoc: list[str | int] | None = None
    if text[at] == '"':
        at += 1
    else:
        match = _HEREDOC(text, at)
        if match is None:
            raise _NoEnd
        heredoc, at = [match[1], -1], match.end()
    while True:
        at, opened = _literal_end(text, at, heredoc)
        if not opened:
            return at
        at = _brace_end(text, at)
