"""A3 Ultra and A4 machines do not boot from Persistent Disk.

## What it does
error: the `disk_type` of a node pool for RDMA, or that of its `boot_disk` block, is a Persistent Disk (`pd-standard`,
`pd-balanced`, `pd-ssd`).

## Why
These machine types take Hyperdisk only. GKE refuses the pool after the cluster has been made. Without a disk type GKE takes one
that fits.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type = "a3-ultragpu-8g"
    disk_type    = "pd-ssd"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type = "a3-ultragpu-8g"
    disk_type    = "hyperdisk-balanced"
  }
}
```

## Fix
Unsafe: writes `hyperdisk-balanced`, which has another price.

## Source
- [GPU machine types](https://docs.cloud.google.com/compute/docs/gpus)
- [Machine series without Persistent Disk, provider issue 19890](https://github.com/hashicorp/terraform-provider-google/issues/19890)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import NodePool, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """Both places where a boot disk's type is written."""
    machine = scope.needed_machine(pool)
    if machine is None:
        return
    for path in ("node_config.disk_type", "node_config.boot_disk.disk_type"):
        answer = pool.get(path)
        name = scope.text(answer)
        if name is not None and name.lower().startswith(values.refused_boot_disks()):
            message = f"disk_type is {scope.shown(answer)}; {machine.name} boots from Hyperdisk only"
            help_ = f'Write disk_type = "{machine.boot_disk}", or leave it out.'
            fix = edits.replaced(answer, machine.boot_disk)
            yield scope.problem(pool, ERROR, answer, message, help_, fix=fix)


RULE = Rule(
    name="boot-disk",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="a pool for RDMA has a Persistent Disk as boot disk",
)
