"""The limits of an autoscaled pool agree with each other and with its size.

## What it does
In a node pool for RDMA, error: limits per zone (`min_node_count`, `max_node_count`) beside limits in total
(`total_min_node_count`, `total_max_node_count`), or a minimum above its maximum.
warning: `node_count` beside `autoscaling`, unless `ignore_changes` covers it or `ignore_node_count_changes` is true.

## Why
GKE refuses mixed limits and a minimum above the maximum. With `node_count` every plan wants to take back what the autoscaler did,
and apply then removes nodes that are at work.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster

  autoscaling {
    min_node_count = 4
    max_node_count = 2
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  autoscaling {
    min_node_count = 2
    max_node_count = 4
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
Safe: removes `node_count` beside `autoscaling`.

## Source
- [A fixed count with autoscaling](https://github.com/hashicorp/terraform-provider-google/pull/7577)
- [Cluster Toolkit, preconditions of a node pool](https://github.com/GoogleCloudPlatform/cluster-toolkit/blob/main/modules/compute/gke-node-pool/main.tf)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, WARNING, Problem, Rule
from generator.view import Block, Known, NodePool, Span, edits

_PER_ZONE = ("min_node_count", "max_node_count")
_TOTAL = ("total_min_node_count", "total_max_node_count")


def check(pool: NodePool) -> Iterator[Problem]:
    """Limits and size of a pool."""
    blocks = pool.blocks("autoscaling")
    if not blocks.items or not scope.hardware(pool):
        return
    yield from _mixed(pool, blocks.items[0])
    for limits in (_PER_ZONE, _TOTAL):
        yield from _swapped(pool, blocks.items[0], *limits)
    if scope.present(blocks):
        yield from _fixed(pool, blocks.items[0].header)


def _mixed(pool: NodePool, block: Block) -> Iterator[Problem]:
    """Limits of 0 are no limits to the API."""
    kinds = []
    for names in (_PER_ZONE, _TOTAL):
        written = [(name, a.span) for name in names if isinstance(a := block.get(name), Known) and a.value != 0]
        kinds += scope.in_order(written)[:1]
    if len(kinds) == 2:
        (first, first_at), (second, second_at) = scope.in_order(kinds)
        message = f"{second} beside {first}: limits count per zone or in total, not both"
        help_ = "Keep min_node_count and max_node_count, or total_min_node_count and total_max_node_count."
        yield scope.problem(pool, ERROR, second_at, message, help_, *scope.note(first_at, f"{first} is here"))


def _swapped(pool: NodePool, block: Block, least: str, most: str) -> Iterator[Problem]:
    low, high = block.get(least), block.get(most)
    minimum, maximum = scope.number(low), scope.number(high)
    if minimum is None or maximum is None or minimum <= maximum:
        return
    message = f"{least} is {scope.shown(low)}, above {most}, which is {scope.shown(high)}"
    other, at = (low, high) if scope.later(low.span, high.span) else (high, low)
    note = scope.note(other.span, "the other limit")
    yield scope.problem(pool, ERROR, at, message, f"Write {least} no higher than {most}.", *note)


def _fixed(pool: NodePool, header: Span | None) -> Iterator[Problem]:
    count = pool.get("node_count")
    if not isinstance(count, Known) or pool.ignores_changes("node_count"):
        return
    if scope.is_true(pool.get("ignore_node_count_changes")) is not False:
        return
    (first, first_at), (second, second_at) = scope.in_order([("autoscaling", header), ("node_count", count.span)])
    message = f"{second} beside {first}: every plan wants to set the count back that the autoscaler changed"
    help_ = "Remove node_count; initial_node_count says how many nodes the pool starts with."
    at = count if second == "node_count" else second_at
    fix = edits.without_argument(pool.block, "node_count", safe=True) if pool.kind == "resource" else None
    yield scope.problem(pool, WARNING, at, message, help_, *scope.note(first_at, f"{first} is here"), fix=fix)


RULE = Rule(
    name="autoscaling",
    severities=(ERROR, WARNING),
    seeks=NodePool,
    check=check,
    summary="the limits of a pool contradict each other or its size",
)
