"""A pool refers to its cluster so that a plan shows what becomes of it when the cluster is replaced.

## What it does
advice: the `cluster` of a node pool for RDMA is the cluster's name, and the pool has no `replace_triggered_by` on the cluster.

## Why
The name is the same before and after a replacement of the cluster, so the plan shows the pool as unchanged. apply deletes the
cluster with its pool, and only the next plan makes the pool again. With `.id` both replacements are in one plan.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.c.name
  location = google_container_cluster.c.location

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None: on a pool that exists, `.id` in place of `.name` replaces the pool.

## Source
- [`replace_triggered_by`](https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ADVICE, Problem, Rule
from generator.view import NodePool, Resource


def check(pool: NodePool) -> Iterator[Problem]:
    """How a pool resource names a cluster of its tree."""
    cluster = scope.cluster_of(pool)
    if pool.kind != "resource" or cluster is None or not scope.hardware(pool):
        return
    answer = scope.reference(pool, "cluster")
    by_reference = cluster.resource.address in scope.refers_to(answer)
    if by_reference and scope.by_name(pool) and not _triggered(pool.resource, cluster.resource):
        message = "the pool refers to its cluster by name: when the cluster is replaced, the plan does not show that the pool goes"
        help_ = (
            "In a new pool write .id in place of .name. For one that exists write "
            f"lifecycle {{ replace_triggered_by = [{cluster.resource.type}.{cluster.resource.name}.id] }}."
        )
        note = scope.note(cluster.resource.header, "the cluster")
        yield scope.problem(pool, ADVICE, answer.span, message, help_, *note)


def _triggered(pool: Resource, cluster: Resource) -> bool:
    """Whether the pool is replaced with the cluster; what a trigger in another module means is taken to be that."""
    wanted = f"{cluster.type}.{cluster.name}"
    return wanted in pool.replace_triggers or (pool.module != cluster.module and bool(pool.replace_triggers))


RULE = Rule(
    name="cluster-reference",
    severities=(ADVICE,),
    seeks=NodePool,
    check=check,
    summary="a pool refers to its cluster by name, so plans hide that the two go together",
    depths=frozenset({"text"}),
)
