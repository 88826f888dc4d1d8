"""The errors that a user can cause or mend, and the exit codes they lead to.

    UserError                 message, hint, exit code, and where known path, line and column
    ├── InputError       2    a command line, spec, configuration or file that is wrong or cannot be read
    ├── ToolError        3    terraform, kubectl or gcloud failed, timed out or is missing
    ├── RefusedError     4    we decline: stale plan, unapproved destruction, a folder that is not ours
    └── InterruptedRun   130  Ctrl-C (143 for TERM); the child was told first and waited for
    UserErrors                several at once: every problem of a spec, say

Below the command line nobody prints or exits: they raise one of these, and one funnel there draws them.
Anything else that reaches the funnel is a defect of this program.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from pathlib import Path


class ExitCode(IntEnum):
    """The one table of exit codes, for all commands."""

    DONE = 0
    FINDINGS = 1
    INPUT = 2
    TOOL = 3
    REFUSED = 4
    CHANGES = 5
    INTERRUPTED = 130
    TERMINATED = 143


# When several apply at once, the first of these wins.
PRECEDENCE = (
    ExitCode.INTERRUPTED,
    ExitCode.TERMINATED,
    ExitCode.INPUT,
    ExitCode.TOOL,
    ExitCode.REFUSED,
    ExitCode.FINDINGS,
    ExitCode.CHANGES,
    ExitCode.DONE,
)


def strongest(codes: Iterable[int]) -> ExitCode:
    """The exit code to leave with when all of `codes` apply."""
    present = set(codes)
    return next((code for code in PRECEDENCE if code in present), ExitCode.DONE)


class UserError(Exception):
    """Something that the user can mend.

    Args:
        message: what was found and what is needed, one sentence, no trailing newline.
        hint: what to write or run instead.
        path: the file it is about.
        line: 1-based.
        column: 1-based, in characters.
    """

    code: ExitCode = ExitCode.INPUT

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        path: Path | str | None = None,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        self.line = line
        self.column = column


class InputError(UserError):
    """A command line, a spec, a configuration or a file that is wrong or cannot be read."""

    code = ExitCode.INPUT


class ToolError(UserError):
    """Terraform, kubectl or gcloud failed, timed out or is missing."""

    code = ExitCode.TOOL


class RefusedError(UserError):
    """The program declines to go on, to keep something from harm."""

    code = ExitCode.REFUSED


class InterruptedRun(UserError):
    """A signal ended the run after the child was told and waited for."""

    code = ExitCode.INTERRUPTED

    def __init__(self, message: str, *, terminated: bool = False, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        if terminated:
            self.code = ExitCode.TERMINATED


class UserErrors(Exception):
    """Several errors of one run; at least one.

    Args:
        errors: in the order in which they are shown.
    """

    def __init__(self, errors: Iterable[UserError]) -> None:
        self.errors = tuple(errors)
        super().__init__("; ".join(e.message for e in self.errors))

    @property
    def code(self) -> ExitCode:
        """The strongest of the members' exit codes."""
        return strongest(e.code for e in self.errors)
