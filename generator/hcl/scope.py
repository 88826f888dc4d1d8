"""A module with the values of one call, evaluated lazily: what a name in its expressions stands for.

Nothing here knows a provider; what an argument that is not written means comes from `Knowledge`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from generator.hcl.compose import object_of, open_object, step_name, traced, tuple_of
from generator.hcl.convert import Mismatch, convert
from generator.hcl.evaluate import evaluate
from generator.hcl.evaluate_base import Failure
from generator.hcl.instances import (
    BodyInstance,
    Element,
    Expansion,
    Key,
    Kind,
    Looked,
    block_types,
    called_folder,
    element_lookup,
    index_text,
    nested_blocks,
    repetition,
)
from generator.hcl.module import ConfigBlock, Mode, Module, Placed, ResourceKey
from generator.hcl.nodes import Step
from generator.hcl.types import Type
from generator.hcl.values import Origin, UnknownData, Value, string, unknown
from generator.hcl.variables import declared_value

if TYPE_CHECKING:
    from generator.hcl.evaluate import Scope

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


class NoKnowledge:
    """Knows nothing of any resource type."""

    def argument_type(self, mode: Mode, type_: str, name: str) -> Type | None:  # noqa: ARG002
        """Not known."""
        return None

    def takes_blocks(self, mode: Mode, type_: str, name: str) -> bool:  # noqa: ARG002
        """Not known."""
        return False

    def unwritten(self, mode: Mode, type_: str, name: str) -> Value | None:  # noqa: ARG002
        """Not known."""
        return None


@dataclass(frozen=True, slots=True)
class Environment:
    """What all instances of a module tree share.

    Attributes:
        root_dir: folder of the root module.
        load: the module of a folder, or None when there is none.
        knowledge: what is known of resource types.
    """

    root_dir: Path
    load: Callable[[Path], Module | None]
    knowledge: Knowledge


def as_type(value: Value, type_: Type | None) -> Value:
    """The value as a type wants it; as it is when that is not known or not possible."""
    result = value if type_ is None else convert(value, type_)
    return value if isinstance(result, Mismatch) else result


class ModuleInstance:
    """A module with the values of one call, or a root. Implements the evaluator's scope.

    Attributes:
        module: what is written.
        address: `module.gpu["a"]`, "" for a root.
        exists: None when nobody knows whether the call makes it.
        parent: the instance that calls it.
        chain: the folders from the root down to this one.
    """

    def __init__(
        self,
        module: Module,
        environment: Environment,
        inputs: Callable[[ModuleInstance, str], Value],
        *,
        address: str = "",
        exists: Literal[True] | None = True,
        parent: ModuleInstance | None = None,
    ) -> None:
        self.module = module
        self.environment = environment
        self.address = address
        self.exists = exists
        self.parent = parent
        self.chain: tuple[Path, ...] = (*(parent.chain if parent else ()), module.directory)
        self._inputs = inputs
        self._memo: dict[tuple[str, str], Value] = {}
        self._resources: dict[ResourceKey, Expansion[ResourceInstance]] = {}
        self._calls: dict[str, Expansion[ModuleInstance | None]] = {}

    @property
    def module_dir(self) -> Path:
        """The module's folder."""
        return self.module.directory

    @property
    def root_dir(self) -> Path:
        """The root's folder."""
        return self.environment.root_dir

    def lookup(self, root: str, steps: tuple[Step, ...]) -> Looked:
        """The value of a name and of as many steps from it as need no whole value; how many these are."""
        special = _SPECIAL.get(root)
        if special is not None:
            return special(self, steps)
        if root in ("each", "count", "self", "terraform"):
            name = step_name(steps[0]) if steps else None
            return unknown(f"{root}.{name} is not known here" if name else f"{root} is not known here"), len(steps)
        return self._resource("managed", root, steps, 0)

    def once(self, kind: str, name: str, make: Callable[[], Value]) -> Value:
        """The value of a declaration, made at most once; unknown while it is being made, since it then needs itself."""
        key = (kind, name)
        found = self._memo.get(key)
        if found is None:
            self._memo[key] = unknown(f"{kind}.{name} refers to itself")
            try:
                found = make()
            except RecursionError:
                found = unknown(f"{kind}.{name} is nested too deeply")
            self._memo[key] = found
        return found

    def variable(self, name: str) -> Value:
        """The value of an input variable."""
        return self.once("var", name, lambda: self._inputs(self, name))

    def local(self, name: str) -> Value:
        """The value of a local."""
        placed = self.module.declared.locals.get(name)
        if placed is None:
            return unknown(f"local.{name} is not declared")
        return self.once("local", name, lambda: traced(value_of(placed, self), Origin(placed.span, f"local.{name}")))

    def output(self, name: str) -> Value:
        """The value of an output."""
        block = self.module.declared.outputs.get(name)
        placed = block.arguments.get("value") if block else None
        if placed is None:
            return unknown(f"{self.address or 'the module'} has no output {name} that we could read")
        return self.once("output", name, lambda: self._output(block, placed, name))

    def _output(self, block: ConfigBlock | None, placed: Placed, name: str) -> Value:
        value = traced(value_of(placed, self), Origin(placed.span, f"output {name}"))
        hidden = block.arguments.get("sensitive") if block else None
        if hidden is not None and value_of(hidden, self).data is not False:
            value = replace(value, sensitive=True)
        return value

    def outputs(self) -> Value:
        """All outputs as an object."""
        made = {name: self.output(name) for name in self.module.declared.outputs}
        return open_object(made) if self.module.declared.broken else object_of(made)

    def resource(self, key: ResourceKey) -> Expansion[ResourceInstance]:
        """The instances of a resource that is declared here."""
        found = self._resources.get(key)
        if found is None:
            found = self._resources[key] = resource_instances(self, key, self.module.declared.resources[key])
        return found

    def calls(self, name: str) -> Expansion[ModuleInstance | None]:
        """The instances of a module call that is written here; None for one whose module cannot be read."""
        found = self._calls.get(name)
        if found is None:
            found = self._calls[name] = call_instances(self, name, self.module.declared.calls[name])
        return found

    def _var(self, steps: tuple[Step, ...]) -> Looked:
        name = step_name(steps[0]) if steps else None
        return (self.variable(name), 1) if name else (unknown("var is no value"), len(steps))

    def _local(self, steps: tuple[Step, ...]) -> Looked:
        name = step_name(steps[0]) if steps else None
        return (self.local(name), 1) if name else (unknown("local is no value"), len(steps))

    def _path(self, steps: tuple[Step, ...]) -> Looked:
        name = step_name(steps[0]) if steps else None
        if name == "root":
            return string("."), 1
        if name == "module":
            return string(Path(os.path.relpath(self.module_dir, self.root_dir)).as_posix()), 1
        return unknown(f"path.{name} depends on where terraform runs"), len(steps)

    def _data(self, steps: tuple[Step, ...]) -> Looked:
        type_ = step_name(steps[0]) if steps else None
        return self._resource("data", type_, steps, 1) if type_ else (unknown("data is no value"), len(steps))

    def _module(self, steps: tuple[Step, ...]) -> Looked:
        name = step_name(steps[0]) if steps else None
        if name is None or name not in self.module.declared.calls:
            return unknown(f"module.{name} is not called here"), len(steps)
        expansion = self.calls(name)
        what = f"module.{name}"
        child, used = expansion.select(steps, 1)
        if used == 1 and expansion.kind != "single":
            return self.once("all", what, lambda: expansion.whole(lambda c: _outputs(c, what), what)), 1
        if child is None:
            return unknown(f"{what} cannot be read"), len(steps)
        if used == len(steps):
            return child.outputs(), used
        output = step_name(steps[used])
        return (child.output(output), used + 1) if output else (unknown(f"{what} has no such output"), len(steps))

    def _resource(self, mode: Mode, type_: str, steps: tuple[Step, ...], used: int) -> Looked:
        name = step_name(steps[used]) if len(steps) > used else None
        what = f"{'data.' if mode == 'data' else ''}{type_}.{name}"
        if name is None or (mode, type_, name) not in self.module.declared.resources:
            return unknown(f"{what} is not declared"), len(steps)
        expansion = self.resource((mode, type_, name))
        used += 1
        instance, after = expansion.select(steps, used)
        if after == used and expansion.kind != "single":
            address = self.child_address(what)
            return self.once("all", what, lambda: expansion.whole(ResourceInstance.whole, address)), used
        if instance is None:
            raise Failure(f"{what} has no such instance")
        attribute = step_name(steps[after]) if after < len(steps) else None
        if attribute is None:
            return instance.whole(), after
        return instance.attribute(attribute), after + 1

    def child_address(self, relative: str) -> str:
        """The address of something in this module."""
        return f"{self.address}.{relative}" if self.address else relative


