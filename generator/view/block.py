"""A written block, asked by path. The same class serves every depth; what differs is the `BlockData` behind it.

A path is names joined by dots: `node_config.guest_accelerator.type`. Every name but the last is a block type, and the first
block of that type is meant; the last is an argument, or a block type for `blocks` and `has`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from generator.hcl.source import Span
from generator.hcl.values import Value
from generator.schema.tree import BlockSchema
from generator.view.answers import Absent, Answer, Elements, Unknown
from generator.view.convert import answer, element_answer, note, unknown_of, unknowns_seen


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why a value cannot become what the provider wants.

    Attributes:
        reason: a phrase for people: "bool required".
        part: the part of the value that does not fit, as an answer that points to it.
    """

    reason: str
    part: Answer


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument as it is written in one block.

    Attributes:
        name: its name.
        value: its value, converted to the type that the schema gives (unconverted when that fails or there is no schema).
        span: its expression; None in a plan.
        name_span: its name; None in a plan.
        misfit: set when the value cannot be converted.
    """

    name: str
    value: Value
    span: Span | None
    name_span: Span | None
    misfit: Misfit | None = None


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of one type inside a block.

    Attributes:
        items: one view each, in order; those made by a `dynamic` with an unknown `for_each` are there once, not `certain`.
        unknown: set when there may be more or fewer than `items` (an unknown `for_each`, a value known after apply).
        span: the header around them.
    """

    items: tuple[Block, ...]
    unknown: Unknown | None
    span: Span | None

    def __iter__(self) -> Iterator[Block]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def count(self) -> int | None:
        """How many there are, or None when that is not known."""
        return None if self.unknown else len(self.items)


