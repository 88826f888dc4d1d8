"""The modules that a root module calls, as far as they lie on this machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generator.hcl.instances import local_folder
from generator.hcl.module import ConfigBlock, Module, Placed, literal_text, module_at
from generator.hcl.module_files import Reading

_MANIFEST = Path(".terraform/modules/modules.json")


@dataclass(frozen=True, slots=True)
class Call:
    """A module call whose module cannot be found here.

    Attributes:
        block: the call.
        source: its source address; None when it is no literal.
        placed: where the source is written; None when it is not.
    """

    block: ConfigBlock
    source: str | None
    placed: Placed | None


@dataclass(frozen=True, slots=True)
class Tree:
    """A root module and all that it calls.

    Attributes:
        modules: each folder once, the root first.
        missing: calls that lead to nothing on this machine.
    """

    modules: tuple[Module, ...]
    missing: tuple[Call, ...]


def read_tree(directory: Path, reading: Reading) -> Tree:
    """Read a root module and the modules that it calls.

    Args:
        directory: the root module's folder, absolute; modules that `init` has fetched are looked up in its `.terraform`.
        reading: the program that will read it.
    """
    installed = _installed(directory)
    modules: dict[Path, Module] = {}
    missing: list[Call] = []
    waiting: list[tuple[Path, str]] = [(directory, "")]
    visited: set[tuple[Path, str]] = set()
    while waiting:
        at = waiting.pop(0)
        folder, key = at
        if at in visited:
            continue
        visited.add(at)
        module = modules.get(folder) or module_at(folder, reading)
        modules[folder] = module
        for name, block in module.declared.calls.items():
            called = f"{key}.{name}" if key else name
            found = _called(folder, block, installed.get(called))
            if isinstance(found, Call):
                missing.append(found)
            # A module that calls itself has no end; Terraform says so.
            elif key.count(".") < len(modules) + 1:
                waiting.append((found, called))
    return Tree(tuple(modules.values()), tuple(missing))


def _called(folder: Path, block: ConfigBlock, installed: Path | None) -> Path | Call:
    placed = block.arguments.get("source")
    source = literal_text(placed.node.expression) if placed else None
    if source is not None:
        local = Path(source) if Path(source).is_absolute() else local_folder(folder, source)
        found = local or installed
        if found is not None and found.is_dir():
            return found
    return Call(block, source, placed)


def _installed(directory: Path) -> dict[str, Path]:
    try:
        entries = json.loads((directory / _MANIFEST).read_bytes())["Modules"]
        return {str(entry["Key"]): directory / entry["Dir"] for entry in entries}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def nested(block: ConfigBlock) -> Iterator[ConfigBlock]:
    """A block and all blocks in it."""
    yield block
    for inner in block.blocks:
        yield from nested(inner)
