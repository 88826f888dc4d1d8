"""Installer pools run Container-Optimized OS with containerd.

## What it does
error: a node pool sets `gpudirect_strategy` and an `image_type` other than `COS_CONTAINERD` (in any case). `COS` is the image
with Docker, which GKE no longer has since 1.24.

## Why
The automated RDMA NCCL installer works on Container-Optimized OS only; Ubuntu and Windows nodes are refused.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type       = "a3-ultragpu-8g"
    image_type         = "UBUNTU_CONTAINERD"
    gpudirect_strategy = "RDMA"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type       = "a3-ultragpu-8g"
    image_type         = "COS_CONTAINERD"
    gpudirect_strategy = "RDMA"
  }
}
```

## Fix
Unsafe: writes `COS_CONTAINERD`; on a pool that exists this remakes its nodes.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer", limitations
- [The Docker image is gone](https://github.com/terraform-google-modules/terraform-google-kubernetes-engine/issues/1247)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import NodePool, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """The image of an installer pool."""
    answer = pool.get("node_config.image_type")
    name, wanted = scope.text(answer), values.image_type()
    if name is None or name.upper() == wanted or not scope.installer(pool):
        return
    why = (
        "the image with Docker, which is gone since GKE 1.24" if name.upper() == "COS" else "not Container-Optimized OS"
    )
    message = f"image_type is {scope.shown(answer)}, {why}; the RDMA NCCL installer needs {wanted}"
    help_ = f'Write image_type = "{wanted}", or leave it out.'
    yield scope.problem(pool, ERROR, answer, message, help_, fix=edits.replaced(answer, wanted))


RULE = Rule(
    name="image-type",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="an installer pool does not run Container-Optimized OS",
)
