"""How often a resource, a module call or a nested block is there: `count`, `for_each`, `dynamic`.

Where that is unknown the thing is there once, as one that nobody knows to exist, with `each`, `count` and the iterator unknown.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal, TypeVar

from generator.hcl.compose import object_of, step_name, tuple_of
from generator.hcl.evaluate import Scope, evaluate
from generator.hcl.evaluate_base import marked
from generator.hcl.module import ConfigBlock, Placed, literal_text, made_type
from generator.hcl.nodes import Attribute, Block, Body, GetAttr, GetIndex, ScopeTraversal, Step
from generator.hcl.source import Span
from generator.hcl.types import ANY
from generator.hcl.values import UnknownData, Value, number, string, unknown

# More instances than this are judged once, as if nobody knew how many there are.
MAX_INSTANCES = 500

# No name in a file can be this one.
_ASSIGNED = "(element)"

Kind = Literal["single", "count", "for_each"]
Key = int | str | None
Looked = tuple[Value, int]
T = TypeVar("T")


def index_text(key: Key) -> str:
    """The key of an instance as it stands in its address: `[0]`, `["a"]`, or nothing."""
    return "" if key is None else f"[{key}]" if isinstance(key, int) else f"[{json.dumps(key, ensure_ascii=False)}]"


@dataclass(frozen=True, slots=True)
class Element:
    """One round of a `for_each` or `count`.

    Attributes:
        key: `each.key`, `count.index` or the iterator's key.
        value: `each.value` or the iterator's value.
        number: its place among the rounds, from 0.
    """

    key: Value
    value: Value
    number: int = 0

    @property
    def plain_key(self) -> Key:
        """The key as it stands in addresses."""
        data = self.key.data
        return data if isinstance(data, int | str) else None

    @property
    def shown_key(self) -> Key:
        """The key as it may be printed: one that is a secret, or text read from a file, is only counted."""
        hidden = self.key.sensitive or self.key.from_file
        return f"(hidden key {self.number + 1})" if hidden and isinstance(self.key.data, str) else self.plain_key


@dataclass(frozen=True, slots=True)
class Repetition:
    """How often something is there.

    Attributes:
        kind: what says so.
        elements: the rounds; one with unknown key and value when `reason` is set.
        reason: why the number of rounds is unknown, or None when it is known.
        span: the expression that says so, None for "single".
    """

    kind: Kind
    elements: tuple[Element, ...] = ()
    reason: str | None = None
    span: Span | None = None


@dataclass(slots=True)
class Expansion(Generic[T]):
    """The instances of a resource or of a module call.

    Attributes:
        kind: what says how many there are.
        instances: by key; of an unknown number the one that stands for all, under None.
        reason: why their number is unknown, or None when it is known.
    """

    kind: Kind
    instances: dict[Key, T]
    reason: str | None = None

    def select(self, steps: tuple[Step, ...], used: int) -> tuple[T | None, int]:
        """The instance that the steps from number `used` on ask for, and how many steps are used then.

        None when there is no such instance; `used` stays as it is when the steps ask for all of them.
        """
        if self.kind == "single":
            return self.instances[None], used
        step = steps[used] if used < len(steps) else None
        if not isinstance(step, GetIndex):
            return None, used
        if self.reason is not None:
            return self.instances[None], used + 1
        return self.instances.get(_key_of(step, self.kind)), used + 1

    def whole(self, value_of: Callable[[T], Value], address: str) -> Value:
        """All instances as a value: an object or a tuple."""
        if self.reason is not None:
            return Value(ANY, UnknownData(self.reason, address))
        if self.kind == "count":
            return tuple_of([value_of(i) for i in self.instances.values()])
        return object_of({str(k): value_of(i) for k, i in self.instances.items()})


def _key_of(step: GetIndex, kind: Kind) -> Key:
    key = step.key
    if kind == "count":
        if isinstance(key, str) and key.isdecimal():
            return int(key)
        return key if isinstance(key, int) and not isinstance(key, bool) else None
    return str(key) if isinstance(key, int | str) and not isinstance(key, bool) else None


def repetition(block: ConfigBlock, scope: Scope) -> Repetition:
    """How often a resource or a module call is there."""
    for_each, count = block.arguments.get("for_each"), block.arguments.get("count")
    if for_each is not None:
        value = evaluate(for_each.node.expression, for_each.source, scope)
        elements = _named_elements(value)
        return _repetition("for_each", elements, for_each, value)
    if count is not None:
        value = evaluate(count.node.expression, count.source, scope)
        return _repetition("count", _counted(value), count, value)
    return Repetition("single")


def _repetition(kind: Kind, elements: tuple[Element, ...] | None, placed: Placed, value: Value) -> Repetition:
    if elements is not None and len(elements) <= MAX_INSTANCES:
        return Repetition(kind, elements, None, placed.span)
    reason = _why(value, placed.node.name)
    return Repetition(kind, (Element(unknown(reason), unknown(reason)),), reason, placed.span)


def _why(value: Value, name: str) -> str:
    return value.data.reason if isinstance(value.data, UnknownData) else f"{name} cannot be told"


def _counted(value: Value) -> tuple[Element, ...] | None:
    data = value.data
    if isinstance(data, str) and data.isdecimal():
        data = int(data)
    if not isinstance(data, int) or isinstance(data, bool) or not 0 <= data <= MAX_INSTANCES:
        return None
    return tuple(Element(number(i), number(i), i) for i in range(data))


def _named_elements(value: Value) -> tuple[Element, ...] | None:
    """The rounds over a map, an object or a set of strings, which is all that a resource or a call takes."""
    data = value.data
    if isinstance(data, tuple):
        if value.type.name != "set" or not all(isinstance(v.data, str) for v in data):
            return None
        return _as_elements(value, [(v, v) for v in data])
    return _elements(value)


def _elements(value: Value) -> tuple[Element, ...] | None:
    data = value.data
    if isinstance(data, dict) and not value.open:
        return _as_elements(value, [(string(k), v) for k, v in data.items()])
    if isinstance(data, tuple):
        if value.type.name != "set":
            return _as_elements(value, [(number(i), v) for i, v in enumerate(data)])
        if all(v.is_wholly_known for v in data):
            return _as_elements(value, [(v, v) for v in data])
    return None


def _as_elements(value: Value, pairs: list[tuple[Value, Value]]) -> tuple[Element, ...]:
    """Rounds whose keys and values carry the marks of the collection."""
    return tuple(Element(marked(k, value), marked(v, value), i) for i, (k, v) in enumerate(pairs))


def called_folder(directory: Path, block: ConfigBlock) -> Path | None:
    """The folder of a local module that a `module` block calls, None when it is not a literal local path."""
    placed = block.arguments.get("source")
    text = literal_text(placed.node.expression) if placed else None
    return local_folder(directory, text) if text else None


def local_folder(directory: Path, source: str) -> Path | None:
    """The folder that a local source address means, None for an address of another kind."""
    if not source.startswith(("./", "../")) and source not in (".", ".."):
        return None
    return Path(os.path.normpath(directory / source))


@dataclass(frozen=True, slots=True)
class BodyInstance:
    """A block as it is there: written, or made by a `dynamic`.

    Attributes:
        block: its body; the `content` block of a dynamic.
        header: its header; of a made one the dynamic's.
        scope: what names in it stand for.
        certain: False when nobody knows whether it is there.
    """

    block: ConfigBlock
    header: Span
    scope: Scope
    certain: bool


@dataclass(slots=True)
class Nested:
    """The blocks of one type inside a block.

    Attributes:
        items: in order.
        reason: why there may be more or fewer than `items`, or None when their number is known.
        span: the expression that is to blame for `reason`.
    """

    items: list[BodyInstance] = field(default_factory=list)
    reason: str | None = None
    span: Span | None = None


def nested_blocks(
    block: ConfigBlock, scope: Scope, type_: str, certain: bool = True, *, as_argument: bool = False
) -> Nested:
    """The blocks of a type, written or made, in a block whose expressions are evaluated in `scope`.

    Args:
        block: what holds them.
        scope: what names in it stand for.
        type_: their type.
        certain: whether the block itself is there for sure.
        as_argument: an argument of that name stands for blocks too, as the provider allows for some.
    """
    found = Nested()
    for inner in block.blocks:
        if made_type(inner.node) != type_:
            continue
        if inner.type != "dynamic":
            found.items.append(BodyInstance(inner, inner.header, scope, certain))
            continue
        content = next((b for b in inner.blocks if b.type == "content"), None)
        if content is not None:
            _add_made(found, inner, content, scope, certain)
    for placed in block.assigned(type_) if as_argument else ():
        written = _json_blocks(placed)
        if written is None:
            _add_assigned(found, placed, type_, scope, certain)
            continue
        for one in written:
            made = ConfigBlock(((placed.source, one),))
            found.items.append(BodyInstance(made, placed.name_span, scope, certain))
    return found


def _json_blocks(placed: Placed) -> list[Block] | None:
    if placed.source.path.suffix != ".json":
        return None
    from generator.hcl.json_syntax import as_blocks

    return as_blocks(placed.node)


def _add_assigned(found: Nested, placed: Placed, type_: str, scope: Scope, certain: bool) -> None:
    """Blocks given as an argument: each attribute of an element becomes an argument that refers to it."""
    value = evaluate(placed.node.expression, placed.source, scope)
    data = value.data
    rounds = [value] if isinstance(data, dict) else list(data) if isinstance(data, tuple) else []
    if isinstance(data, UnknownData) or any(v.is_unknown or v.open for v in rounds):
        found.reason, found.span = _why(value, type_), placed.span
        return
    for index, item in enumerate(rounds):
        if not isinstance(item.data, dict):
            continue
        at = next((o.span for o in item.trail if placed.span.contains(o.span)), placed.span)
        body = Body(at.start, at.end)
        for name, part in item.data.items():
            inside = next((o.span for o in part.trail if at.contains(o.span)), at)
            steps = (GetAttr("value"), GetAttr(name))
            reference = ScopeTraversal(inside.start, inside.end, _ASSIGNED, steps)
            body.attributes[name] = Attribute(inside.start, inside.end, name, inside.start, reference)
        node = Block(placed.node.start, at.end, type_, (), placed.node.name_end, body)
        inner = IteratorScope(scope, _ASSIGNED, Element(number(index), marked(item, value), index))
        made = ConfigBlock(((placed.source, node),))
        found.items.append(BodyInstance(made, placed.name_span, inner, certain))


def _add_made(found: Nested, dynamic: ConfigBlock, content: ConfigBlock, scope: Scope, certain: bool) -> None:
    placed = dynamic.arguments.get("for_each")
    value = evaluate(placed.node.expression, placed.source, scope) if placed else unknown("for_each is missing")
    elements = _elements(value)
    if elements is None or len(elements) > MAX_INSTANCES:
        found.reason = _why(value, "for_each")
        found.span = placed.span if placed else dynamic.header
        elements, certain = (Element(unknown(found.reason), unknown(found.reason)),), False
    name = iterator_name(dynamic)
    header = dynamic.header
    for element in elements:
        found.items.append(BodyInstance(content, header, IteratorScope(scope, name, element), certain))


def iterator_name(dynamic: ConfigBlock) -> str:
    """The name that stands for the element at hand inside a dynamic's content."""
    placed = dynamic.arguments.get("iterator")
    if placed is not None and isinstance(placed.node.expression, ScopeTraversal):
        return placed.node.expression.root
    text = literal_text(placed.node.expression) if placed else None
    return text or made_type(dynamic.node)


@dataclass(frozen=True, slots=True)
class IteratorScope:
    """A scope with the iterator of a `dynamic` in front."""

    inner: Scope
    name: str
    element: Element

    @property
    def module_dir(self) -> Path:
        """The module's folder."""
        return self.inner.module_dir

    @property
    def root_dir(self) -> Path:
        """The root's folder."""
        return self.inner.root_dir

    def lookup(self, root: str, steps: tuple[Step, ...]) -> Looked:
        """See `ModuleInstance.lookup`."""
        if root != self.name:
            return self.inner.lookup(root, steps)
        return element_lookup(self.element, steps)


def element_lookup(element: Element, steps: tuple[Step, ...]) -> Looked:
    """`.key` and `.value` of an iterator or of `each`."""
    name = step_name(steps[0]) if steps else None
    if name == "key":
        return element.key, 1
    if name == "value":
        return element.value, 1
    return object_of({"key": element.key, "value": element.value}), 0


def block_types(block: ConfigBlock) -> Iterator[str]:
    """The types of the blocks that are written or made in a block, each once, in order."""
    yield from dict.fromkeys(made_type(b.node) for b in block.blocks)
