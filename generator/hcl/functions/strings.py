"""Functions on strings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.hcl.evaluate_base import MAX_TEXT, Failure, LimitReached, Undecided, list_value, object_of, tuple_of
from generator.hcl.functions.base import STRINGS, on_evaluator, pure, short_text, whole_number
from generator.hcl.functions.graphemes import graphemes
from generator.hcl.functions.regex_machine import Slots, matches, search
from generator.hcl.functions.regex_program import Program, compile_pattern
from generator.hcl.operators import Number
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, Collection, ObjectType, TupleType, Type
from generator.hcl.values import Value, string

if TYPE_CHECKING:
    from generator.hcl.evaluate import Evaluator


# Letters that Python makes several of and Go one, or none.
_GREEK_WITH_IOTA = range(0x1F80, 0x2000)


@pure("upper", STRING, result=STRING)
def _upper(text: str) -> str:
    return text.upper() if text.isascii() else "".join([_upper_letter(c) for c in text])


def _upper_letter(char: str) -> str:
    upper = char.upper()
    if len(upper) == 1:
        return upper
    if ord(char) in _GREEK_WITH_IOTA:
        raise Undecided("a letter of which two capitals exist", type_=STRING)
    return char


@pure("lower", STRING, result=STRING)
def _lower(text: str) -> str:
    return text.lower() if text.isascii() else "".join([c.lower()[0] for c in text])


@pure("startswith", STRING, STRING, result=BOOL)
def _startswith(text: str, prefix: str) -> bool:
    return text.startswith(prefix)


@pure("endswith", STRING, STRING, result=BOOL)
def _endswith(text: str, suffix: str) -> bool:
    return text.endswith(suffix)


@pure("strcontains", STRING, STRING, result=BOOL)
def _strcontains(text: str, part: str) -> bool:
    return part in text


@pure("trimprefix", STRING, STRING, result=STRING)
def _trimprefix(text: str, prefix: str) -> str:
    return text.removeprefix(prefix)


@pure("trimsuffix", STRING, STRING, result=STRING)
def _trimsuffix(text: str, suffix: str) -> str:
    return text.removesuffix(suffix)


@pure("split", STRING, STRING, result=STRINGS)
def _split(separator: str, text: str) -> list[str]:
    return text.split(separator) if separator else list(text)


@pure("join", STRING, STRINGS, result=STRING, variadic=STRINGS)
def _join(separator: str, *lists: tuple[Value, ...]) -> str:
    parts: list[str] = []
    for items in lists:
        for item in items:
            if not isinstance(item.data, str):
                raise Failure("an element is null")
            parts.append(item.data)
    short_text(separator * max(0, len(parts) - 1))
    return separator.join(parts)


@pure("chomp", STRING, result=STRING)
def _chomp(text: str) -> str:
    return text.rstrip("\r\n")


@pure("trim", STRING, STRING, result=STRING)
def _trim(text: str, characters: str) -> str:
    return text.strip(characters) if characters else text


@pure("trimspace", STRING, result=STRING)
def _trimspace(text: str) -> str:
    return text.strip(
        "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
    )


@pure("strrev", STRING, result=STRING)
def _strrev(text: str) -> str:
    return "".join(reversed(graphemes(text)))


@pure("indent", NUMBER, STRING, result=STRING)
def _indent(spaces: Number, text: str) -> str:
    count = whole_number(spaces)
    if count < 0:
        raise Failure("the number of spaces is negative")
    if count * (text.count("\n") + 1) > MAX_TEXT:
        raise LimitReached
    return text.replace("\n", "\n" + " " * count)


@pure("title", STRING, result=STRING)
def _title(text: str) -> str:
    """Go's rule: a letter after anything but letters, digits, underscores and unknown punctuation begins a word."""
    result, before = [], " "
    for char in text:
        if not char.isascii():
            raise Undecided("words beyond ASCII are not told apart", type_=STRING)
        result.append(char if before.isalnum() or before == "_" else char.upper())
        before = char
    return "".join(result)


