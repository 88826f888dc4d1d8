"""Autopilot clusters take no node pools of your own.

## What it does
error: a node pool for RDMA (it sets `gpudirect_strategy`, or its machine type is `a3-ultragpu-8g` or `a4-highgpu-8g`) belongs to
a cluster with `enable_autopilot = true`.

## Why
Autopilot makes its node pools itself and refuses others, at apply, after the cluster has been made. A ComputeClass with
`gpuDirect: rdma` asks Autopilot for such nodes.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name             = "c"
  location         = "us-central1"
  enable_autopilot = true
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  node_config {
    machine_type = "a4-highgpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_cluster" "c" {
  name             = "c"
  location         = "us-central1"
  enable_autopilot = true
}
```

## Fix
None: the pool has to give way to a ComputeClass, or the cluster has to become a Standard one.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer", ComputeClass
- [ComputeClass, the API](https://github.com/GoogleCloudPlatform/compute-class-api)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import NodePool


def check(pool: NodePool) -> Iterator[Problem]:
    """A pool for RDMA whose cluster is an Autopilot cluster."""
    cluster = scope.cluster_of(pool)
    if cluster is None or not scope.hardware(pool) or not scope.is_autopilot(cluster):
        return
    autopilot = cluster.resource.get("enable_autopilot")
    message = f"the cluster {cluster.resource.address} is an Autopilot cluster, which takes no node pools of your own"
    help_ = (
        "Remove the node pool and ask for its nodes with a ComputeClass (gpuDirect: rdma), or use a Standard cluster."
    )
    note = scope.note(autopilot.span, "Autopilot is turned on here")
    yield scope.problem(pool, ERROR, pool.header, message, help_, *note)


RULE = Rule(
    name="autopilot-node-pool",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="a node pool for RDMA belongs to an Autopilot cluster",
)
