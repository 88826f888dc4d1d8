"""What the rules about the provider's argument tree share: a walk over everything written, and what versions are possible.

They look at resources and data sources that hashicorp/google or hashicorp/google-beta makes; of another provider under those
names nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from generator.catalog import constraints, versions
from generator.catalog.constraints import Version, parse_version
from generator.rules.provider_needs import BETA, GOOGLE
from generator.view import Block, Resource, Span


@dataclass(frozen=True, slots=True)
class Part:
    """A written block of a resource, or the resource itself.

    Attributes:
        resource: what it belongs to.
        block: it.
        path: its path, "" for the resource itself.
    """

    resource: Resource
    block: Block
    path: str

    def path_of(self, name: str) -> str:
        """The path of an argument or block in it."""
        return f"{self.path}.{name}" if self.path else name

    @property
    def what(self) -> str:
        """It, for people."""
        return self.path.rpartition(".")[2] or self.resource.type


def parts(resource: Resource) -> Iterator[Part]:
    """A resource and all blocks written in it that the provider knows, outer ones first."""
    if resource.provider in (GOOGLE, BETA) and resource.schema is not None:
        yield from _within(Part(resource, resource, ""))


def _within(part: Part) -> Iterator[Part]:
    yield part
    schema = part.block.schema
    for name in part.block.names()[1] if schema else ():
        for inner in part.block.data.blocks(name):
            if inner.schema is not None:
                yield from _within(Part(part.resource, inner, part.path_of(name)))


@cache
def schema_version() -> Version:
    """The release that `Block.schema` was read off."""
    known = parse_version(versions.provider_known())
    assert known is not None
    return known


def is_beta(resource: Resource) -> bool:
    """Whether google-beta makes it, which may take more than hashicorp/google."""
    return resource.provider == BETA


def is_closed(resource: Resource) -> bool:
    """Whether constraints or lock file admit no provider that is newer than the schema that we know."""
    if is_beta(resource):
        return False
    locked = parse_version(resource.locked) if resource.locked else None
    if locked is not None:
        return locked.key <= schema_version().key
    every = [constraints.parse(text) for text in resource.constraints]
    together = [c for some in every if some for c in some]
    return bool(together) and not constraints.admits_above(together, schema_version())


def is_older(resource: Resource, version: str) -> bool:
    """Whether constraints or lock file admit only providers before a version."""
    first = parse_version(version)
    locked = parse_version(resource.locked) if resource.locked else None
    if first is None or locked is not None:
        return first is not None and locked is not None and locked.key < first.key
    every = [constraints.parse(text) for text in resource.constraints]
    together = [c for some in every if some for c in some]
    return bool(together) and not _reaches(together, first)


def _reaches(together: list[constraints.Constraint], first: Version) -> bool:
    return constraints.admits(together, first) or constraints.admits_above(together, first)


def header(block: Block, name: str) -> Span | None:
    """The header of the first block of a type, also of a `dynamic` that makes none."""
    found = block.headers(name)
    return found[0] if found else block.header
