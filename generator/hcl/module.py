"""A module: the configuration files of one folder, read when they are needed, with override files merged.

Merging is Terraform's: the arguments of an override replace those of the same name, its nested blocks replace all blocks of
the same type, `required_providers` merge entry by entry. What is merged keeps pointing into the file that it stands in, so a
block here is a pile of layers, each with its source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal as OneOf
from typing import TypeVar

from generator.hcl.module_files import ConfigFile, Reading, chosen_files, is_override
from generator.hcl.nodes import Attribute, Block, Body, Label, Literal, Node, Template
from generator.hcl.source import Source, Span

Mode = OneOf["managed", "data"]
ResourceKey = tuple[Mode, str, str]

# The arguments of `lifecycle` that an override file can change; Terraform ignores the others there.
_LIFECYCLE_OVERRIDES = frozenset({"create_before_destroy", "ignore_changes", "prevent_destroy"})


@dataclass(frozen=True, slots=True)
class Placed:
    """An argument and the source that it stands in."""

    source: Source
    node: Attribute

    @property
    def span(self) -> Span:
        """Its expression."""
        return Span(self.source, self.node.expression.start, self.node.expression.end)

    @property
    def name_span(self) -> Span:
        """Its name."""
        return Span(self.source, self.node.start, self.node.name_end)


@dataclass(slots=True, eq=False)
class ConfigBlock:
    """A block as it counts: the one that is written first, and what override files put on top of it.

    Attributes:
        layers: sources and blocks, the base first.
    """

    layers: tuple[tuple[Source, Block], ...]
    _arguments: dict[str, Placed] | None = field(default=None, repr=False)
    _blocks: list[ConfigBlock] | None = field(default=None, repr=False)

    @property
    def source(self) -> Source:
        """The source of the base."""
        return self.layers[0][0]

    @property
    def node(self) -> Block:
        """The base."""
        return self.layers[0][1]

    @property
    def type(self) -> str:
        """Its block type."""
        return self.layers[0][1].type

    @property
    def labels(self) -> tuple[Label, ...]:
        """Its labels."""
        return self.layers[0][1].labels

    @property
    def header(self) -> Span:
        """From the first letter of its type to the end of its last label."""
        source, node = self.layers[0]
        return Span(source, node.start, node.header_end)

    @property
    def arguments(self) -> dict[str, Placed]:
        """The arguments that count, by name."""
        found = self._arguments
        if found is None:
            found = {}
            for source, block in self.layers:
                # Blocks of an override take the place of an argument that stands for blocks, and the other way round.
                for inner in block.body.blocks if found else ():
                    found.pop(made_type(inner), None)
                found.update((name, Placed(source, a)) for name, a in block.body.attributes.items())
            self._arguments = found
        return found

    def assigned(self, name: str) -> list[Placed]:
        """The argument of that name, and in JSON syntax the further ones: blocks of a type can be given so."""
        placed = self.arguments.get(name)
        if placed is None:
            return []
        bodies = [block.body for source, block in self.layers if source is placed.source]
        return [placed, *(Placed(placed.source, a) for body in bodies for a in body.repeated if a.name == name)]

    @property
    def blocks(self) -> list[ConfigBlock]:
        """The nested blocks that count, in order; `dynamic` blocks as they are."""
        found = self._blocks
        if found is None:
            (source, base), *overrides = self.layers
            found = [ConfigBlock(((source, b),)) for b in base.body.blocks]
            for over_source, over in overrides:
                found = _override_blocks(found, over_source, over.body)
            self._blocks = found
        return found

    def with_override(self, source: Source, block: Block) -> ConfigBlock:
        """The same block with one more layer."""
        return ConfigBlock((*self.layers, (source, block)))


def made_type(block: Block) -> str:
    """The type of the block that is written, or that a `dynamic` makes."""
    return block.labels[0].text if block.type == "dynamic" and block.labels else block.type


def _override_blocks(found: list[ConfigBlock], source: Source, body: Body) -> list[ConfigBlock]:
    replaced = ({made_type(b) for b in body.blocks} | body.attributes.keys()) - {"lifecycle"}
    kept = [b for b in found if made_type(b.node) not in replaced]
    for block in body.blocks:
        at = next((i for i, b in enumerate(kept) if b.type == "lifecycle"), None) if block.type == "lifecycle" else None
        if at is None:
            kept.append(ConfigBlock(((source, block),)))
        else:
            attributes = {n: a for n, a in block.body.attributes.items() if n in _LIFECYCLE_OVERRIDES}
            inner = Body(block.body.start, block.body.end, attributes)
            kept[at] = kept[at].with_override(
                source, Block(block.start, block.end, block.type, block.labels, block.header_end, inner)
            )
    return kept


@dataclass(slots=True)
class Declarations:
    """What a module declares, override files merged.

    Attributes:
        resources: resources and data sources.
        variables: by name, as are outputs, calls of modules and locals.
        providers: provider blocks by local name and alias ("" for the default configuration).
        requirements: entries of `required_providers` by local name.
        broken: a file has something that could not be read, so a declaration may be missing.
    """

    resources: dict[ResourceKey, ConfigBlock] = field(default_factory=dict)
    variables: dict[str, ConfigBlock] = field(default_factory=dict)
    outputs: dict[str, ConfigBlock] = field(default_factory=dict)
    calls: dict[str, ConfigBlock] = field(default_factory=dict)
    locals: dict[str, Placed] = field(default_factory=dict)
    providers: dict[tuple[str, str], ConfigBlock] = field(default_factory=dict)
    requirements: dict[str, Placed] = field(default_factory=dict)
    broken: bool = False

    def add(self, source: Source, block: Block, override: bool) -> None:
        """Take in a top-level block."""
        names = tuple(label.text for label in block.labels)
        if block.type in ("resource", "data") and len(names) == 2:
            mode: Mode = "managed" if block.type == "resource" else "data"
            _put(self.resources, (mode, *names), source, block, override)
        elif block.type in _NAMED and len(names) == 1:
            _put(getattr(self, _NAMED[block.type]), names[0], source, block, override)
        elif block.type == "provider" and len(names) == 1:
            _put(self.providers, (names[0], _alias(block)), source, block, override)
        elif block.type == "locals":
            for name, attribute in block.body.attributes.items():
                if override or name not in self.locals:
                    self.locals[name] = Placed(source, attribute)
        elif block.type == "terraform":
            for inner in block.body.blocks:
                if inner.type == "required_providers":
                    self.requirements.update((n, Placed(source, a)) for n, a in inner.body.attributes.items())


@dataclass(slots=True, eq=False)
class Module:
    """One folder in one reading; its files are parsed when its declarations are asked for.

    Attributes:
        directory: absolute path.
        files: in the order in which they count, override files last.
    """

    directory: Path
    files: tuple[ConfigFile, ...]
    _declared: Declarations | None = field(default=None, repr=False)

    @property
    def declared(self) -> Declarations:
        """What it declares."""
        found = self._declared
        if found is None:
            found = self._declared = Declarations()
            for file in self.files:
                parsed = file.parsed
                found.broken = found.broken or bool(parsed.problems)
                override = is_override(file.path.name)
                for block in parsed.body.blocks:
                    found.add(file.source, block, override)
        return found


def module_at(directory: Path, reading: Reading) -> Module:
    """The module of a folder in one reading.

    Raises:
        OSError: the folder cannot be listed.
    """
    names = sorted(path.name for path in directory.iterdir() if path.is_file())
    return Module(directory, tuple(ConfigFile(directory / name) for name in chosen_files(names, reading)))


# Block types with one label, and the table of `Declarations` that holds them.
_NAMED = {"variable": "variables", "output": "outputs", "module": "calls"}

K = TypeVar("K")


def _put(table: dict[K, ConfigBlock], key: K, source: Source, block: Block, override: bool) -> None:
    # Terraform refuses a second block of a name, and an override of nothing; what is there already counts.
    base = table.get(key)
    if override and base is not None:
        table[key] = base.with_override(source, block)
    elif not override and base is None:
        table[key] = ConfigBlock(((source, block),))


def _alias(block: Block) -> str:
    attribute = block.body.attributes.get("alias")
    text = literal_text(attribute.expression) if attribute else None
    return text or ""


def literal_text(node: Node) -> str | None:
    """The text of a quoted string without interpolation, None for any other expression."""
    if isinstance(node, Template):
        parts = node.parts
        if all(isinstance(p, Literal) for p in parts):
            return "".join(p.value for p in parts if isinstance(p, Literal) and isinstance(p.value, str))
    return None


def repeated_arguments(body: Body) -> Iterator[Attribute]:
    """The arguments that are set again in their block, at any depth, block by block."""
    yield from body.repeated
    for block in body.blocks:
        yield from repeated_arguments(block.body)
