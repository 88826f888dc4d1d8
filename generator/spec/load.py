"""The front door: a spec file, or text, to a checked spec; or every problem at once."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.errors import InputError, UserErrors
from generator.spec.build import build
from generator.spec.document import Document, Problem, dotted
from generator.spec.model import Spec

# A spec of fifty pools with every key has some 60 kB.
MAX_BYTES = 256 * 1024

# More than these nobody reads; such a file is no spec.
MAX_SHOWN = 60

_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A spec with where it came from.

    Attributes:
        spec: the checked spec.
        data: its plain data, as it was written.
        path: the file; None for standard input.
        doubts: what Kubernetes or Google Cloud will refuse although the folder can be made, each with its place.
    """

    spec: Spec
    data: dict[str, Any]
    path: Path | None
    doubts: tuple[InputError, ...] = ()


def load(path: str | Path) -> Loaded:
    """Read and check a spec file; `-` is standard input.

    Raises:
        InputError: the file cannot be read.
        UserErrors: everything that is wrong with it, each an InputError with its place.
    """
    standard_input = str(path) == "-"
    text = _decode(_read_standard_input() if standard_input else _read(Path(path)), path)
    name = "<stdin>" if standard_input else Path(path)
    document = read_document(text, name)
    spec = check(document, name)
    return Loaded(spec, document.data, None if standard_input else Path(path), doubts(document, name))


def doubts(document: Document, name: str | Path) -> tuple[InputError, ...]:
    """What a checked document holds that will be refused later on, worth a warning each."""
    from generator.spec import checks

    return tuple(_errors(checks.doubts(document), name))


def parse(text: str, name: str | Path) -> tuple[Spec, dict[str, Any]]:
    """Check a spec's text.

    Args:
        text: YAML, or JSON (when the name ends in `.json`, or it begins with `{` or `[` and is JSON).
        name: what messages call it.

    Raises:
        UserErrors: everything that is wrong, each an InputError with its place.
    """
    document = read_document(text, name)
    return check(document, name), document.data


def check(document: Document, name: str | Path) -> Spec:
    """The spec that a document describes.

    Raises:
        UserErrors: everything that is wrong, each an InputError with its place.
    """
    from generator.spec import checks, validate

    problems = [*document.problems, *_half_characters(document)]
    if isinstance(document.data, dict):
        validate.leave_out_nulls(document.data)
        problems += validate.problems(document)
        problems += checks.problems(document)
    elif not problems:
        problems.append(
            Problem(1, 1, "A spec is a mapping of keys and values.", "`gke-rdma init` writes one to begin with.")
        )
    if problems:
        raise UserErrors(_errors(problems, name))
    return build(document.data)


def _half_characters(document: Document) -> Iterator[Problem]:
    r"""Escapes such as `\ud800` stand for half a character, which no file can hold."""
    for path, place in document.places.items():
        if _HALF.search(place.text):
            yield document.problem(
                path, f"`{dotted(path)}` holds half a character (a lone surrogate).", "Write the whole character."
            )
        elif path and isinstance(path[-1], str) and _HALF.search(path[-1]):
            yield document.problem(
                path, "The key holds half a character (a lone surrogate).", "Write the whole character.", key=True
            )


def read_document(text: str, name: str | Path) -> Document:
    """Read text as YAML or JSON, with the place of every value."""
    from generator.spec.json_reader import read_json
    from generator.spec.yaml_reader import read_yaml

    if str(name).lower().endswith(".json"):
        return read_json(text)
    if text.lstrip()[:1] in ("{", "["):
        document = read_json(text)
        if document.data is not None:
            return document
    return read_yaml(text)


def _errors(problems: list[Problem], name: str | Path) -> list[InputError]:
    unique = list(dict.fromkeys(sorted(problems, key=lambda p: (p.line or 0, p.column or 0))))
    shown = [
        InputError(p.message, hint=p.hint or None, path=name, line=p.line, column=p.column) for p in unique[:MAX_SHOWN]
    ]
    if len(unique) > MAX_SHOWN:
        shown.append(InputError(f"{len(unique) - MAX_SHOWN} more problems are not shown.", path=name))
    return shown


def _read(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        raise InputError(
            "There is no such file.", hint="`gke-rdma init` writes a spec to begin with.", path=path
        ) from None
    except OSError as error:
        raise InputError(f"The file cannot be read: {error.strerror}.", path=path) from None
    if stat.S_ISDIR(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InputError("This is a folder; a spec is a file.", hint="Name the spec file in it.", path=path)
    with os.fdopen(descriptor, "rb") as file:
        try:
            return file.read(MAX_BYTES + 1)
        except OSError as error:
            raise InputError(f"The file cannot be read: {error.strerror}.", path=path) from None


def _read_standard_input() -> bytes:
    return sys.stdin.buffer.read(MAX_BYTES + 1)


def _decode(content: bytes, name: str | Path) -> str:
    shown = "<stdin>" if str(name) == "-" else name
    if len(content) > MAX_BYTES:
        raise InputError(f"The file is larger than {MAX_BYTES // 1024} KiB; a spec has a few.", path=shown)
    if b"\0" in content:
        raise InputError("This is a binary file; a spec is YAML or JSON text in UTF-8.", path=shown)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError("The text is not UTF-8.", hint="Save it as UTF-8.", path=shown, line=line) from None
    if not text.strip():
        raise InputError("The file is empty.", hint="`gke-rdma init` writes a spec to begin with.", path=shown)
    return text
