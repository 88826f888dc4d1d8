"""Taking protection off in the copy, so that a rehearsal can end with a destroy: only there, and never in the user's folder."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from generator.hcl.module import ConfigBlock, Module
from generator.hcl.nodes import Literal
from generator.rehearsal.isolation import OVERRIDE, Copy
from generator.rehearsal.names import CLUSTER
from generator.terraform.planned import PlannedChange


def protected(changes: Sequence[PlannedChange]) -> list[str]:
    """The addresses of planned clusters that Terraform could not destroy."""
    found = []
    for change in changes:
        after = change.data.get("change", {}).get("after") or {}
        if change.type == CLUSTER and change.mode == "managed" and after.get("deletion_protection") is not False:
            found.append(change.address)
    return found


def prevented(modules: Iterable[Module]) -> list[str]:
    """The resources, as `type.name`, whose `lifecycle` forbids their destruction."""
    return [f"{type_}.{name}" for module in modules for type_, name, block in _managed(module) if _prevents(block)]


def take_off(made: Copy, modules: Iterable[Module]) -> None:
    """Override, in the copy of each module, what stands against a destroy."""
    for module in modules:
        lines = []
        for type_, name, block in _managed(module):
            body = ["  deletion_protection = false"] if type_ == CLUSTER else []
            if _prevents(block):
                body.append("  lifecycle {\n    prevent_destroy = false\n  }")
            if body:
                lines.append("\n".join([f'resource "{type_}" "{name}" {{', *body, "}", ""]))
        if lines:
            file = made.of(module.directory) / OVERRIDE
            before = file.read_text("utf-8") if file.exists() else ""
            file.write_text(before + "".join(lines), "utf-8")


def _managed(module: Module) -> Iterator[tuple[str, str, ConfigBlock]]:
    for (mode, type_, name), block in module.declared.resources.items():
        if mode == "managed":
            yield type_, name, block


def _prevents(block: ConfigBlock) -> bool:
    for inner in block.blocks:
        placed = inner.arguments.get("prevent_destroy") if inner.type == "lifecycle" else None
        value = placed.node.expression if placed else None
        if isinstance(value, Literal) and value.value is True:
            return True
    return False
