"""Views over configuration text: module trees with their resources, node pools, clusters, constraints and files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generator.hcl.lockfile import locked_providers
from generator.hcl.module import Mode, Module, repeated_arguments
from generator.hcl.module_files import ConfigFile
from generator.hcl.project import Project, Root
from generator.hcl.scope import Environment, ModuleInstance, ResourceInstance
from generator.hcl.source import Span
from generator.hcl.types import Type
from generator.hcl.values import Value, boolean, null, number, string
from generator.hcl.variables import RootVariables
from generator.schema import provider
from generator.schema.tree import BlockSchema
from generator.view.block import Block
from generator.view.clusters import link
from generator.view.resource import Depth, Resource
from generator.view.text_blocks import TextData
from generator.view.text_lifecycle import ignored_changes, replace_triggers
from generator.view.text_providers import by_default_provider, provider_of, requirements_of, source_without_host
from generator.view.tree import LockEntry, ModuleTree, TextFile


class SchemaKnowledge:
    """What the provider's schema says about arguments that references ask for."""

    def argument_type(self, mode: Mode, type_: str, name: str) -> Type | None:
        """The type of an argument; of a block None."""
        schema = schema_of(mode, type_)
        argument = schema.arguments.get(name) if schema else None
        return argument.type if argument else None

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
        self._visit(top)
        found.files += [_text_file(file) for file in variables.files if file.parsed.problems]
        found.clusters, found.pools = link(found.resources)
        found.locks = [
            LockEntry(source_without_host(entry.address), entry.version, entry.span)
            for entry in locked_providers(root.directory)
        ]
        for (name, alias), block in module.declared.providers.items():
            if not alias:
                found.providers[name] = Block(TextData(block, top, None, block.header, True))
        return found

    def _load(self, directory: Path) -> Module | None:
        return self.project.module(directory, self.root.reading)

    def _matters(self, child: ModuleInstance) -> bool:
        """Whether a called module has anything to show; a constraint in it counts for the whole tree."""
        directory = child.module.directory
        return self.project.of_interest(directory) or self.project.mentions(directory, b"required_providers")

    def _visit(self, instance: ModuleInstance) -> None:
        module, found = instance.module, self.found
        found.complete = found.complete and not module.declared.broken
        found.requirements += requirements_of(instance)
        if module.directory not in self.seen:
            self.seen.add(module.directory)
            of_interest = self.project.of_interest(module.directory)
            found.files += [_text_file(file, of_interest) for file in module.files]
        for mode, type_, name in module.declared.resources:
            schema = schema_of(mode, type_)
            if schema is not None or type_ == provider.MANIFEST:
                for resource in instance.resource((mode, type_, name)).instances.values():
                    found.resources.append(_resource(resource, schema))
        for name, call in module.declared.calls.items():
            for child in instance.calls(name).instances.values():
                if child is None:
                    found.complete = False
                else:
                    found.calls[child.address] = call.header
                    if self._matters(child):
                        self._visit(child)


def _resource(instance: ResourceInstance, schema: BlockSchema | None) -> Resource:
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
        ignored_changes=ignored_changes(block),
        replace_triggers=replace_triggers(block),
        default_provider=by_default_provider(module, block),
    )


def _text_file(file: ConfigFile, of_interest: bool = True) -> TextFile:
    parsed, source = file.parsed, file.source
    repeated = tuple((a.name, Span(source, a.start, a.name_end)) for a in repeated_arguments(parsed.body))
    return TextFile(source, tuple(parsed.problems), repeated, of_interest)


def schema_of(mode: Mode, type_: str) -> BlockSchema | None:
    """What the provider takes in a resource or data source."""
    return provider.resource(type_) if mode == "managed" else provider.data(type_)
