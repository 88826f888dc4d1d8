"""Every argument and block that the provider requires is written.

## What it does
error: a resource or data source of the Google provider, or a block in it, lacks an argument or a block that the provider
requires there; or has none of several of which one is required. `null` counts as not written.

## Why
`terraform validate` stops at it, and inside a module only when the module is called.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    taint {
      key   = "nvidia.com/gpu"
      value = "present"
    }
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    taint {
      key    = "nvidia.com/gpu"
      value  = "present"
      effect = "NO_SCHEDULE"
    }
  }
}
```

## Fix
None: the value is for a person to say.

## Source
- [Schema of the provider](https://github.com/hashicorp/terraform-provider-google)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.rules.provider_schema import Part, parts
from generator.rules.written_paths import is_written
from generator.view import Resource, Span


def check(resource: Resource) -> Iterator[Problem]:
    """Every block of a resource."""
    for part in parts(resource):
        yield from _arguments(part)
        yield from _blocks(part)
        yield from _groups(part)


def _arguments(part: Part) -> Iterator[Problem]:
    schema = part.block.schema
    assert schema is not None
    for name, argument in schema.arguments.items():
        if argument.required:
            written = part.block.data.argument(name)
            if written is None:
                yield _problem(part, part.block.header, f"{part.what} lacks {name}, which is required", name)
            elif written.value.is_null:
                yield _problem(part, written.span, f"{name} is null, but {part.what} requires it", name)


def _blocks(part: Part) -> Iterator[Problem]:
    schema = part.block.schema
    assert schema is not None
    for name, inner in schema.blocks.items():
        wanted = max(inner.min, 1 if inner.required else 0)
        count = part.block.data.blocks(name).count if wanted else None
        if count is not None and count < wanted:
            number = "a block" if wanted == 1 else f"{wanted} blocks"
            message = f"{part.what} lacks {number} {name}, which is required"
            yield Problem(
                ERROR, message, f"Write a block {name} {{ … }} in it.", part.block.header, part.resource.address
            )


def _groups(part: Part) -> Iterator[Problem]:
    """Of several of which one is required none is written; told once, at the block around."""
    schema = part.block.schema
    assert schema is not None
    told: set[Sequence[str]] = set()
    arguments, blocks = schema.arguments.values(), schema.blocks.values()
    groups = [g for a in arguments for g in (a.exactly_one_of, a.at_least_one_of)]
    groups += [g for b in blocks for g in (b.exactly_one_of, b.at_least_one_of)]
    for group in groups:
        key = tuple(sorted(group))
        if group and key not in told and all(is_written(part.resource, path) is False for path in group):
            told.add(key)
            names = ", ".join(path.replace(".0.", ".") for path in key)
            message = f"{part.what} has none of {names}, of which one is required"
            yield Problem(ERROR, message, f"Write one of {names}.", part.block.header, part.resource.address)


def _problem(part: Part, at: Span | None, message: str, name: str) -> Problem:
    return scope.problem(part.resource, ERROR, at, message, f"Write {name} = … in {part.what}.")


RULE = Rule(
    name="missing-argument",
    severities=(ERROR,),
    seeks=Resource,
    check=check,
    summary="an argument or block that the provider requires is not written",
    depths=frozenset({"text"}),
)
