"""A module with the values of one call, evaluated lazily: what a name in its expressions stands for.

Nothing here knows a provider; what an argument that is not written means comes from `Knowledge`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from generator.hcl.compose import object_of, open_object, step_name, traced
from generator.hcl.evaluate_base import Failure
from generator.hcl.instances import (
    Element,
    Expansion,
    Key,
    Kind,
    Looked,
    called_folder,
    index_text,
    repetition,
)
from generator.hcl.module import ConfigBlock, Mode, Module, Placed, ResourceKey
from generator.hcl.nodes import Step
from generator.hcl.scope_resources import Knowledge, ResourceInstance, Round, resource_instances, value_of
from generator.hcl.values import Origin, Value, string, unknown
from generator.hcl.variables import declared_value


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


class CallScope(Round):
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
