"""`.gke-rdma.json`: what a folder was made from, and a digest of each file that was made."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator import __version__
from generator.errors import RefusedError

NAME = ".gke-rdma.json"


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a folder.

    Attributes:
        spec: the spec's plain data.
        spec_path: the spec file, relative to the folder, with `/`; None when it came from standard input.
        program: version of the program that made the folder.
        files: sha256 of each file, in hex, by its path in the folder.
    """

    spec: dict[str, Any]
    spec_path: str | None
    program: str
    files: dict[str, str]

    def text(self) -> str:
        """The record as the file holds it."""
        document = {
            "format": 1,
            "program": self.program,
            "spec_path": self.spec_path,
            "spec": self.spec,
            "files": dict(sorted(self.files.items())),
        }
        return json.dumps(document, indent=2, ensure_ascii=False, sort_keys=False) + "\n"


def digest(content: bytes) -> str:
    """The sha256 of a file's bytes, in hex."""
    return hashlib.sha256(content).hexdigest()


def make(spec: dict[str, Any], spec_path: str | None, files: dict[str, bytes]) -> Record:
    """The record of files that are about to be written."""
    return Record(spec, spec_path, __version__, {name: digest(content) for name, content in files.items()})


def read(directory: Path) -> Record | None:
    """The record of a folder; None when it has none.

    Raises:
        RefusedError: there is one, but it cannot be read or is not of this program.
    """
    path = directory / NAME
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RefusedError(f"The record cannot be read: {error.strerror}.", path=path) from None
    return parse(content, path)


def parse(content: bytes, path: Path) -> Record:
    """A record from its bytes.

    Raises:
        RefusedError: the bytes are no record of this program.
    """
    try:
        document = json.loads(content)
        record = Record(document["spec"], document["spec_path"], document["program"], document["files"])
        sound = (
            document["format"] == 1
            and isinstance(record.spec, dict)
            and isinstance(record.files, dict)
            and all(isinstance(d, str) and is_inside(name) for name, d in record.files.items())
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        sound = False
    if not sound:
        raise RefusedError(
            "The record of this folder is damaged, so it is not known which files are generated.",
            hint="Restore it from version control, or generate into another folder.",
            path=path,
        )
    return record


def is_inside(name: str) -> bool:
    """Whether a path of a record stays within its folder."""
    parts = name.split("/")
    return bool(name) and not name.startswith("/") and "\0" not in name and not any(p in ("", ".", "..") for p in parts)
