"""Blocks of a plan: `BlockData` over planned values, unknowns and sensitive marks.

A plan shows what is written together with what the provider has filled in: a pool with an automatic network profile holds, once
it exists, the nine networks that GKE made. Rules ask what is written, so the plan's `configuration` decides what counts: an
argument that is not written is absent here as it is in text, whatever the state says. What only the provider sets
(`master_version`) is always there. Blocks made by `dynamic` are not in the `configuration`; there the text decides where it is
at hand, and where it is not, what may be the provider's own is unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from generator.hcl.source import Span
from generator.hcl.types import ANY, BOOL, NUMBER, STRING, Collection, ObjectType, Type
from generator.hcl.values import UnknownData, Value
from generator.schema.tree import ArgumentSchema, BlockSchema
from generator.view.answers import Unknown
from generator.view.block import Argument, Block, BlockData, Blocks

Refers = Callable[[Sequence[str]], str | None]
_MISSING = object()
# Arguments that mean the same whether they are written or filled in by the provider.
_SAME_EITHER_WAY = frozenset({"machine_type", "cluster", "location", "project", "name", "zone", "region"})


@dataclass(frozen=True, slots=True)
class Planned:
    """One block in the four layers of a plan.

    Attributes:
        after: planned values by name.
        unknown: what is known after apply only, by name; True for all of it.
        sensitive: what must not be printed, by name; True for all of it.
        before: values of the state, by name; None when nothing exists.
        written: expressions of the configuration by name; None when nobody knows what is written.
        text: the same block in the text; None when it is not at hand.
    """

    after: Mapping[str, Any]
    unknown: Mapping[str, Any] | bool
    sensitive: Mapping[str, Any] | bool
    before: Mapping[str, Any] | None
    written: Mapping[str, Any] | None
    text: Block | None

    def unknown_part(self, name: str) -> Any:
        """What is unknown of an argument or block."""
        return self.unknown if isinstance(self.unknown, bool) else self.unknown.get(name, False)

    def sensitive_part(self, name: str) -> Any:
        """What is sensitive of an argument or block."""
        return self.sensitive if isinstance(self.sensitive, bool) else self.sensitive.get(name, False)


class PlanData(BlockData):
    """A block of a resource in a plan.

    Args:
        planned: its layers.
        schema: what the provider takes in it, None where we have none.
        header: the header of its resource in the text, None without the text.
        where: its path for messages: `google_container_node_pool.p.node_config`.
        refers: finds the resource that references lead to.
    """

    __slots__ = ("certain", "header", "planned", "refers", "schema", "where")

    def __init__(
        self, planned: Planned, schema: BlockSchema | None, header: Span | None, where: str, refers: Refers
    ) -> None:
        self.planned = planned
        self.schema: BlockSchema | None = schema
        self.header: Span | None = header
        self.certain = True
        self.where = where
        self.refers = refers

    def argument(self, name: str) -> Argument | None:
        """See `BlockData.argument`."""
        known = self.schema.arguments.get(name) if self.schema else None
        if known is None and self._is_block(name):
            return None
        written = True if known is not None and _provider_only(known) else self._is_written(name)
        if written is False:
            return None
        unknown = self.planned.unknown_part(name)
        data = self.planned.after.get(name, _MISSING)
        if data is _MISSING and not unknown:
            return None
        value = self._value(name, None if data is _MISSING else data, unknown, known)
        if written is None and unknown is not True:
            if _is_empty(data):
                return None
            if known is not None and (known.computed or known.diff_suppressed) and self._as_before(name):
                value = Value(value.type, UnknownData(self._may_be_own(name)))
        elif known is not None and known.optional and known.computed and self._may_be_null(name):
            value = Value(value.type, UnknownData(self._may_be_own(name)))
        return Argument(name, value, self.header, self.header)

    def blocks(self, name: str) -> Blocks:
        """See `BlockData.blocks`."""
        inner = self.schema.blocks.get(name) if self.schema else None
        written = self._is_written(name)
        nothing = Blocks((), None, self.header)
        if written is False or (self.schema is not None and inner is None):
            return nothing
        unknown = self.planned.unknown_part(name)
        if unknown is True:
            return Blocks((), Unknown(f"{self.where}.{name} is known after apply only", self.header), self.header)
        data = self.planned.after.get(name)
        found = data if isinstance(data, list) else [data] if isinstance(data, dict) else []
        if not found or (self.schema is None and not all(isinstance(item, dict) for item in found)):
            return nothing
        if written is None and self._as_before(name):
            return Blocks((), Unknown(self._may_be_own(name), self.header), self.header)
        items = [self._nested(name, inner, i, item, len(found), unknown) for i, item in enumerate(found)]
        return Blocks(tuple(items), None, self.header)

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """See `BlockData.names`."""
        unknown = {} if isinstance(self.planned.unknown, bool) else self.planned.unknown
        every = dict.fromkeys([*self.planned.after, *unknown])
        arguments = [n for n in every if not self._only_provider(n) and self.argument(n) is not None]
        blocks = [n for n in every if n not in arguments and self._is_block(n) and self._shows(n)]
        return tuple(arguments), tuple(blocks)

    def _shows(self, name: str) -> bool:
        return bool(self.blocks(name).items) or self._is_written(name) is True

    def _only_provider(self, name: str) -> bool:
        known = self.schema.arguments.get(name) if self.schema else None
        return known is not None and _provider_only(known)

    def _is_block(self, name: str) -> bool:
        if self.schema is not None:
            return name in self.schema.blocks and name not in self.schema.arguments
        data = self.planned.after.get(name)
        return isinstance(data, list) and bool(data) and all(isinstance(item, dict) for item in data)

    def _is_written(self, name: str) -> bool | None:
        """Whether an argument or block is written; None when nobody can tell."""
        written, text = self.planned.written, self.planned.text
        if written is not None and name in written:
            return self._text_is_null(name) is not True
        if text is not None:
            found = text.data.argument(name)
            inner = text.data.blocks(name)
            return found is not None or bool(inner.items) or inner.unknown is not None
        if written is None:
            return None
        return None if self._is_block(name) else False

    def _text_is_null(self, name: str) -> bool | None:
        """Whether the text gives null for an argument, so that the provider's own value shows."""
        found = self.planned.text.data.argument(name) if self.planned.text is not None else None
        return found.value.is_null if found is not None else None

    def _as_before(self, name: str) -> bool:
        before = self.planned.before
        return before is not None and before.get(name) == self.planned.after.get(name)

    def _may_be_null(self, name: str) -> bool:
        """Whether an expression may give null, so that the state's value shows; the text would know."""
        expression = (self.planned.written or {}).get(name)
        constant = isinstance(expression, dict) and "constant_value" in expression
        return self.planned.text is None and name not in _SAME_EITHER_WAY and not constant and self._as_before(name)

    def _may_be_own(self, name: str) -> str:
        return f"{self.where}.{name} may be what the provider has filled in"

    def _value(self, name: str, data: Any, unknown: Any, known: ArgumentSchema | None) -> Value:
        expression = (self.planned.written or {}).get(name)
        references = expression.get("references", ()) if isinstance(expression, dict) else ()
        reason = UnknownData(
            f"{self.where}.{name} is known after apply only",
            self.refers(references) if references and unknown else None,
        )
        return value_of(data, unknown, self.planned.sensitive_part(name), known.type if known else ANY, reason)

    def _nested(self, name: str, schema: BlockSchema | None, index: int, item: Any, number: int, unknown: Any) -> Block:
        part = unknown[index] if isinstance(unknown, list) and index < len(unknown) else False
        marks = self.planned.sensitive_part(name)
        mark = marks[index] if isinstance(marks, list) and index < len(marks) else marks is True
        before = (self.planned.before or {}).get(name)
        old = before[index] if isinstance(before, list) and index < len(before) else None
        planned = Planned(
            after=item if isinstance(item, dict) else {},
            unknown=part if isinstance(part, bool | dict) else False,
            sensitive=mark if isinstance(mark, bool | dict) else False,
            before=old if isinstance(old, dict) else None,
            written=self._written_block(name, schema, index, number),
            text=self._text_block(name, schema, index, number),
        )
        return Block(PlanData(planned, schema, self.header, f"{self.where}.{name}", self.refers))

    def _written_block(
        self, name: str, schema: BlockSchema | None, index: int, number: int
    ) -> Mapping[str, Any] | None:
        listed = (self.planned.written or {}).get(name)
        if isinstance(listed, dict) and schema is not None and schema.nesting == "single":
            return listed
        if not isinstance(listed, list) or len(listed) != number:
            return None
        if schema is not None and schema.nesting == "set" and len({frozenset(block) for block in listed}) > 1:
            return None
        found = listed[index]
        return found if isinstance(found, dict) else None

    def _text_block(self, name: str, schema: BlockSchema | None, index: int, number: int) -> Block | None:
        text = self.planned.text.data.blocks(name) if self.planned.text is not None else None
        if text is None or text.unknown is not None or len(text.items) != number:
            return None
        is_set = schema is not None and schema.nesting == "set" and number > 1
        return None if is_set else text.items[index]


