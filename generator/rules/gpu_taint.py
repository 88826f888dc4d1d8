"""The only pool of a cluster writes the GPU taint itself.

## What it does
advice: a node pool for RDMA is the only pool of its cluster and has no taint with the key `nvidia.com/gpu`.

## Why
GKE puts this taint on GPU nodes only when the cluster has another pool. Without it system Pods run on the GPU machines, and keep
the autoscaler from taking them away.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name                     = "c"
  location                 = "us-central1-b"
  initial_node_count       = 1
  remove_default_node_pool = true
  datapath_provider        = "ADVANCED_DATAPATH"
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
  name                     = "c"
  location                 = "us-central1-b"
  initial_node_count       = 1
  remove_default_node_pool = true
  datapath_provider        = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  node_config {
    machine_type = "a3-ultragpu-8g"

    taint {
      key    = "nvidia.com/gpu"
      value  = "present"
      effect = "NO_SCHEDULE"
    }
  }
}
```

## Fix
Safe: writes the taint.

## Source
- [A GPU pool alone in its cluster](https://github.com/terraform-google-modules/terraform-google-kubernetes-engine/issues/703)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import labels
from generator.rules import scope
from generator.rules.base import ADVICE, Problem, Rule
from generator.view import Cluster, NodePool, Unknown, edits


def check(cluster: Cluster) -> Iterator[Problem]:
    """A cluster with exactly one pool."""
    if not cluster.pools_known or len(cluster.pools) != 1:
        return
    pool = cluster.pools[0]
    if not scope.hardware(pool) or _keeps_default_pool(cluster, pool) or _tainted(pool) is not False:
        return
    taint = labels.gpu_taint()
    message = f"this is the only node pool of its cluster, so GKE leaves the taint {taint.key} away and system Pods run on the GPUs"
    help_ = f'Write taint {{ key = "{taint.key}", value = "{taint.value}", effect = "{taint.effect}" }} as a block in node_config.'
    arguments = {"key": taint.key, "value": taint.value, "effect": taint.effect}
    fix = edits.with_block(edits.block_at(pool, "node_config"), "taint", arguments, safe=True, further=True)
    yield scope.problem(pool, ADVICE, scope.node_config(pool), message, help_, fix=fix)


def _keeps_default_pool(cluster: Cluster, pool: NodePool) -> bool:
    """Whether the cluster has, or may have, a default pool beside the pool."""
    if pool.kind != "resource":
        return False
    return scope.is_true(cluster.resource.get("remove_default_node_pool")) is not True


def _tainted(pool: NodePool) -> bool | None:
    """Whether the taint is written; None when that is not known."""
    taints = pool.blocks("node_config.taint")
    keys = [block.get("key") for block in taints]
    if any(scope.text(key) == labels.gpu_taint().key for key in keys):
        return True
    return None if taints.unknown or any(isinstance(key, Unknown) for key in keys) else False


RULE = Rule(
    name="gpu-taint",
    severities=(ADVICE,),
    seeks=Cluster,
    check=check,
    summary="the only pool of a cluster has no GPU taint",
)
