"""A plan does not take nodes from a GPU node pool unnoticed.

## What it does
warning: a plan lowers `node_count` or a limit of `autoscaling` of a node pool in scope.

## Why
The machines that go may not come again when the number is raised later, and what runs on them is evicted.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.main.id
  node_count = 2 # was 4
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.main.id
  node_count = 4
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None. How many nodes are wanted is nobody's but the owner's to say.

## Source
- [GKE, resize a node pool](https://cloud.google.com/kubernetes-engine/docs/how-to/node-pools#resizing_a_node_pool)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import WARNING, Problem, Rule
from generator.rules.planned import PLAN_ONLY, holds_gpus, updated
from generator.view import NodePool

_ARGUMENTS = (
    "node_count",
    "autoscaling.min_node_count",
    "autoscaling.max_node_count",
    "autoscaling.total_min_node_count",
    "autoscaling.total_max_node_count",
)


def check(pool: NodePool) -> Iterator[Problem]:
    """The numbers that a plan lowers."""
    before = updated(pool)
    if before is None or not holds_gpus(before):
        return
    lowered = []
    for path in _ARGUMENTS:
        new, old = scope.number(pool.get(path)), scope.number(before.get(path))
        if new is not None and old is not None and new < old:
            lowered.append(f"{path} {old} -> {new}")
    if lowered:
        yield Problem(
            WARNING,
            f"{pool.address} loses nodes: {', '.join(lowered)}",
            "Keep the number, unless these machines are not needed any more.",
            pool.header,
            pool.address,
        )


RULE = Rule(
    name="pool-shrink",
    severities=(WARNING,),
    seeks=NodePool,
    check=check,
    summary="a plan lowers the number of nodes of a GPU node pool",
    depths=PLAN_ONLY,
)
