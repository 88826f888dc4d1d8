"""Nothing is written more often than Terraform and the provider take it.

## What it does
error: an argument is set twice in one block (of resources, locals, module calls, anything), or a block stands more often than
the provider takes it. The first one too many is pointed to. A key twice in a map is legal, and so is an override file.

## Why
Terraform refuses both.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2
  node_count = 4
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 4
}
```

## Fix
None: which of the two was meant is for a person to say.

## Source
- [Arguments and blocks](https://developer.hashicorp.com/terraform/language/syntax/configuration#arguments-and-blocks)
- [Schema of the provider](https://github.com/hashicorp/terraform-provider-google)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.rules.provider_schema import Part, parts
from generator.view import Block, Blocks, Resource, TextFile


def check(view: Resource | TextFile) -> Iterator[Problem]:
    """Arguments of a file, and blocks of a resource."""
    if isinstance(view, Resource):
        for part in parts(view):
            yield from _blocks(part)
    elif view.of_interest:
        for name, span in view.repeated:
            yield Problem(ERROR, f"{name} is already set in this block", f"Keep one {name}, remove the other.", span)


def _blocks(part: Part) -> Iterator[Problem]:
    schema = part.block.schema
    assert schema is not None
    for name in part.block.names()[1]:
        most = schema.blocks[name].max if name in schema.blocks else 0
        blocks = part.block.data.blocks(name)
        surplus = _certain(blocks, part)[most:] if most else []
        if surplus:
            number = "one block" if most == 1 else f"{most} blocks"
            message = f"{part.what} takes {number} {name}, this is one too many"
            first = blocks.items[0].header
            notes = scope.note(first if first != surplus[0].header else None, f"the first {name} is here")
            yield scope.problem(
                part.resource, ERROR, surplus[0].header, message, f"Keep one {name}, remove the others.", *notes
            )


def _certain(blocks: Blocks, part: Part) -> list[Block]:
    """The blocks that are there whenever the block around is."""
    if blocks.unknown is None:
        return list(blocks)
    return [b for b in blocks if b.certain and part.block.certain]


RULE = Rule(
    name="duplicate-argument",
    severities=(ERROR,),
    seeks=Resource | TextFile,
    check=check,
    summary="an argument or a block stands more often than it may",
    depths=frozenset({"text"}),
)
