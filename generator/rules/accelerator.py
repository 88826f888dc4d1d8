"""The accelerator of an A3 Ultra or A4 pool is the one that its machine type has.

## What it does
error: a node pool has the machine type `a3-ultragpu-8g` or `a4-highgpu-8g`, and `guest_accelerator` is missing, its `type` is
not the machine's GPU, or its `count` is not 8.

## Why
GKE refuses a pool whose accelerator does not fit its machine type, after the cluster has been made. A later change of type or
count replaces the pool.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  node_config {
    machine_type = "a4-highgpu-8g"

    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
    }
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  node_config {
    machine_type = "a4-highgpu-8g"

    guest_accelerator {
      type  = "nvidia-b200"
      count = 8
    }
  }
}
```

## Fix
Unsafe: writes the machine's accelerator; on a pool that exists this replaces the pool.

## Source
- [GPU machine types](https://docs.cloud.google.com/compute/docs/gpus)
- [A pair that does not fit, in a provider test](https://github.com/GoogleCloudPlatform/magic-modules/pull/16984)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog.machines import MachineType
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Block, Known, NodePool, Plain, edits

_PATH = "node_config.guest_accelerator"


def check(pool: NodePool) -> Iterator[Problem]:
    """The accelerator blocks of a pool with a known machine type."""
    machine = scope.machine(pool)
    if machine is None:
        return
    if pool.has(_PATH) is False:
        message = f"{machine.name} has {_gpus(machine)}, but guest_accelerator is not written"
        arguments: dict[str, Plain] = {"type": machine.accelerator_type, "count": machine.accelerator_count}
        fix = edits.with_block(edits.block_at(pool, "node_config"), "guest_accelerator", arguments)
        yield scope.problem(pool, ERROR, scope.node_config(pool), message, _help(machine), fix=fix)
    for block in scope.accelerators(pool):
        yield from _check_block(pool, machine, block)


def _check_block(pool: NodePool, machine: MachineType, block: Block) -> Iterator[Problem]:
    kind, count = block.get("type"), block.get("count")
    if isinstance(kind, Known) and scope.last_segment(str(kind.value)) != machine.accelerator_type:
        message = f"accelerator {kind.show()} is not what {machine.name} has: it has {machine.accelerator_type}"
        fix = edits.replaced(kind, machine.accelerator_type)
        yield scope.problem(pool, ERROR, kind, message, f'Write type = "{machine.accelerator_type}".', fix=fix)
    if isinstance(count, Known) and count.value != machine.accelerator_count:
        message = (
            f"accelerator count {count.show()} is not what {machine.name} has: it has {machine.accelerator_count} GPUs"
        )
        fix = edits.replaced(count, machine.accelerator_count)
        yield scope.problem(pool, ERROR, count, message, f"Write count = {machine.accelerator_count}.", fix=fix)


def _gpus(machine: MachineType) -> str:
    return f"{machine.accelerator_count} {machine.accelerator_type}"


def _help(machine: MachineType) -> str:
    return f'Write guest_accelerator {{ type = "{machine.accelerator_type}", count = {machine.accelerator_count} }} as a block.'


RULE = Rule(
    name="accelerator",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="guest_accelerator is missing or does not fit the machine type",
)
