"""Views over configuration text: module trees with their resources, node pools, clusters, constraints and files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generator.hcl.instances import called_folder
from generator.hcl.lockfile import locked_providers
from generator.hcl.module import ConfigBlock, Mode, Module, repeated_arguments
from generator.hcl.module_files import ConfigFile
from generator.hcl.nodes import Attribute, Block
from generator.hcl.project import Project, Root
from generator.hcl.scope import Environment, ModuleInstance
from generator.hcl.scope_resources import ResourceInstance
from generator.hcl.source import Span
from generator.hcl.types import Type
from generator.hcl.values import Value, boolean, null, number, string
from generator.hcl.variables import RootVariables
from generator.schema import provider
from generator.schema.tree import BlockSchema
from generator.view.block import Block as BlockView
from generator.view.clusters import link
from generator.view.resource import Depth, Resource
from generator.view.text_blocks import TextData
from generator.view.text_lifecycle import ignored_changes, replace_triggers
from generator.view.text_providers import (
    bounds_of,
    by_default_provider,
    provider_of,
    requirements_of,
    source_of,
    source_without_host,
)
from generator.view.tree import LockEntry, ModuleTree, TextFile

# A tree with more resources or module instances is none that people write; what is called beyond them is left out.
MAX_SIZE = 5_000


class SchemaKnowledge:
    """What the provider's schema says about arguments that references ask for."""

    def argument_type(self, mode: Mode, type_: str, name: str) -> Type | None:
        """The type of an argument; of a block None."""
        schema = schema_of(mode, type_)
        argument = schema.arguments.get(name) if schema else None
        return argument.type if argument else None

    def takes_blocks(self, mode: Mode, type_: str, name: str) -> bool:
        """Whether the provider has blocks of that name and no argument."""
        schema = schema_of(mode, type_)
        return schema is not None and name in schema.blocks and name not in schema.arguments

    def unwritten(self, mode: Mode, type_: str, name: str) -> Value | None:
        """Null for an argument that the provider leaves alone, its default where it has one."""
        schema = schema_of(mode, type_)
        argument = schema.arguments.get(name) if schema and mode == "managed" else None
        if argument is None or argument.computed or not argument.optional:
            return None
        default = argument.default
        if default is None:
            return null()
        if isinstance(default, bool):
            return boolean(default)
        if isinstance(default, int):
            return number(default)
        return string(default) if isinstance(default, str) else None


def trees(project: Project, modules: Iterable[Path]) -> list[ModuleTree]:
    """The module trees that hold the modules asked for.

    Args:
        project: where callers are sought, and with what values.
        modules: absolute folders.

    Returns:
        One tree per root, and per reading where `.tofu` files make a difference and nobody says which program it is; none for
        modules that are not of interest.

    Raises:
        InputError: a variable file that somebody named cannot be read.
    """
    return [tree(project, root) for root in project.roots(modules)]


def tree(project: Project, root: Root) -> ModuleTree:
    """The tree of one root in one reading.

    Raises:
        InputError: a variable file that somebody named cannot be read.
    """
    return _TreeMaker(project, root).make()


