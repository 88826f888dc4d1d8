"""A cluster has its node pools inside it or beside it, not both.

## What it does
error: a cluster with a node pool for RDMA has `node_pool` blocks, and there are `google_container_node_pool` resources for the
same cluster. Points to the resources. Nothing is said when the cluster's `ignore_changes` covers `node_pool`.

## Why
The provider reads all node pools of the cluster into its `node_pool` blocks. It then wants to remove those that are not written
there, which replaces the cluster.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name              = "c"
  location          = "us-central1-b"
  datapath_provider = "ADVANCED_DATAPATH"

  node_pool {
    name       = "cpu"
    node_count = 1
  }
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

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
None: a pool that exists has to be moved in the state.

## Source
- [Inline pools and pool resources fight](https://github.com/GoogleCloudPlatform/magic-modules/pull/5656)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Cluster


def check(cluster: Cluster) -> Iterator[Problem]:
    """A cluster whose pools are written in both ways."""
    blocks = cluster.resource.blocks("node_pool")
    if not scope.present(blocks) or cluster.resource.ignores_changes("node_pool"):
        return
    if not any(scope.ours(cluster)):
        return
    inside = blocks.items[0].header
    for pool in cluster.pools:
        if pool.kind == "resource" and pool.resource.stands_with(cluster.resource):
            message = "this node pool stands beside its cluster, which has node_pool blocks: the next plan replaces the cluster"
            help_ = "Write all node pools as resources of their own, or all as blocks of the cluster."
            yield scope.problem(
                pool, ERROR, pool.header, message, help_, *scope.note(inside, "a node pool inside the cluster")
            )


RULE = Rule(
    name="inline-node-pool",
    severities=(ERROR,),
    seeks=Cluster,
    check=check,
    summary="node pools inside a cluster together with node pool resources",
)
