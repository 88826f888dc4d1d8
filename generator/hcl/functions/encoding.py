"""Functions that write values as text and read them from it: JSON, YAML, CSV, base64, URL."""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import quote_plus

from generator.hcl.evaluate_base import Failure, Undecided, list_value, undecided
from generator.hcl.functions import json_text, yaml_text
from generator.hcl.functions.base import on_values, pure, short_text, with_marks
from generator.hcl.types import ANY, STRING, Collection, ObjectType
from generator.hcl.values import Value, string

# IANA's names of the encodings that Python and Go know alike.
_ENCODINGS = {
    "UTF-8": "utf-8",
    "UTF-16LE": "utf-16-le",
    "UTF-16BE": "utf-16-be",
    "ISO-8859-1": "iso-8859-1",
    "ISO-8859-15": "iso-8859-15",
    "WINDOWS-1252": "cp1252",
}


@pure("base64encode", STRING, result=STRING)
def _base64encode(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _decoded(text: str) -> bytes:
    stripped = text.replace("\n", "").replace("\r", "")
    if not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", stripped) or len(stripped) % 4:
        raise Failure("it is not base64")
    try:
        return base64.b64decode(stripped)
    except binascii.Error:
        raise Failure("it is not base64") from None


@pure("base64decode", STRING, result=STRING)
def _base64decode(text: str) -> str:
    try:
        return _decoded(text).decode()
    except UnicodeDecodeError:
        raise Failure("what is encoded is not UTF-8") from None


def _encoding(name: str) -> str:
    found = _ENCODINGS.get(name.upper())
    if found is None:
        raise Undecided("an encoding that is not evaluated", type_=STRING)
    return found


@pure("textencodebase64", STRING, STRING, result=STRING)
def _textencodebase64(text: str, encoding: str) -> str:
    try:
        return base64.b64encode(text.encode(_encoding(encoding))).decode()
    except UnicodeEncodeError:
        raise Failure("the encoding has no such character") from None


@pure("textdecodebase64", STRING, STRING, result=STRING)
def _textdecodebase64(text: str, encoding: str) -> str:
    try:
        return _decoded(text).decode(_encoding(encoding))
    except UnicodeDecodeError:
        raise Undecided("what is encoded is not of that encoding", type_=STRING) from None


@pure("urlencode", STRING, result=STRING)
def _urlencode(text: str) -> str:
    return quote_plus(text, safe="")


@on_values("jsonencode", 1)
def _jsonencode(args: list[Value]) -> Value:
    if not args[0].is_wholly_known:
        undecided(args[0], STRING)
    return with_marks(string(short_text(json_text.encode(args[0]))), args)


@pure("jsondecode", STRING, result=ANY)
def _jsondecode(text: str) -> Value:
    return json_text.decode(text)


@on_values("yamlencode", 1)
def _yamlencode(args: list[Value]) -> Value:
    if not args[0].is_wholly_known:
        undecided(args[0], STRING)
    return with_marks(string(short_text(yaml_text.encode(args[0]))), args)


@pure("yamldecode", STRING, result=ANY)
def _yamldecode(text: str) -> Value:
    return yaml_text.decode(text)


@pure("csvdecode", STRING, result=Collection("list", ANY))
def _csvdecode(text: str) -> Value:
    rows = _csv_rows(text.replace("\r\n", "\n"))
    if not rows:
        raise Failure("there is no header")
    header = rows[0]
    if len(set(header)) < len(header):
        raise Failure("two columns have the same name")
    if any(len(row) != len(header) for row in rows):
        raise Failure("a row has more or fewer fields than the header")
    type_ = ObjectType("object", dict.fromkeys(sorted(header), STRING))
    made = [Value(type_, dict(sorted(zip(header, map(string, row), strict=True)))) for row in rows[1:]]
    return list_value(type_, made)


_FIELD = re.compile(r'"((?>(?:[^"]++|"")*))"(?=[,\n]|\Z)|([^",\n]*)(?=[,\n]|\Z)')


def _csv_rows(text: str) -> list[list[str]]:
    rows: list[list[str]] = []
    at = 0
    while at < len(text):
        if text[at] == "\n":
            at += 1
            continue
        row: list[str] = []
        while True:
            field = _FIELD.match(text, at)
            if field is None:
                raise Failure("a quote stands where none may")
            row.append(field[2] if field[1] is None else field[1].replace('""', '"'))
            at = field.end() + 1
            if field.end() >= len(text) or text[field.end()] == "\n":
                break
        rows.append(row)
    return rows