def _outputs(called: ModuleInstance | None, what: str) -> Value:
    return called.outputs() if called else unknown(f"{what} cannot be read")


_SPECIAL: dict[str, Callable[[ModuleInstance, tuple[Step, ...]], Looked]] = {
    "var": ModuleInstance._var,
    "local": ModuleInstance._local,
    "path": ModuleInstance._path,
    "data": ModuleInstance._data,
    "module": ModuleInstance._module,
}


def value_of(placed: Placed, scope: Scope) -> Value:
    """The value of an argument's expression."""
    return evaluate(placed.node.expression, placed.source, scope)


class _Repeated:
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


class CallScope(_Repeated):
    """One instance of a module call: the scope of its arguments, and the values of the called module's variables."""

    __slots__ = ("block",)

    def __init__(self, module: ModuleInstance, block: ConfigBlock, kind: Kind, element: Element | None) -> None:
        super().__init__(module, kind, element)
        self.block = block

    def variable(self, called: ModuleInstance, name: str) -> Value:
        """The value of a variable of the called module: the call's argument, else the default."""
        declaration = called.module.declared.variables.get(name)
        if declaration is None:
            return unknown(f"variable {name} is not declared")
        placed = self.block.arguments.get(name)
        given = None
        if placed is not None:
            given = traced(value_of(placed, self), Origin(placed.span, f"argument {name} of {called.address}"))
        return declared_value(declaration, given)


