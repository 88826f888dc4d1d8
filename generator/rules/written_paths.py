"""Whether what the provider's schema names by a path (`ip_allocation_policy.0.cluster_ipv4_cidr_block`) is written, and where."""

from __future__ import annotations

from generator.view import Block, Resource, Span


def is_written(resource: Resource, path: str) -> bool | None:
    """Whether an argument (not null) or a block is there; None when that is not known.

    Args:
        resource: what the path begins in.
        path: as the provider writes it, `.0.` after the name of a block.
    """
    at = _holder(resource, path)
    if at is None or isinstance(at, bool):
        return at
    block, name = at
    argument = block.data.argument(name)
    if argument is not None and not (block.schema is not None and name in block.schema.blocks):
        return None if argument.value.is_unknown else not argument.value.is_null
    blocks = block.data.blocks(name)
    if blocks.unknown is not None:
        return None
    return len(blocks) > 0


def place(resource: Resource, path: str) -> Span | None:
    """Where it is written: an argument's expression, a block's header."""
    at = _holder(resource, path)
    if at is None or isinstance(at, bool):
        return None
    block, name = at
    argument = block.data.argument(name)
    if argument is not None and argument.span is not None and not block.data.blocks(name).items:
        return argument.span
    found = block.headers(name)
    return found[0] if found else block.header


def _holder(resource: Resource, path: str) -> tuple[Block, str] | bool | None:
    """The block that would hold the last name; False when that is not there, None when that is not known."""
    *before, last = (name for name in path.split(".") if not name.isdecimal())
    at: Block = resource
    for name in before:
        inner = at.data.blocks(name)
        if inner.unknown is not None:
            return None
        if not inner.items:
            return False
        at = inner.items[0]
    return at, last
