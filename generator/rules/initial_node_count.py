"""A pool writes `node_count` or `initial_node_count`, not both.

## What it does
error: a node pool for RDMA has `node_count` together with `initial_node_count`, neither of them 0.

## Why
validate and plan pass. apply makes the cluster, and then the provider says "Cannot set both initial_node_count and node_count".

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name               = "gpu"
  cluster            = var.cluster
  node_count         = 2
  initial_node_count = 2

  node_config {
    machine_type = "a3-ultragpu-8g"
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
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None: on a pool that exists, removing `initial_node_count` is harmless but changing it replaces the pool.

## Source
- [The provider's refusal](https://github.com/hashicorp/terraform-provider-google/blob/main/google/services/container/resource_container_node_pool.go)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Known, NodePool


def check(pool: NodePool) -> Iterator[Problem]:
    """Both counts of a pool; the provider takes 0 for not written."""
    if pool.kind == "default" or not scope.hardware(pool):
        return
    written = [(name, pool.get(name)) for name in ("initial_node_count", "node_count")]
    places = [(name, a.span) for name, a in written if isinstance(a, Known) and a.value != 0]
    if len(places) == 2:
        (first, first_at), (second, second_at) = scope.in_order(places)
        message = f"{second} beside {first}: apply makes the cluster and then fails on the pair"
        help_ = "Keep node_count for a fixed size, or initial_node_count with autoscaling."
        yield scope.problem(pool, ERROR, second_at, message, help_, *scope.note(first_at, f"{first} is here"))


RULE = Rule(
    name="initial-node-count",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="node_count together with initial_node_count",
)