@pure("substr", STRING, NUMBER, NUMBER, result=STRING)
def _substr(text: str, offset: Number, length: Number) -> str:
    start, count = whole_number(offset, "the offset"), whole_number(length, "the length")
    characters: list[str] | str = text if text.isascii() and "\r" not in text else graphemes(text)
    if start < 0:
        start += len(characters)
        if start < 0:
            raise Undecided("the offset lies before the text", type_=STRING)
    end = len(characters) if count < 0 else start + count
    return "".join(characters[start:end])


@on_evaluator("replace", 3, wanted=(STRING, STRING, STRING), result=STRING)
def _replace(evaluator: Evaluator, text: str, old: str, new: str) -> str:
    if len(old) > 1 and old[0] == old[-1] == "/":
        return _replace_pattern(evaluator, text, old[1:-1], new)
    pieces = len(text) + 1 if not old else text.count(old)
    if pieces * len(new) > MAX_TEXT:
        raise LimitReached
    return text.replace(old, new)


def _replace_pattern(evaluator: Evaluator, text: str, pattern: str, new: str) -> str:
    program = compile_pattern(pattern)
    result, at, size = [], 0, 0
    for slots in matches(program, text, evaluator.budget):
        result.append(text[at : slots[0]])
        result.append(_expanded(new, text, slots, program.groups))
        size += len(result[-1])
        if size > MAX_TEXT:
            raise LimitReached
        at = slots[1]
    return "".join([*result, text[at:]])


_REFERENCE = re.compile(r"\$(?:\$|\{(\w+)\}|(\w+))")


def _expanded(new: str, text: str, slots: Slots, groups: list[str | None]) -> str:
    """Go's `Expand`: `$1`, `$name`, `${name}`, `$$`."""

    def one(reference: re.Match[str]) -> str:
        name = reference[1] or reference[2]
        if name is None:
            return "$"
        if not name.isascii():
            raise Undecided("a reference in a replacement is not understood")
        at = int(name) if name.isdecimal() else groups.index(name) + 1 if name in groups else -1
        if not 0 <= at <= len(groups):
            return ""
        return text[slots[2 * at] : slots[2 * at + 1]] if slots[2 * at] >= 0 else ""

    return _REFERENCE.sub(one, new)


def _captured(program: Program, text: str, slots: Slots) -> Value:
    """A match as Terraform shows it: a string, or the groups as a tuple or, when they have names, as an object."""
    if not program.groups:
        return string(text[slots[0] : slots[1]])
    parts = [
        string(text[slots[2 * i] : slots[2 * i + 1]]) if slots[2 * i] >= 0 else Value(STRING, None)
        for i in range(1, len(program.groups) + 1)
    ]
    if all(name is None for name in program.groups):
        return tuple_of(parts)
    return object_of({name: part for name, part in zip(program.groups, parts, strict=True) if name is not None})


def _compiled(pattern: str) -> Program:
    program = compile_pattern(pattern)
    if any(program.groups) and not all(program.groups):
        raise Failure("a pattern has groups with and without names")
    return program


@on_evaluator("regex", 2, wanted=(STRING, STRING), result=ANY)
def _regex(evaluator: Evaluator, pattern: str, text: str) -> Value:
    program = _compiled(pattern)
    found = search(program, text, 0, evaluator.budget)
    if found is None:
        raise Failure("the pattern does not match")
    return _captured(program, text, found)


@on_evaluator("regexall", 2, wanted=(STRING, STRING), result=Collection("list", ANY))
def _regexall(evaluator: Evaluator, pattern: str, text: str) -> Value:
    program = _compiled(pattern)
    found = [_captured(program, text, slots) for slots in matches(program, text, evaluator.budget)]
    names = program.groups
    element: Type = STRING
    if names and names[0] is None:
        element = TupleType("tuple", tuple([STRING] * len(names)))
    elif names:
        element = ObjectType("object", {str(name): STRING for name in names})
    return list_value(element, found)
