"""RDMA between hosts needs two of them.

## What it does
advice: a node pool for RDMA has fewer than two nodes: `node_count` or `initial_node_count` without autoscaling, or the upper limit
of the autoscaler. Counts per zone are multiplied by the zones, where these are known.

## Why
The GPUs of one machine talk over NVLink. The RDMA network, and the NCCL test over it, need a second machine.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  location   = "us-central1-b"
  node_count = 1

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
  location   = "us-central1-b"
  node_count = 2

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None: how many machines you pay for is for you to say.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer", before you begin
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ADVICE, Problem, Rule
from generator.view import Answer, Known, NodePool

_NEEDED = 2


def check(pool: NodePool) -> Iterator[Problem]:
    """How many nodes a pool can have at most."""
    autoscaled = scope.present(pool.blocks("autoscaling"))
    if autoscaled is None or not scope.hardware(pool):
        return
    if autoscaled:
        yield from _few(pool, "total_max_node_count", pool.get("autoscaling.total_max_node_count"), in_total=True)
        yield from _few(pool, "max_node_count", pool.get("autoscaling.max_node_count"))
        return
    count = pool.get("node_count")
    if isinstance(count, Known):
        name = "initial_node_count" if pool.kind == "default" else "node_count"
        yield from _few(pool, name, count)
    elif scope.is_written(count) is False:
        yield from _few(pool, "initial_node_count", pool.get("initial_node_count"))


def _zones(pool: NodePool) -> int | None:
    zones = scope.zones(pool)
    return len(zones.names) or None if zones else None


def _few(pool: NodePool, name: str, answer: Answer, *, in_total: bool = False) -> Iterator[Problem]:
    """Advice when the count, in all zones together, is known to be too low."""
    number = scope.number(answer)
    if number is None or number >= _NEEDED or (number == 0 and name.endswith("max_node_count")):
        return
    zones = 1 if in_total or number == 0 else _zones(pool)
    if zones is None or number * zones >= _NEEDED:
        return
    message = f"{name} is {scope.shown(answer)}; RDMA between hosts needs at least {_NEEDED} nodes"
    yield scope.problem(pool, ADVICE, answer, message, f"Write {name} = {_NEEDED} or more.")


RULE = Rule(
    name="node-count",
    severities=(ADVICE,),
    seeks=NodePool,
    check=check,
    summary="a pool has fewer than two nodes",
)
