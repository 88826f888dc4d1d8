"""Faults that a rehearsal injects: what Google would answer instead of doing it, `create:google_container_node_pool=stockout`."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal

from generator.errors import InputError
from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.schema import provider

Operation = Literal["create", "update", "delete", "read"]
OPERATIONS: Final[tuple[Operation, ...]] = ("create", "update", "delete", "read")
EVERY_TYPE = "*"

_WRITES: tuple[Operation, ...] = ("create", "update", "delete")
_GKE = (CLUSTER, NODE_POOL)
_FORM = "OPERATION:TYPE=KIND[,seconds=N][,count=N], as in create:google_container_node_pool=stockout,count=1"
_SLOW_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault.

    Attributes:
        meaning: what happens.
        operations: where it can happen.
        types: to which resource types; empty for all.
    """

    meaning: str
    operations: tuple[Operation, ...]
    types: tuple[str, ...] = ()


KINDS: Final[dict[str, Kind]] = {
    "stockout": Kind(
        "the zone has no capacity: a new pool is gone again, a cluster is left in the state ERROR",
        ("create", "update"),
        (*_GKE, "google_compute_reservation"),
    ),
    "quota": Kind("the project's quota is used up: nothing is made", ("create", "update")),
    "permission": Kind("the account lacks a permission (403): nothing is done", OPERATIONS),
    "error": Kind(
        "the operation fails; a new pool or cluster is left in the state ERROR, anything else is gone", _WRITES
    ),
    "unnoticed": Kind("the operation fails, but the pool runs: Terraform reports success", ("create",), (NODE_POOL,)),
    "timeout": Kind("it takes longer than the resource's `timeouts` allow, and goes on without Terraform", _WRITES),
    "slow": Kind("it takes some seconds", OPERATIONS),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault to inject.

    Attributes:
        operation: which call it meets.
        type: of which resource type, or `*`.
        kind: a name of `KINDS`.
        seconds: how long the operation takes; of `slow` alone.
        count: how many calls it meets; None for all.
    """

    operation: Operation
    type: str
    kind: str
    seconds: float = 0.0
    count: int | None = None

    def __str__(self) -> str:
        seconds = f",seconds={self.seconds:g}" if self.seconds else ""
        count = f",count={self.count}" if self.count else ""
        return f"{self.operation}:{self.type}={self.kind}{seconds}{count}"

    def meets(self, operation: Operation, type_: str) -> bool:
        """Whether it is about such a call."""
        types = KINDS[self.kind].types
        return self.operation == operation and (
            self.type == type_ or (self.type == EVERY_TYPE and (not types or type_ in types))
        )


class Faults:
    """Faults at work: which call meets which, and how often each was met.

    Args:
        faults: in order; the first that meets a call, and is not used up, counts.
        file: where each meeting is noted, for another process; None for nowhere.
    """

    def __init__(self, faults: Sequence[Fault] = (), file: Path | None = None) -> None:
        self._faults = tuple(faults)
        self._left = [fault.count for fault in faults]
        self._file = file
        self._lock = threading.Lock()

    def meet(self, operation: Operation, type_: str) -> Fault | None:
        """The fault that such a call meets now."""
        with self._lock:
            for index, fault in enumerate(self._faults):
                left = self._left[index]
                if left == 0 or not fault.meets(operation, type_):
                    continue
                self._left[index] = None if left is None else left - 1
                if self._file is not None:
                    with self._file.open("a", encoding="utf-8") as noted:
                        noted.write(f"{index}\n")
                return fault
        return None


def unmet(faults: Sequence[Fault], file: Path) -> list[Fault]:
    """The faults that no call has met, by what `Faults` has noted in a file."""
    noted = set(file.read_text("utf-8").split()) if file.exists() else set()
    return [fault for index, fault in enumerate(faults) if str(index) not in noted]


def parse(written: Iterable[str]) -> tuple[Fault, ...]:
    """The faults of a command line.

    Raises:
        InputError: it is no fault, or one that cannot happen.
    """
    return tuple(_fault(text) for text in written)


def _fault(text: str) -> Fault:
    call, equals, rest = text.partition("=")
    name, colon, type_ = call.partition(":")
    if not equals or not colon:
        raise InputError(f"--fail {text}: this is no fault", hint=f"write it as {_FORM}")
    operation = next((known for known in OPERATIONS if known == name), None)
    if operation is None:
        raise _unknown(text, "operation", name, OPERATIONS)
    types = provider.resource_types() | (provider.data_types() if operation == "read" else frozenset())
    if type_ != EVERY_TYPE and type_ not in types:
        raise _unknown(text, "resource type", type_, sorted(types))
    kind_name, *settings = rest.split(",")
    kind = KINDS.get(kind_name)
    if kind is None:
        raise _unknown(text, "kind of fault", kind_name, KINDS)
    if operation not in kind.operations:
        possible = ", ".join(n for n, k in KINDS.items() if operation in k.operations)
        raise InputError(f"--fail {text}: {operation} cannot end in {kind_name}", hint=f"it can in {possible}")
    if kind.types and type_ not in (*kind.types, EVERY_TYPE):
        raise InputError(
            f"--fail {text}: {kind_name} cannot happen to {type_}", hint=f"it can to {', '.join(kind.types)}"
        )
    given = dict(_setting(text, setting) for setting in settings)
    if "seconds" in given and kind_name != "slow":
        raise InputError(f"--fail {text}: only slow takes seconds", hint=f"write {operation}:{type_}=slow,seconds=N")
    seconds = float(given.get("seconds", _SLOW_SECONDS if kind_name == "slow" else 0))
    return Fault(operation, type_, kind_name, seconds, given.get("count"))


def _setting(text: str, setting: str) -> tuple[str, int]:
    name, _, value = setting.partition("=")
    if name not in ("seconds", "count"):
        raise _unknown(text, "setting", name, ("seconds", "count"))
    if not value.isdecimal() or int(value) < 1 or len(value) > 6:
        raise InputError(f"--fail {text}: {name} is a number from 1 on", hint=f"write {name}=1, say")
    return name, int(value)


def _unknown(text: str, what: str, name: str, known: Iterable[str]) -> InputError:
    known = list(known)
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(known)}"
    return InputError(f"--fail {text}: there is no {what} {name!r}", hint=hint)