class ResourceInstance(_Repeated):
    """One instance of a resource or data source, and the scope of its arguments.

    Attributes:
        key: mode, type and name.
        block: what is written.
        exists: None when nobody knows whether it is made.
    """

    __slots__ = ("_memo", "block", "exists", "key")

    def __init__(
        self,
        module: ModuleInstance,
        key: ResourceKey,
        block: ConfigBlock,
        kind: Kind,
        element: Element | None,
        exists: Literal[True] | None,
    ) -> None:
        super().__init__(module, kind, element)
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
    made = {e.plain_key: ResourceInstance(module, key, block, rounds.kind, e, exists) for e in rounds.elements}
    return Expansion(rounds.kind, made, rounds.reason)


def call_instances(caller: ModuleInstance, name: str, block: ConfigBlock) -> Expansion[ModuleInstance | None]:
    """The instances of a module call; None where the called module cannot be read, or would call itself."""
    rounds = repetition(block, caller)
    folder = called_folder(caller.module.directory, block)
    module = caller.environment.load(folder) if folder is not None and folder not in caller.chain else None
    exists: Literal[True] | None = caller.exists if rounds.reason is None else None
    made: dict[Key, ModuleInstance | None] = {}
    elements: Sequence[Element | None] = (None,) if rounds.kind == "single" else rounds.elements
    for element in elements:
        key = element.plain_key if element else None
        if module is None:
            made[key] = None
            continue
        scope = CallScope(caller, block, rounds.kind, element)
        shown = element.shown_key if element else None
        address = caller.child_address(f"module.{name}{index_text(shown)}")
        made[key] = ModuleInstance(
            module, caller.environment, scope.variable, address=address, exists=exists, parent=caller
        )
    return Expansion(rounds.kind, made, rounds.reason)
