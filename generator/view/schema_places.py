"""Where the provider's schema has an argument or block of some name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Literal

from generator.schema import provider
from generator.schema.tree import BlockSchema


@cache
def places(mode: Literal["managed", "data"], type_: str) -> Mapping[str, tuple[str, ...]]:
    """The paths of everything that may be written in a resource or data source, by name, those near the top first."""
    schema = provider.resource(type_) if mode == "managed" else provider.data(type_)
    found: dict[str, list[str]] = {}
    for path in _paths(schema, "") if schema else ():
        found.setdefault(path.rpartition(".")[2], []).append(path)
    return {name: tuple(sorted(paths, key=lambda p: (p.count("."), p))) for name, paths in found.items()}


def _paths(schema: BlockSchema, prefix: str) -> Iterator[str]:
    for name, argument in schema.arguments.items():
        if argument.required or argument.optional:
            yield prefix + name
    for name, inner in schema.blocks.items():
        if name != "timeouts":
            yield prefix + name
            yield from _paths(inner, f"{prefix}{name}.")


@cache
def types_with(name: str) -> tuple[str, ...]:
    """The resource types that take an argument or block of that name at their top."""
    types = sorted(provider.resource_types())
    return tuple(t for t in types if name in places("managed", t) and name in places("managed", t)[name])
