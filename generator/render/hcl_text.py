"""Writing HCL: strings that stay text, and the layout of `terraform fmt`.

The layout follows hclwrite's formatter: indentation by brackets, `=` lined up in runs of adjoining one-line arguments,
comments lined up in runs of adjoining lines that end in one. It reads what our own templates write: no heredocs, no
`/* */` comments, one argument on a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quote(text: str) -> str:
    """A string literal that Terraform reads as exactly `text`: no template, no escape of its own can come of it.

    Terraform normalizes strings to Unicode's form NFC when it reads them; nothing written here can prevent that.
    """
    result = []
    for char in text:
        code = ord(char)
        if char in _SHORT:
            result.append(_SHORT[char])
        elif code < 0x20 or 0x7F <= code <= 0x9F or code in _INVISIBLE:
            result.append(f"\\u{code:04x}")
        else:
            result.append(char)
    return '"' + "".join(result).replace("${", "$${").replace("%{", "%%{") + '"'


# Byte order mark, line and paragraph separators, and what turns the direction of text around: readable only as escapes.
_INVISIBLE = frozenset({0x061C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF})


def key(text: str) -> str:
    """A string literal for the key of a map: beyond ASCII it is escaped, because its width would shift the layout."""
    return "".join(c if ord(c) < 0x80 else _unicode_escape(c) for c in quote(text))


def _unicode_escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def comment(text: str) -> str:
    """Text for a comment: one line, whatever it holds."""
    return re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in text)).strip()


@dataclass(slots=True)
class _Line:
    """A line in hclwrite's three cells. `assign` begins with `=`; `comment` stands at the end of other text."""

    lead: str
    assign: str = ""
    comment: str = ""
    net: int = 0


def fmt(text: str) -> str:
    """Lay text out as `terraform fmt` does, one blank line at most between two lines."""
    lines = _drop_blanks([_cells(line.strip()) for line in text.splitlines()])
    _indent(lines)
    _line_up(lines, lambda line: bool(line.assign), _put_assign)
    _line_up(lines, lambda line: bool(line.comment), _put_comment)
    return "\n".join((line.lead + line.assign + line.comment).rstrip() for line in lines).strip("\n") + "\n"


def _cells(text: str) -> _Line:
    line = _Line(text)
    if text.startswith("#"):
        return line
    equals, hash_at, depth, assign_depth = -1, -1, 0, 0
    at = 0
    while at < len(text):
        char = text[at]
        if char == '"':
            at = _string_end(text, at)
            continue
        if char == "#":
            hash_at = at
            break
        change = (char in "{[(") - (char in "}])")
        depth += change
        if equals < 0 and _is_assign(text, at):
            equals = at
        elif equals >= 0:
            assign_depth += change
        at += 1
    line.net = depth
    if hash_at >= 0:
        line.lead, line.comment = text[:hash_at].rstrip(), text[hash_at:]
    if equals > 0 and assign_depth == 0:
        line.lead, line.assign = line.lead[:equals].rstrip(), line.lead[equals:]
    return line


def _is_assign(text: str, at: int) -> bool:
    return text[at] == "=" and text[at + 1 : at + 2] not in ("=", ">") and text[at - 1 : at] not in ("=", "!", "<", ">")


def _string_end(text: str, at: int) -> int:
    """The offset after the string that begins at `at`; templates in it may hold strings of their own."""
    at += 1
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text[at] == '"':
            return at + 1
        elif text.startswith(("$${", "%%{"), at):
            at += 3
        elif text.startswith(("${", "%{"), at):
            at = _template_end(text, at + 2)
        else:
            at += 1
    return at


def _template_end(text: str, at: int) -> int:
    depth = 1
    while at < len(text) and depth:
        if text[at] == '"':
            at = _string_end(text, at)
            continue
        depth += (text[at] == "{") - (text[at] == "}")
        at += 1
    return at


def _drop_blanks(lines: list[_Line]) -> list[_Line]:
    """Without blank lines that are doubled, come first, or stand next to a bracket they have no business with."""
    kept: list[_Line] = []
    for line in lines:
        if not line.lead and not line.assign:
            if kept and kept[-1].lead and kept[-1].net <= 0:
                kept.append(line)
            continue
        if line.lead[:1] in ("}", "]", ")"):
            while kept and not kept[-1].lead:
                kept.pop()
        kept.append(line)
    return kept


def _indent(lines: list[_Line]) -> None:
    open_brackets: list[int] = []
    for line in lines:
        if not line.lead:
            continue
        depth = len(open_brackets)
        if line.net > 0:
            open_brackets.append(line.net)
        elif line.net < 0:
            _close(open_brackets, -line.net)
            depth = len(open_brackets)
        line.lead = "  " * depth + line.lead


def _close(open_brackets: list[int], closed: int) -> None:
    while closed > 0 and open_brackets:
        if closed < open_brackets[-1]:
            open_brackets[-1] -= closed
            return
        closed -= open_brackets.pop()


def _line_up(lines: list[_Line], has: Callable[[_Line], bool], put: Callable[[_Line, int], None]) -> None:
    run: list[_Line] = []
    for line in [*lines, _Line("")]:
        if has(line):
            run.append(line)
            continue
        width = max((_width(member) for member in run), default=0)
        for member in run:
            put(member, width + 1)
        run = []


def _width(line: _Line) -> int:
    # Before the first pass the text of `assign` does not count; after it the lead holds it.
    return len(line.lead)


def _put_assign(line: _Line, column: int) -> None:
    line.lead, line.assign = line.lead.ljust(column) + line.assign, ""


def _put_comment(line: _Line, column: int) -> None:
    line.lead, line.comment = line.lead.ljust(column) + line.comment, ""
