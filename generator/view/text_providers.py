"""Which provider a resource is made by, and which versions of it a module takes."""

from __future__ import annotations

from collections.abc import Iterator

from generator.hcl.module import ConfigBlock, Module, Placed, literal_text
from generator.hcl.nodes import KeyName, Node, Object, ScopeTraversal
from generator.hcl.scope import ModuleInstance
from generator.hcl.source import Span
from generator.view.tree import ModuleTree, Requirement

_DEFAULT_NAMESPACE = "hashicorp"


def source_without_host(address: str) -> str:
    """A provider's source address without the registry's host: `hashicorp/google`."""
    parts = address.lower().split("/")
    return "/".join(parts[-2:]) if len(parts) > 1 else f"{_DEFAULT_NAMESPACE}/{parts[0]}"


def provider_of(module: Module, block: ConfigBlock, type_: str) -> str:
    """The source address of the provider of a resource or data source."""
    placed = block.arguments.get("provider")
    name = _local_name(placed.node.expression) if placed else None
    return source_of(module, name or type_.partition("_")[0])


def by_default_provider(instance: ModuleInstance, block: ConfigBlock) -> bool:
    """Whether the root's default provider configuration is known to make a resource of this module instance."""
    placed = block.arguments.get("provider")
    if placed is not None and not _is_bare(placed.node.expression):
        return False
    while instance.parent is not None:
        call = instance.parent.module.declared.calls.get(_call_name(instance.address))
        if call is None or "providers" in call.arguments or instance.module.declared.providers:
            return False
        instance = instance.parent
    return True


def _call_name(address: str) -> str:
    return address.rpartition("module.")[2].partition("[")[0]


def _is_bare(node: Node) -> bool:
    """Whether it names a provider without an alias."""
    if isinstance(node, ScopeTraversal):
        return not node.steps
    text = literal_text(node)
    return text is not None and "." not in text


def source_of(module: Module, local_name: str) -> str:
    """The source address that a module's name for a provider means."""
    placed = module.declared.requirements.get(local_name)
    entry = placed.node.expression if placed else None
    written = _item(entry, "source") if isinstance(entry, Object) else None
    text = literal_text(written) if written else None
    return source_without_host(text or local_name)


def requirements_of(module: Module, address: str) -> Iterator[Requirement]:
    """The version constraints that a module writes, in `required_providers` and in provider blocks.

    Args:
        module: the module.
        address: of the instance, "" for the root.
    """
    for name, placed in module.declared.requirements.items():
        entry = placed.node.expression
        version = _item(entry, "version") if isinstance(entry, Object) else entry
        yield _requirement(module, address, name, placed, version)
    for (name, _), block in module.declared.providers.items():
        written = block.arguments.get("version")
        if written is not None:
            yield _requirement(module, address, name, written, written.node.expression)


def _requirement(module: Module, address: str, name: str, placed: Placed, version: Node | None) -> Requirement:
    source = source_of(module, name)
    if version is None:
        entry = Span(placed.source, placed.node.start, placed.node.end)
        return Requirement(address, name, source, None, entry)
    constraint = literal_text(version)
    return Requirement(address, name, source, constraint, Span(placed.source, version.start, version.end))


def _local_name(node: Node) -> str | None:
    """The first name of `google-beta.east`, also where it stands in quotes."""
    if isinstance(node, ScopeTraversal):
        return node.root
    text = literal_text(node)
    return text.partition(".")[0] if text else None


def _item(node: Node, name: str) -> Node | None:
    for item in node.items if isinstance(node, Object) else ():
        key = item.key.name if isinstance(item.key, KeyName) else literal_text(item.key)
        if key == name:
            return item.value
    return None


def bounds_of(tree: ModuleTree, source: str) -> tuple[tuple[str, ...], str | None]:
    """What limits the version of a provider in a tree: the texts of all constraints, and the locked version."""
    texts = tuple(r.constraint for r in tree.requirements if r.source == source and r.constraint is not None)
    return texts, next((lock.version for lock in tree.locks if lock.source == source), None)
