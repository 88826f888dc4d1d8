"""Calls of gcloud as bash."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from generator.catalog import gcloud as catalog
from generator.render.environment import Ready, sh
from generator.render.shell_text import gcloud_list

# Written as Google's page on the installer writes them: with a blank before the value.
_APART = ("--accelerator", "--additional-node-network", "--scopes")


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag of gcloud; `value` None for a switch."""

    name: str
    value: str | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A call of gcloud.

    Attributes:
        words: `container clusters create`.
        name: of the resource.
        flags: in order.
        document: what it reads from standard input, one line; None for nothing.
    """

    words: str
    name: str
    flags: tuple[Flag, ...]
    document: str | None = None

    def text(self, indent: int = 0) -> Ready:
        """The call as bash, one flag on a line, without a newline at its end."""
        channel = catalog.channel(self.words, tuple(flag.name for flag in self.flags))
        start = ["gcloud", *([] if channel == "ga" else [channel]), self.words, sh(self.name)]
        margin = " " * indent
        call = f" \\\n{margin}  ".join([margin + " ".join(start), *(_flag(flag) for flag in self.flags)])
        return Ready(call if self.document is None else f"{call} <<'JSON'\n{self.document}\nJSON")

    def arguments(self) -> Ready:
        """The words behind `gcloud`, on one line."""
        return Ready(" ".join((self.words, sh(self.name), *(_flag(flag) for flag in self.flags))))

    def asking(self, form: str) -> Ready:
        """The whole call on one line, for one part of the answer: `form` is gcloud's `--format`."""
        return Ready(f"gcloud {self.arguments()} {_flag(Flag('--format', form))}")


@dataclass(frozen=True, slots=True)
class Resource:
    """Something to make unless it is there.

    Attributes:
        title: for the log: `node pool rdma-pool`.
        look: the call that succeeds when it is there.
        make: the call that makes it.
        remark: what gcloud cannot make of it; said when it is made.
    """

    title: str
    look: Command
    make: Command
    remark: str | None = None

    def text(self) -> Ready:
        """The step as bash."""
        return Ready(
            f"if exists {self.look.arguments()}; then\n"
            f"  note {sh(f'There already: {self.title}')}\n"
            "else\n"
            f"  note {sh(f'Making: {self.title}')}\n"
            f"{'' if self.remark is None else f'  note {sh(self.remark)}{chr(10)}'}"
            f"{self.make.text(2)}\n"
            "fi"
        )


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A maintenance exclusion: `mark` is in the cluster's description when it has it."""

    mark: Ready
    make: Command


def _flag(flag: Flag) -> Ready:
    if flag.value is None:
        return Ready(flag.name)
    return Ready(f"{flag.name}{' ' if flag.name in _APART else '='}{sh(flag.value)}")


def pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """Keys and values as the value of a gcloud flag that takes a dictionary."""
    return gcloud_list([f"{key}={value}" for key, value in pairs])