class _TreeMaker:
    """Makes the tree of one root."""

    def __init__(self, project: Project, root: Root) -> None:
        self.project = project
        self.root = root
        self.found = ModuleTree(str(root.directory))
        self.seen: set[Path] = set()
        self.visits = 0

    def make(self) -> ModuleTree:
        """The tree."""
        project, root, found = self.project, self.root, self.found
        module = project.module(root.directory, root.reading)
        if module is None:
            return found
        options = project.options
        variables = RootVariables(
            root.directory,
            project.folder_names(root.directory),
            options.environment,
            options.settings(root.directory).var_files,
            options.arguments,
        )
        environment = Environment(root.directory, self._load, SchemaKnowledge())

        def inputs(instance: ModuleInstance, name: str) -> Value:
            return variables.value(instance.module.declared.variables.get(name), name)

        top = ModuleInstance(module, environment, inputs)
        self._read(module)
        for (name, alias), block in module.declared.providers.items():
            if not alias:
                found.providers[name] = BlockView(TextData(block, top, None, block.header, True))
        self._visit(top)
        found.files += [_text_file(file) for file in variables.files if file.parsed.problems]
        found.clusters, found.pools = link(found.resources)
        found.locks = [
            LockEntry(source_without_host(entry.address), entry.version, entry.span)
            for entry in locked_providers(root.directory)
        ]
        bounds = {source: bounds_of(found, source) for source in {r.provider for r in found.resources}}
        for resource in found.resources:
            resource.constraints, resource.locked = bounds[resource.provider]
        return found

    def _load(self, directory: Path) -> Module | None:
        return self.project.module(directory, self.root.reading)

    def _read(self, module: Module) -> None:
        """Takes in the files of a module and of all that it calls, however often they are called."""
        if module.directory in self.seen:
            return
        self.seen.add(module.directory)
        of_interest = self.project.of_interest(module.directory)
        self.found.files += [_text_file(file, of_interest) for file in module.files]
        self.found.complete = self.found.complete and not module.declared.broken
        for call in module.declared.calls.values():
            called = self._called(module, call)
            if called is None:
                self.found.complete = False
            elif self._matters(called):
                self._read(called)

    def _called(self, module: Module, call: ConfigBlock) -> Module | None:
        folder = called_folder(module.directory, call)
        return self._load(folder) if folder else None

    def _matters(self, module: Module) -> bool:
        """Whether a called module has anything to show; a constraint in it counts for the whole tree."""
        project, directory = self.project, module.directory
        return project.of_interest(directory) or project.mentions(directory, b"required_providers")

    def _visit(self, instance: ModuleInstance) -> None:
        """Takes in the resources and constraints of a module instance and of all that it calls."""
        module, found = instance.module, self.found
        self.visits += 1
        found.requirements += requirements_of(module, instance.address)
        for key in module.declared.resources:
            mode, type_, _ = key
            schema = schema_of(mode, type_)
            if schema is not None or type_ == provider.MANIFEST:
                made = instance.resource(key).instances.values()
                found.resources += [self._resource(resource, schema) for resource in made]
        for name, call in module.declared.calls.items():
            children = instance.calls(name).instances.values()
            if not children:
                self._constraints(self._called(module, call), instance.child_address(f"module.{name}"), instance.chain)
            for child in children:
                if child is None or max(self.visits, len(found.resources)) > MAX_SIZE:
                    found.complete = False
                    continue
                found.calls[child.address] = call.header
                if self._matters(child.module):
                    self._visit(child)

    def _resource(self, instance: ResourceInstance, schema: BlockSchema | None) -> Resource:
        mode, type_, name = instance.key
        block, module = instance.block, instance.module
        exists = instance.exists
        data = TextData(block, instance, schema, block.header, exists is True, top=True)
        return Resource(
            data,
            type_=type_,
            name=name,
            address=instance.address,
            module=module.address,
            provider=provider_of(module.module, block, type_),
            mode=mode,
            depth=Depth.TEXT,
            exists=exists,
            counted=instance.counted,
            ignored_changes=ignored_changes(block),
            replace_triggers=replace_triggers(block),
            defaults=self._defaults(module, block, type_),
        )

    def _defaults(self, instance: ModuleInstance, block: ConfigBlock, type_: str) -> BlockView | None:
        """The root's provider block that makes a resource; a module may call the provider by another name than the root."""
        if not self.found.providers or not by_default_provider(instance, block):
            return None
        source = provider_of(instance.module, block, type_)
        root = instance
        while root.parent is not None:
            root = root.parent
        blocks = self.found.providers.items()
        return next((block for name, block in blocks if source_of(root.module, name) == source), None)

    def _constraints(self, module: Module | None, address: str, chain: tuple[Path, ...]) -> None:
        """Takes in the constraints of a module of which no instance is made: they count all the same."""
        if module is None or module.directory in chain or not self._matters(module):
            return
        self.found.requirements += requirements_of(module, address)
        for name, call in module.declared.calls.items():
            called = self._called(module, call)
            self._constraints(called, f"{address}.module.{name}", (*chain, module.directory))


def _text_file(file: ConfigFile, of_interest: bool = True) -> TextFile:
    parsed, source = file.parsed, file.source
    found = [
        a for block in parsed.body.blocks for a in repeated_arguments(block.body) if not _is_json_block(file, block, a)
    ]
    repeated = tuple((a.name, Span(source, a.start, a.name_end)) for a in (*parsed.body.repeated, *found))
    return TextFile(source, tuple(parsed.problems), repeated, of_interest)


def _is_json_block(file: ConfigFile, block: Block, repeated: Attribute) -> bool:
    """Whether a property that occurs twice in JSON syntax stands for two blocks of a resource."""
    if file.path.suffix != ".json" or block.type not in ("resource", "data") or not block.labels:
        return False
    schema = schema_of("managed" if block.type == "resource" else "data", block.labels[0].text)
    return schema is not None and repeated.name in schema.blocks


def schema_of(mode: Mode, type_: str) -> BlockSchema | None:
    """What the provider takes in a resource or data source."""
    return provider.resource(type_) if mode == "managed" else provider.data(type_)
