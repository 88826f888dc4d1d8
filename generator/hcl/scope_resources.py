"""Resources in the scope of their module: their instances, and what a reference to one of them gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from generator.hcl.compose import open_object, step_name, traced, tuple_of
from generator.hcl.convert import Mismatch, convert
from generator.hcl.evaluate import Scope, evaluate
from generator.hcl.instances import (
    BodyInstance,
    Element,
    Expansion,
    Kind,
    Looked,
    block_types,
    element_lookup,
    index_text,
    nested_blocks,
    repetition,
)
from generator.hcl.module import ConfigBlock, Mode, Placed, ResourceKey
from generator.hcl.nodes import Step
from generator.hcl.types import Type
from generator.hcl.values import Origin, UnknownData, Value, unknown

if TYPE_CHECKING:
    from generator.hcl.scope import ModuleInstance

# Arguments that Terraform itself takes in a resource or data block.
META_ARGUMENTS = frozenset({"count", "for_each", "provider", "depends_on"})
META_BLOCKS = frozenset({"lifecycle", "connection", "provisioner"})
# What identifies a resource: these lead back to it even when they are not known.
_IDENTITY = ("id", "self_link", "name")


class Knowledge(Protocol):
    """What is known of resource types beyond what is written."""

    def argument_type(self, mode: Mode, type_: str, name: str) -> Type | None:
        """What an argument's value is converted to, None when nobody knows."""

    def takes_blocks(self, mode: Mode, type_: str, name: str) -> bool:
        """Whether a property of that name stands for blocks in JSON syntax."""

    def unwritten(self, mode: Mode, type_: str, name: str) -> Value | None:
        """The value of an attribute that is not written, None when it is known after apply, or when nobody knows."""


def as_type(value: Value, type_: Type | None) -> Value:
    """The value as a type wants it; as it is when that is not known or not possible."""
    result = value if type_ is None else convert(value, type_)
    return value if isinstance(result, Mismatch) else result


def value_of(placed: Placed, scope: Scope) -> Value:
    """The value of an argument's expression."""
    return evaluate(placed.node.expression, placed.source, scope)


class Round:
    """A scope in which `each` and `count` mean one round of a resource or of a module call."""

    __slots__ = ("element", "kind", "module")

    def __init__(self, module: ModuleInstance, kind: Kind, element: Element | None) -> None:
        self.module = module
        self.kind = kind
        self.element = element

    @property
    def module_dir(self) -> Path:
        """The module's folder."""
        return self.module.module_dir

    @property
    def root_dir(self) -> Path:
        """The root's folder."""
        return self.module.root_dir

    def lookup(self, root: str, steps: tuple[Step, ...]) -> Looked:
        """See `ModuleInstance.lookup`."""
        element = self.element
        if element is not None:
            if root == "each" and self.kind == "for_each":
                return element_lookup(element, steps)
            if root == "count" and self.kind == "count" and steps and step_name(steps[0]) == "index":
                return element.key, 1
        return self.module.lookup(root, steps)


class ResourceInstance(Round):
    """One instance of a resource or data source, and the scope of its arguments.

    Attributes:
        key: mode, type and name.
        block: what is written.
        exists: None when nobody knows whether it is made.
        counted: its own `count` or `for_each` is known, so that it is made wherever its module instance is.
    """

    __slots__ = ("_memo", "block", "counted", "exists", "key")

    def __init__(
        self,
        module: ModuleInstance,
        key: ResourceKey,
        block: ConfigBlock,
        kind: Kind,
        element: Element | None,
        exists: Literal[True] | None,
        counted: bool = True,
    ) -> None:
        super().__init__(module, kind, element)
        self.counted = counted
        self.key = key
        self.block = block
        self.exists = exists
        self._memo: dict[str, Value] = {}

    @property
    def address(self) -> str:
        """`module.gpu["a"].google_container_node_pool.p[0]`; without a key where the instances are unknown."""
        mode, type_, name = self.key
        prefix = "data." if mode == "data" else ""
        key = self.element.shown_key if self.element else None
        return self.module.child_address(f"{prefix}{type_}.{name}{index_text(key)}")

    def attribute(self, name: str) -> Value:
        """What a reference to an attribute of this instance gives."""
        found = self._memo.get(name)
        if found is None:
            self._memo[name] = unknown(f"{self.address}.{name} refers to itself")
            try:
                found = self._attribute(name)
            except RecursionError:
                found = unknown(f"{self.address}.{name} is nested too deeply")
            self._memo[name] = found
        return found

    def _attribute(self, name: str) -> Value:
        mode, type_, _ = self.key
        knowledge = self.module.environment.knowledge
        as_argument = knowledge.takes_blocks(mode, type_, name)
        placed = self.block.arguments.get(name) if name not in META_ARGUMENTS and not as_argument else None
        span = placed.span if placed else self.block.header
        value = as_type(value_of(placed, self), knowledge.argument_type(mode, type_, name)) if placed else None
        if value is None and name not in META_BLOCKS:
            value = self._blocks(name, as_argument)
        if value is None or value.is_null:
            value = knowledge.unwritten(mode, type_, name) or unknown(f"{self.address}.{name} is known after apply")
        data = value.data
        if isinstance(data, UnknownData) and (data.refers_to is None or (name in _IDENTITY and mode == "managed")):
            value = replace(value, data=UnknownData(data.reason, self.address))
        return traced(value, Origin(span, f"{self.address}.{name}", self.address))

    def _blocks(self, type_: str, as_argument: bool) -> Value | None:
        """Nested blocks as a reference sees them: a tuple of objects with more attributes than are written."""
        if not any(t == type_ for t in block_types(self.block)) and not (as_argument and type_ in self.block.arguments):
            return None
        return _blocks_value(self.block, self, type_, as_argument)

    def whole(self) -> Value:
        """The instance as an object: what is written, and what identifies it."""
        found = self._memo.get("")
        if found is None:
            found = self._memo[""] = self._whole()
        return found

    def _whole(self) -> Value:
        names = [n for n in self.block.arguments if n not in META_ARGUMENTS]
        names += [t for t in block_types(self.block) if t not in META_BLOCKS and t not in names]
        names += [n for n in _IDENTITY if n not in names]
        return open_object({name: self.attribute(name) for name in names})


def _blocks_value(block: ConfigBlock, scope: Scope, type_: str, as_argument: bool = False) -> Value:
    nested = nested_blocks(block, scope, type_, as_argument=as_argument)
    if nested.reason is not None:
        return unknown(nested.reason)
    return tuple_of([_body_value(item) for item in nested.items])


def _body_value(item: BodyInstance) -> Value:
    values = {name: value_of(placed, item.scope) for name, placed in item.block.arguments.items()}
    values |= {t: _blocks_value(item.block, item.scope, t) for t in block_types(item.block) if t not in values}
    return open_object({k: v for k, v in values.items() if not v.is_null})


def resource_instances(module: ModuleInstance, key: ResourceKey, block: ConfigBlock) -> Expansion[ResourceInstance]:
    """The instances of a resource."""
    rounds = repetition(block, module)
    exists: Literal[True] | None = module.exists if rounds.reason is None else None
    if rounds.kind == "single":
        return Expansion("single", {None: ResourceInstance(module, key, block, rounds.kind, None, exists)})
    counted = rounds.reason is None
    made = {e.plain_key: ResourceInstance(module, key, block, rounds.kind, e, exists, counted) for e in rounds.elements}
    return Expansion(rounds.kind, made, rounds.reason)
