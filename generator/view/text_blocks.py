"""Blocks of configuration text: `BlockData` over what is written, with `dynamic` blocks made and values converted."""

from __future__ import annotations

from dataclasses import replace

from generator.hcl.convert import Mismatch, convert
from generator.hcl.evaluate import Scope
from generator.hcl.instances import Nested, block_types, nested_blocks
from generator.hcl.module import ConfigBlock, Placed, made_type
from generator.hcl.scope_resources import META_ARGUMENTS, META_BLOCKS, value_of
from generator.hcl.source import Span
from generator.schema.tree import BlockSchema
from generator.view.answers import Unknown
from generator.view.block import Argument, Block, BlockData, Blocks, Misfit
from generator.view.convert import element_answer, is_sensitive


class TextData(BlockData):
    """A block of configuration text in the scope that its expressions are evaluated in.

    Args:
        body: what is written, override files merged.
        scope: what names in it stand for.
        schema: what the provider takes in it, None where we have none.
        header: its header.
        certain: False when nobody knows whether it is there.
        top: it is a whole resource, so Terraform's own arguments are left out.
    """

    __slots__ = ("_arguments", "_blocks", "body", "certain", "header", "schema", "scope", "top")

    def __init__(
        self,
        body: ConfigBlock,
        scope: Scope,
        schema: BlockSchema | None,
        header: Span,
        certain: bool,
        *,
        top: bool = False,
    ) -> None:
        self.body = body
        self.scope = scope
        self.schema: BlockSchema | None = schema
        self.header: Span | None = header
        self.certain = certain
        self.top = top
        self._arguments: dict[str, Argument | None] = {}
        self._blocks: dict[str, Blocks] = {}

    def argument(self, name: str) -> Argument | None:
        """See `BlockData.argument`."""
        if name not in self._arguments:
            placed = self.body.arguments.get(name)
            hidden = placed is None or self._is_json_block(name) or (self.top and name in META_ARGUMENTS)
            self._arguments[name] = None if hidden or placed is None else self._argument(name, placed)
        return self._arguments[name]

    def _argument(self, name: str, placed: Placed) -> Argument:
        known = self.schema.arguments.get(name) if self.schema else None
        written = value_of(placed, self.scope)
        result = written if known is None else convert(written, known.type)
        secret = known is not None and known.sensitive
        if isinstance(result, Mismatch):
            part = replace(result.value, sensitive=True) if secret or is_sensitive(written) else result.value
            misfit = Misfit(result.reason, element_answer(part, placed.span))
            return Argument(name, written, placed.span, placed.name_span, misfit)
        value = replace(result, sensitive=True) if secret else result
        return Argument(name, value, placed.span, placed.name_span)

    def blocks(self, name: str) -> Blocks:
        """See `BlockData.blocks`."""
        found = self._blocks.get(name)
        if found is None:
            found = self._blocks[name] = self._make_blocks(name)
        return found

    def _make_blocks(self, name: str) -> Blocks:
        if self.top and name in META_BLOCKS:
            return Blocks((), None, self.header)
        schema = self.schema.blocks.get(name) if self.schema else None
        nested = nested_blocks(self.body, self.scope, name, self.certain, as_argument=self._names_block(name))
        items = [Block(TextData(i.block, i.scope, schema, i.header, i.certain)) for i in nested.items]
        unknown = _unknown_number(nested, name)
        return Blocks(tuple(items), unknown, self.header)

    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """See `BlockData.names`; in native syntax what is written as an argument is one, also where a block is needed."""
        written = [n for n in self.body.arguments if not (self.top and n in META_ARGUMENTS)]
        blocks = dict.fromkeys(t for t in block_types(self.body) if not (self.top and t in META_BLOCKS))
        blocks |= dict.fromkeys(n for n in written if self._is_json_block(n))
        return tuple(n for n in written if not self._is_json_block(n)), tuple(blocks)

    def headers(self, name: str) -> tuple[Span, ...]:
        """See `BlockData.headers`."""
        written = [b.header for b in self.body.blocks if made_type(b.node) == name]
        return (*written, *(p.name_span for p in self.body.assigned(name)))

    def _names_block(self, name: str) -> bool:
        """Whether the provider takes blocks of that name and no argument."""
        schema = self.schema
        return schema is not None and name in schema.blocks and name not in schema.arguments

    def _is_json_block(self, name: str) -> bool:
        """Whether a property in JSON syntax stands for blocks."""
        placed = self.body.arguments.get(name)
        return placed is not None and placed.source.path.suffix == ".json" and self._names_block(name)


def _unknown_number(nested: Nested, name: str) -> Unknown | None:
    return None if nested.reason is None else Unknown(f"the number of {name} blocks: {nested.reason}", nested.span)