class BlockData(ABC):
    """What a depth has to supply for one written block: HCL text, plan JSON or an API's answer.

    Attributes:
        schema: what the provider takes in it, None where we have none.
        header: from the first letter of its type to the end of its last label; of a `content` block, the dynamic's.
        certain: False inside a `dynamic` (or resource, or module call) whose `for_each` or `count` is unknown.
    """

    schema: BlockSchema | None
    header: Span | None
    certain: bool

    @abstractmethod
    def argument(self, name: str) -> Argument | None:
        """The argument, or None when it is not written. Null counts as written here."""

    @abstractmethod
    def blocks(self, name: str) -> Blocks:
        """All blocks of that type, written or made by `dynamic`."""

    @abstractmethod
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The names of all arguments and of all block types that are written, each once, in order."""

    def headers(self, name: str) -> tuple[Span, ...]:
        """The headers of the blocks of a type, and of a `dynamic` also when it makes none."""
        return tuple(b.header for b in self.blocks(name) if b.header is not None)


class Block:
    """One written block."""

    __slots__ = ("data",)

    def __init__(self, data: BlockData) -> None:
        self.data = data

    @property
    def header(self) -> Span | None:
        """Its header."""
        return self.data.header

    @property
    def certain(self) -> bool:
        """False when nobody knows whether it exists at all; what is wrong in it is wrong all the same."""
        return self.data.certain

    @property
    def schema(self) -> BlockSchema | None:
        """What the provider takes here; None where we have no schema."""
        return self.data.schema

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """See `BlockData.names`."""
        return self.data.names()

    def headers(self, name: str) -> tuple[Span, ...]:
        """See `BlockData.headers`."""
        return self.data.headers(name)

    def get(self, path: str) -> Answer:
        """The value of an argument. Known only when every part of it is known, and has the type that the provider wants."""
        found = self._argument(path)
        if isinstance(found, Unknown | Absent):
            return found
        if found.misfit is not None:
            return note(Unknown(f"{found.name} cannot be converted: {found.misfit.reason}", found.span))
        return note(answer(found.value, found.span))

    def peek(self, path: str) -> Answer:
        """As `get`, for a question that an unknown does not keep from being answered: it hides no check."""
        token = unknowns_seen.set(None)
        try:
            return self.get(path)
        finally:
            unknowns_seen.reset(token)

    def elements(self, path: str) -> Elements | Unknown | Absent:
        """The elements of a list, set or map argument, each for itself.

        Unknown also when a key of the map is unknown, or when the value is no collection.
        """
        found = self._argument(path)
        if isinstance(found, Unknown | Absent):
            return found
        value, span = found.value, found.span
        if value.is_unknown:
            return note(unknown_of(value, span))
        if value.is_null:
            return Absent(span, is_null=True)
        if isinstance(value.data, dict):
            if value.open:
                return note(Unknown(f"not every key of {self._what(path)} is known", span))
            items = tuple(element_answer(v, span) for v in value.data.values())
            return Elements(items, tuple(value.data), span)
        if isinstance(value.data, tuple):
            items = tuple(element_answer(v, span) for v in value.data)
            distinct = value.type.name != "set" or all(v.is_wholly_known for v in value.data) or len(items) < 2
            return Elements(items, (), span, distinct)
        return note(Unknown(f"{self._what(path)} is not a collection", span))

    def element(self, path: str, key: str) -> Answer:
        """One element of a map argument. Absent, at the block's header, when the map is known not to have the key."""
        found = self._argument(path)
        if isinstance(found, Unknown | Absent):
            return found
        value, span = found.value, found.span
        if value.is_null:
            return Absent(span, is_null=True)
        if value.is_unknown:
            return note(unknown_of(value, span))
        if not isinstance(value.data, dict):
            return note(Unknown(f"{self._what(path)} is not a map", span))
        inner = value.data.get(key)
        if inner is not None:
            return note(element_answer(inner, span))
        if value.open:
            return note(Unknown(f"not every key of {self._what(path)} is known", span))
        return Absent(self._holder(path))

    def blocks(self, path: str) -> Blocks:
        """The blocks of the type that `path` ends in, inside the first block of each type before it."""
        found = self._blocks(path)
        note(found.unknown)
        return found

    def _blocks(self, path: str) -> Blocks:
        *before, last = path.split(".")
        at: Block = self
        for name in before:
            inner = at.data.blocks(name)
            if not inner.items:
                return Blocks((), inner.unknown, at.header)
            if inner.unknown:
                deeper = inner.items[0].data.blocks(last) if name == before[-1] else None
                if deeper is not None:
                    return Blocks(deeper.items, inner.unknown, deeper.span)
            at = inner.items[0]
        return at.data.blocks(last)

    def has(self, path: str) -> bool | None:
        """Whether an argument (not null) or a block of that name is there; None when that is not known."""
        *before, last = path.split(".")
        at: Block = self
        for name in before:
            inner = at.data.blocks(name)
            if inner.unknown:
                note(inner.unknown)
                return None
            if not inner.items:
                return False
            at = inner.items[0]
        argument = at.data.argument(last)
        if argument is not None:
            if argument.value.is_unknown:
                note(unknown_of(argument.value, argument.span))
                return None
            return not argument.value.is_null
        inner = at.data.blocks(last)
        note(inner.unknown)
        return None if inner.unknown else bool(inner.items)

    def argument(self, path: str) -> Argument | None:
        """The argument as written, unknown or null included; None when it is not there (or its block is not)."""
        *before, last = path.split(".")
        at: Block = self
        for name in before:
            inner = at.data.blocks(name)
            if not inner.items:
                return None
            at = inner.items[0]
        return at.data.argument(last)

    def _argument(self, path: str) -> Argument | Unknown | Absent:
        *before, last = path.split(".")
        at: Block = self
        for name in before:
            inner = at.data.blocks(name)
            if not inner.items:
                return note(inner.unknown) if inner.unknown else Absent(at.header)
            at = inner.items[0]
        return at.data.argument(last) or Absent(at.header)

    def _holder(self, path: str) -> Span | None:
        at: Block = self
        for name in path.split(".")[:-1]:
            at = at.data.blocks(name).items[0]
        return at.header

    @staticmethod
    def _what(path: str) -> str:
        return path.rsplit(".", 1)[-1]
