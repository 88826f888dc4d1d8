"""An update in place does not remake all nodes of a GPU node pool unnoticed.

## What it does
warning: a plan changes machine type, boot disk, image or version of a node pool in scope, in place.

## Why
Terraform calls it an update, but GKE remakes every node of the pool: what runs there is evicted, and without spare capacity the
nodes go before the new ones come.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.main.id
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
    image_type   = "UBUNTU_CONTAINERD" # was COS_CONTAINERD
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.main.id
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
    image_type   = "COS_CONTAINERD"
  }
}
```

## Fix
None. Choose a moment at which nothing runs there.

## Source
- [GKE, node upgrade strategies](https://cloud.google.com/kubernetes-engine/docs/concepts/node-pool-upgrade-strategies)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules.base import WARNING, Problem, Rule
from generator.rules.planned import PLAN_ONLY, holds_gpus, updated
from generator.view import Block, Known, NodePool

_ARGUMENTS = (
    "node_config.machine_type",
    "node_config.disk_type",
    "node_config.disk_size_gb",
    "node_config.boot_disk.disk_type",
    "node_config.boot_disk.size_gb",
    "node_config.image_type",
    "version",
)


def check(pool: NodePool) -> Iterator[Problem]:
    """The arguments that a plan changes in place and that remake nodes."""
    before = updated(pool)
    if before is None or not holds_gpus(before):
        return
    changed = [found for path in _ARGUMENTS if (found := _changed(pool, before, path))]
    if changed:
        yield Problem(
            WARNING,
            f"all nodes of {pool.address} are made anew: {', '.join(changed)}",
            "Apply it when nothing runs there, or leave the argument as it is.",
            pool.header,
            pool.address,
        )


def _changed(pool: NodePool, before: Block, path: str) -> str | None:
    """`path "old" -> "new"` where an argument changes; spelling apart, which the provider ignores."""
    new, old = pool.get(path), before.get(path)
    if not isinstance(new, Known) or not isinstance(old, Known):
        return None
    if str(new.value).lower() == str(old.value).lower():
        return None
    return f"{path} {old.show()} -> {new.show()}"


RULE = Rule(
    name="nodes-recreated",
    severities=(WARNING,),
    seeks=NodePool,
    check=check,
    summary="an update in place remakes all nodes of a GPU node pool",
    depths=PLAN_ONLY,
)
