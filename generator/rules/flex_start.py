"""A flex-start pool grows from zero and does not repair its nodes.

## What it does
A node pool for RDMA has `flex_start = true`.
error: `auto_repair` is true, or a `management` block does not write it (the provider's default is true); a `node_count`; no
`autoscaling` block.
warning: no `management` block (GKE's default is to repair).

## Why
Flex-start machines come when they are free and go when their time is over. GKE takes such a pool with autoscaling and without
repair only, and the refusal comes after the cluster has been made.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  management {
    auto_repair = false
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
    flex_start   = true
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  autoscaling {
    total_min_node_count = 0
    total_max_node_count = 8
    location_policy      = "ANY"
  }

  management {
    auto_repair = false
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
    flex_start   = true
  }
}
```

## Fix
Safe: writes `auto_repair = false`.

## Source
- [Cluster Toolkit, preconditions of a node pool](https://github.com/GoogleCloudPlatform/cluster-toolkit/blob/main/modules/compute/gke-node-pool/main.tf)
- [Flex-start with a fixed number of nodes](https://github.com/GoogleCloudPlatform/cluster-toolkit/pull/4027)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, WARNING, Problem, Rule
from generator.view import Absent, Known, NodePool, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """Repair and size of a flex-start pool."""
    if not scope.hardware(pool) or not scope.is_true(pool.get("node_config.flex_start")):
        return
    yield from _repair(pool)
    count = pool.get("node_count")
    if isinstance(count, Known):
        message = (
            f"node_count is {count.show()}; a flex-start pool grows by autoscaling and has no fixed number of nodes"
        )
        yield scope.problem(pool, ERROR, count, message, "Remove node_count and write an autoscaling block.")
    if pool.has("autoscaling") is False:
        message = "a flex-start pool needs autoscaling: its nodes come when machines are free"
        help_ = "Write autoscaling { total_min_node_count = 0, total_max_node_count = N } as a block."
        yield scope.problem(pool, ERROR, pool.header, message, help_)


def _repair(pool: NodePool) -> Iterator[Problem]:
    help_ = "Write management { auto_repair = false } as a block."
    management = pool.has("management")
    answer = pool.get("management.auto_repair")
    if management is False:
        message = (
            "no management block is written, so GKE repairs nodes; a flex-start node that is repaired may not come back"
        )
        own = None if pool.kind == "default" else pool.block
        fix = edits.with_block(own, "management", {"auto_repair": False}, safe=True)
        yield scope.problem(pool, WARNING, pool.header, message, help_, fix=fix)
    elif isinstance(answer, Known) and answer.value is True:
        message = "auto_repair is true; a flex-start pool needs it off"
        fix = edits.replaced(answer, False, safe=True)
        yield scope.problem(pool, ERROR, answer, message, "Write auto_repair = false.", fix=fix)
    elif management and isinstance(answer, Absent):
        message = "auto_repair is not written in the management block, so it is true; a flex-start pool needs it off"
        fix = edits.with_argument(edits.block_at(pool, "management"), "auto_repair", False, safe=True)
        yield scope.problem(pool, ERROR, answer, message, "Write auto_repair = false.", fix=fix)


RULE = Rule(
    name="flex-start",
    severities=(ERROR, WARNING),
    seeks=NodePool,
    check=check,
    summary="a flex-start pool repairs its nodes or has a fixed size",
)
