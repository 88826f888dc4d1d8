"""The files of a module's folder: which ones count, their bytes, their text, their nodes.

This is loaded also where nothing is ever parsed, so the parser is not.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from generator.hcl.nodes import File
    from generator.hcl.source import Source

# What stands in place of files, by resolved path, while changes are tried that are not written yet.
trials: ContextVar[Mapping[Path, bytes] | None] = ContextVar("trials", default=None)

Reading = Literal["terraform", "tofu"]

# Which provider versions `init` has chosen.
LOCK_FILE = ".terraform.lock.hcl"

_SUFFIXES = {".tf": "terraform", ".tf.json": "terraform", ".tofu": "tofu", ".tofu.json": "tofu"}


@dataclass(slots=True, eq=False)
class ConfigFile:
    """A configuration or variable file, read and parsed at most once.

    Attributes:
        path: absolute path.
        variables: it is a file of variable values.
        fault: why its bytes could not be read; set when they are asked for.
        reader: reads HCL in place of our parser.
    """

    path: Path
    variables: bool = False
    reader: Callable[[Source], File] | None = None
    _content: bytes | None = field(default=None, repr=False)
    _source: Source | None = field(default=None, repr=False)
    _file: File | None = field(default=None, repr=False)
    fault: str | None = None
    _too_large: bool = False

    @property
    def content(self) -> bytes:
        """Its bytes; empty when it cannot be read (`parsed` then says so)."""
        trial = trials.get()
        if self._content is None and trial and (instead := trial.get(self.path.resolve())) is not None:
            self._content = instead
        if self._content is None:
            from generator.hcl.files import BYTES_LIMIT

            self._content = b""
            try:
                about = self.path.stat()
                self._too_large = stat.S_ISREG(about.st_mode) and about.st_size > BYTES_LIMIT
                if not stat.S_ISREG(about.st_mode):
                    self.fault = "the file cannot be read: it is no regular file"
                elif self._too_large:
                    self.fault = f"the file has {about.st_size:,} bytes, and we read at most {BYTES_LIMIT:,}"
                else:
                    self._content = self.path.read_bytes()
            except OSError as error:
                self.fault = f"the file cannot be read: {error.strerror or type(error).__name__}"
        return self._content

    @property
    def source(self) -> Source:
        """Its text."""
        if self._source is None:
            from generator.hcl.files import decoded

            self._source = decoded(self.path, self.content)
        return self._source

    @property
    def parsed(self) -> File:
        """Its nodes and problems."""
        if self._file is None:
            self._file = self._parse()
        return self._file

    def _parse(self) -> File:
        source = self.source
        if self.fault is not None:
            from generator.hcl.nodes import Body, File, SyntaxProblem

            return File(Body(0, 0), [SyntaxProblem(0, 0, self.fault, limit=self._too_large)])
        if self.path.suffix != ".json":
            if self.reader is not None:
                return self.reader(source)
            from generator.hcl.parser import parse

            return parse(source)
        from generator.hcl.json_syntax import parse_json, parse_variables_json

        return parse_variables_json(source) if self.variables else parse_json(source)


def file_kind(name: str) -> tuple[str, str] | None:
    """The stem and the suffix (`.tf`, `.tf.json`, `.tofu`, `.tofu.json`) of a configuration file's name, None for other files."""
    # Hidden files, and what editors leave: Terraform reads `#x.tf`, not `#x.tf#`.
    if name.startswith("."):
        return None
    stem, dot, rest = name.rpartition(".")
    if rest == "json":
        stem, dot, rest = stem.rpartition(".")
        rest += ".json"
    suffix = dot + rest
    return (stem, suffix) if suffix in _SUFFIXES else None


def chosen_files(names: Sequence[str], reading: Reading) -> list[str]:
    """The names of the configuration files that a program reads, in its order: override files last.

    OpenTofu reads both kinds, and `x.tofu` in place of `x.tf`; Terraform does not see `.tofu`.
    """
    kinds = {name: kind for name in names if (kind := file_kind(name))}
    chosen = []
    for name in sorted(kinds):
        stem, suffix = kinds[name]
        if reading == "terraform" and _SUFFIXES[suffix] == "tofu":
            continue
        if reading == "tofu" and suffix.startswith(".tf") and stem + suffix.replace(".tf", ".tofu", 1) in kinds:
            continue
        chosen.append(name)
    return [n for n in chosen if not is_override(n)] + [n for n in chosen if is_override(n)]


def is_override(name: str) -> bool:
    """Whether a configuration file of that name overrides others."""
    kind = file_kind(name)
    return kind is not None and (kind[0] == "override" or kind[0].endswith("_override"))
