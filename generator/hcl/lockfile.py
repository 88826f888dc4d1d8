"""The dependency lock file, `.terraform.lock.hcl`: which provider versions `init` has chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.hcl.module import literal_text
from generator.hcl.module_files import LOCK_FILE, ConfigFile
from generator.hcl.source import Span


@dataclass(frozen=True, slots=True)
class LockedProvider:
    """An entry of the lock file.

    Attributes:
        address: as it is written, with the registry's host: `registry.terraform.io/hashicorp/google`.
        version: the version.
        span: the version's expression.
    """

    address: str
    version: str
    span: Span


def locked_providers(directory: Path) -> Iterator[LockedProvider]:
    """The entries of a root module's lock file; none when there is no such file."""
    path = directory / LOCK_FILE
    try:
        if not path.is_file():
            return
    except OSError:
        return
    file = ConfigFile(path)
    for block in file.parsed.body.blocks:
        version = block.body.attributes.get("version")
        text = literal_text(version.expression) if version else None
        if block.type == "provider" and len(block.labels) == 1 and version is not None and text is not None:
            span = Span(file.source, version.expression.start, version.expression.end)
            yield LockedProvider(block.labels[0].text, text, span)
