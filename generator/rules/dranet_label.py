"""An installer pool with an accelerator network profile has the label that turns managed DRANET on.

## What it does
error: a node pool sets `gpudirect_strategy` and `accelerator_network_profile`, and its `labels` do not hold
`"cloud.google.com/gke-networking-dra-driver" = "true"`.

## Why
The label makes GKE install the DRANET driver when the node pool is made. Without it no Pod can claim the RDMA interfaces: the
device class `mrdma.google.com` finds no devices, and Pods stay Pending.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"

    labels = {
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"

    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }
}
```

## Fix
Unsafe: writes the label. GKE reads it when the pool is made, so a pool that exists has to be replaced.

## Source
- [Allocate network resources by using GKE managed DRANET](https://docs.cloud.google.com/kubernetes-engine/docs/how-to/allocate-network-resources-dra)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import labels
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Known, NodePool, Unknown, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """The label of an installer pool on the dranet route."""
    if not scope.installer(pool) or not scope.profile(pool):
        return
    wanted = labels.dranet()
    answer = pool.element(scope.LABELS, wanted.key)
    if isinstance(answer, Unknown) or (isinstance(answer, Known) and answer.value == wanted.value):
        return
    found = f"is {answer.show()}" if isinstance(answer, Known) else "is missing"
    message = f'the label {wanted.key} {found}; "{wanted.value}" is needed for Pods to get the RDMA interfaces'
    yield scope.problem(
        pool,
        ERROR,
        answer,
        message,
        f'Write "{wanted.key}" = "{wanted.value}" in labels.',
        *scope.note(pool.get(scope.PROFILE).span, "the pool takes the DRANET route because of this profile"),
        fix=edits.with_element(edits.block_at(pool, "node_config"), "labels", wanted.key, wanted.value or ""),
    )


RULE = Rule(
    name="dranet-label",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="an installer pool with a network profile lacks the DRANET label",
)
