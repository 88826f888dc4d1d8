"""A module: the configuration files of one folder, read when they are needed, with override files merged.

Merging is Terraform's: the arguments of an override replace those of the same name, its nested blocks replace all blocks of
the same type, `required_providers` merge entry by entry. What is merged keeps pointing into the file that it stands in, so a
block here is a pile of layers, each with its source.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal as OneOf
from typing import TypeVar

from generator.hcl.files import decoded
from generator.hcl.nodes import Attribute, Block, Body, File, Label, Literal, Node, SyntaxProblem, Template
from generator.hcl.parser import parse
from generator.hcl.source import Source, Span

Reading = OneOf["terraform", "tofu"]
Mode = OneOf["managed", "data"]
ResourceKey = tuple[Mode, str, str]

# The arguments of `lifecycle` that an override file can change; Terraform ignores the others there.
_LIFECYCLE_OVERRIDES = frozenset({"create_before_destroy", "ignore_changes", "prevent_destroy"})
_SUFFIXES = {".tf": "terraform", ".tf.json": "terraform", ".tofu": "tofu", ".tofu.json": "tofu"}


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


@dataclass(slots=True, eq=False)
class ConfigFile:
    """A configuration or variable file, read and parsed at most once.

    Attributes:
        path: absolute path.
        variables: it is a file of variable values.
    """

    path: Path
    variables: bool = False
    _content: bytes | None = field(default=None, repr=False)
    _source: Source | None = field(default=None, repr=False)
    _file: File | None = field(default=None, repr=False)
    _problem: str | None = field(default=None, repr=False)

    @property
    def content(self) -> bytes:
        """Its bytes; empty when it cannot be read (`parsed` then says so)."""
        if self._content is None:
            try:
                self._content = self.path.read_bytes()
            except OSError as error:
                self._content = b""
                self._problem = f"the file cannot be read: {error.strerror}"
        return self._content

    @property
    def source(self) -> Source:
        """Its text."""
        if self._source is None:
            self._source = decoded(self.path, self.content)
        return self._source

    @property
    def parsed(self) -> File:
        """Its nodes and problems."""
        if self._file is None:
            self._file = self._parse()
        return self._file

    def _parse(self) -> File:
        source = self.source
        if self._problem is not None:
            return File(Body(0, 0), [SyntaxProblem(0, 0, self._problem)])
        if self.path.suffix != ".json":
            return parse(source)
        # Few folders have JSON syntax, and its reader takes time to load.
        from generator.hcl.json_syntax import parse_json, parse_variables_json

        return parse_variables_json(source) if self.variables else parse_json(source)


def file_kind(name: str) -> tuple[str, str] | None:
    """The stem and the suffix (`.tf`, `.tf.json`, `.tofu`, `.tofu.json`) of a configuration file's name, None for other files."""
    if name.startswith((".", "#")) or name.endswith(("~", "#")):
        return None
    stem, dot, rest = name.rpartition(".")
    if rest == "json":
        stem, dot, rest = stem.rpartition(".")
        rest += ".json"
    suffix = dot + rest
    return (stem, suffix) if suffix in _SUFFIXES else None


def chosen_files(names: Sequence[str], reading: Reading) -> list[str]:
    """The names of the configuration files that a program reads, in its order: override files last.

    OpenTofu reads both kinds, and `x.tofu` in place of `x.tf`; Terraform does not see `.tofu`.
    """
    kinds = {name: kind for name in names if (kind := file_kind(name))}
    chosen = []
    for name in sorted(kinds):
        stem, suffix = kinds[name]
        if reading == "terraform" and _SUFFIXES[suffix] == "tofu":
            continue
        if reading == "tofu" and suffix.startswith(".tf") and stem + suffix.replace(".tf", ".tofu", 1) in kinds:
            continue
        chosen.append(name)
    return [n for n in chosen if not is_override(n)] + [n for n in chosen if is_override(n)]


def is_override(name: str) -> bool:
    """Whether a configuration file of that name overrides others."""
    kind = file_kind(name)
    return kind is not None and (kind[0] == "override" or kind[0].endswith("_override"))


class Module:
    """One folder in one reading.

    Attributes:
        directory: absolute path.
        files: in the order in which they count, override files last.
        resources: resources and data sources.
        variables, outputs, calls, locals: by name.
        providers: provider blocks by local name and alias ("" for the default configuration).
        requirements: entries of `required_providers` by local name.
        broken: a file has something that could not be read, so a declaration may be missing.
    """

    def __init__(self, directory: Path, files: Sequence[ConfigFile]) -> None:
        self.directory = directory
        self.files = tuple(files)
        self.resources: dict[ResourceKey, ConfigBlock] = {}
        self.variables: dict[str, ConfigBlock] = {}
        self.outputs: dict[str, ConfigBlock] = {}
        self.calls: dict[str, ConfigBlock] = {}
        self.locals: dict[str, Placed] = {}
        self.providers: dict[tuple[str, str], ConfigBlock] = {}
        self.requirements: dict[str, Placed] = {}
        self.broken = False
        for file in self.files:
            parsed = file.parsed
            self.broken = self.broken or bool(parsed.problems)
            override = is_override(file.path.name)
            for block in parsed.body.blocks:
                self._add(file.source, block, override)

    def _add(self, source: Source, block: Block, override: bool) -> None:
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


# Block types with one label, and the table of `Module` that holds them.
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