def _provider_only(known: ArgumentSchema) -> bool:
    return known.computed and not known.optional and not known.required


def _is_empty(data: Any) -> bool:
    """What the provider's library shows for an argument that is not set, once the object exists."""
    return data is _MISSING or data is None or data == "" or data == 0 or data == [] or data == {}


def value_of(data: Any, unknown: Any, sensitive: Any, type_: Type, reason: UnknownData) -> Value:
    """A value from the layers of a plan.

    Args:
        data: JSON.
        unknown: True, or the same shape as `data` with True at what is known after apply only.
        sensitive: likewise.
        type_: the argument's type; `ANY` where it is not known.
        reason: why what is unknown is so.
    """
    hidden = sensitive is True
    if unknown is True:
        return Value(type_, reason, sensitive=hidden)
    if data is None and not unknown:
        return Value(ANY, None, sensitive=hidden)
    if isinstance(data, list):
        element = type_.element if isinstance(type_, Collection) else ANY
        parts = zip(data, _layers(unknown, len(data)), _layers(sensitive, len(data)), strict=True)
        items = tuple(value_of(d, u, s, element, reason) for d, u, s in parts)
        return Value(type_ if isinstance(type_, Collection) else Type("tuple"), items, sensitive=hidden)
    if isinstance(data, dict) or isinstance(unknown, dict):
        return replace(_object(data or {}, unknown, sensitive, type_, reason), sensitive=hidden)
    if isinstance(data, bool):
        return Value(BOOL, data, sensitive=hidden)
    if isinstance(data, int | float):
        whole = int(data) if float(data).is_integer() else Fraction(str(data))
        return Value(NUMBER, whole, sensitive=hidden)
    return Value(STRING, str(data), sensitive=hidden)


def _object(data: Mapping[str, Any], unknown: Any, sensitive: Any, type_: Type, reason: UnknownData) -> Value:
    unknowns = unknown if isinstance(unknown, dict) else {}
    marks = sensitive if isinstance(sensitive, dict) else {}
    attributes: dict[str, Value] = {}
    for name in dict.fromkeys([*data, *unknowns]):
        of = type_.attributes.get(name, ANY) if isinstance(type_, ObjectType) else ANY
        of = type_.element if isinstance(type_, Collection) else of
        attributes[name] = value_of(data.get(name), unknowns.get(name, False), marks.get(name, False), of, reason)
    return Value(type_ if isinstance(type_, Collection | ObjectType) else Type("object"), attributes)


def _layers(layer: Any, number: int) -> list[Any]:
    """A layer of a list, element by element."""
    if isinstance(layer, list) and len(layer) == number:
        return layer
    return [layer is True] * number
