"""The machine type of an installer pool is one that the automated RDMA NCCL installer serves.

## What it does
error: a node pool sets `gpudirect_strategy`, and its `machine_type` is not `a3-ultragpu-8g` or `a4-highgpu-8g`, or is missing
(GKE then takes `e2-medium`).

## Why
The installer deploys its libraries on these two machine types only. GKE refuses the pool, or makes nodes without RDMA.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  node_config {
    machine_type       = "a4x-highgpu-4g"
    gpudirect_strategy = "RDMA"
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
    machine_type       = "a4-highgpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Fix
Unsafe: writes the machine type that the accelerator beside it belongs to; it has another price. Where no accelerator says
what is meant there is no fix.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer", limitations
- [GKE API, GPUDirectStrategy](https://docs.cloud.google.com/ruby/docs/reference/google-cloud-container-v1/latest/Google-Cloud-Container-V1-GPUDirectConfig-GPUDirectStrategy)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import machines
from generator.findings import Fix
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Absent, Known, NodePool, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """The machine type of a pool that asks for the installer."""
    if not scope.installer(pool):
        return
    answer = pool.get(scope.MACHINE)
    served = " or ".join(m.name for m in machines.served())
    help_ = f"Write {served} as machine_type, or remove gpudirect_strategy."
    if isinstance(answer, Absent):
        message = f"machine_type is not written, so GKE takes e2-medium; gpudirect_strategy needs {served}"
        yield scope.problem(pool, ERROR, answer, message, help_)
    elif isinstance(answer, Known) and machines.served_type(str(answer.value)) is None:
        known = machines.machine_type(str(answer.value))
        why = f" ({known.reason})" if known and known.reason and not answer.sensitive else ""
        message = f"machine type {answer.show()} does not have the RDMA NCCL installer{why}; gpudirect_strategy needs {served}"
        yield scope.problem(pool, ERROR, answer, message, help_, fix=_fix(pool, answer))


def _fix(pool: NodePool, answer: Known) -> Fix | None:
    """The machine type that the accelerator written beside it belongs to."""
    kinds = {scope.text(block.get("type")) for block in scope.accelerators(pool)}
    fitting = [m for m in machines.served() if kinds == {m.accelerator_type}]
    return edits.replaced(answer, fitting[0].name) if len(fitting) == 1 else None


RULE = Rule(
    name="machine-type",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="a pool with gpudirect_strategy has a machine type that the installer does not serve",
)
