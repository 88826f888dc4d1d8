"""What a check has found, in the form that goes to people, files and other programs.

A `Finding` is plain data with a concrete place: it can be pickled, sorted and compared, and knows neither parser nor view.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class Severity(StrEnum):
    """How bad a finding is.

    error: cannot work, or works without RDMA though it asks for it. warning: works today but will bite. advice: shown on request.
    """

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"

    @property
    def rank(self) -> int:
        """3 for an error, 2 for a warning, 1 for advice."""
        return {"error": 3, "warning": 2, "advice": 1}[self.value]


class Safety(StrEnum):
    """Whether a fix changes nothing that works (safe), or may replace something or cost money (unsafe)."""

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True)
class Location:
    """A stretch of text in a file. Lines and columns start at 1 and count characters; the end is exclusive.

    `path` is absolute; reports draw it relative to the working directory.
    """

    path: Path
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that helps to understand a finding, such as the default that a wrong value came from."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One replacement in a file: characters `start` to `end` (exclusive offsets into the decoded text) become `text`."""

    path: Path
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together, all or none."""

    safety: Safety
    edits: tuple[Edit, ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    `location` is None where there is no text to point at (a plan without its folder). `sensitive` says that what stands there
    may be the text of a sensitive value, which must not be printed.
    """

    rule: str
    severity: Severity
    message: str
    help: str
    location: Location | None
    resource: str | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    refused: bool = False
    sensitive: bool = False

    @property
    def sort_key(self) -> tuple[bool, str, int, int, str, str]:
        """By path, line, column and rule; findings without a place come last."""
        at = self.location
        if at is None:
            return (True, self.resource or "", 0, 0, self.rule, self.message)
        return (False, at.path.as_posix(), at.line, at.column, self.rule, self.message)


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of one run."""

    files: int = 0
    errors: int = 0
    warnings: int = 0
    advice: int = 0
    ignored: int = 0


@dataclass(slots=True)
class Report:
    """Everything that one run has to tell, before it is drawn in a format."""

    findings: list[Finding] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)
    files: int = 0
    ignored: int = 0

    def summary(self) -> Summary:
        """Counts of what is in `findings`."""
        by = {s: sum(1 for f in self.findings if f.severity is s) for s in Severity}
        return Summary(self.files, by[Severity.ERROR], by[Severity.WARNING], by[Severity.ADVICE], self.ignored)
