"""An A3 Ultra or A4 pool with RDMA networks asks for the automated RDMA NCCL installer.

## What it does
A node pool has the machine type `a3-ultragpu-8g` or `a4-highgpu-8g` and networks for RDMA, but no `gpudirect_strategy`.
warning: on the dranet route (`accelerator_network_profile` or the DRANET label).
advice: on the manual route (`additional_node_network_configs`), where an installer DaemonSet may do the job.

## Why
Without the installer the nodes have the interfaces but not the gIB libraries, so NCCL talks over TCP. GKE reads the argument
when the pool is made: adding it to a pool that exists changes nothing and shows as a difference on every plan, so such a pool
has to be replaced.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Fix
None: adding the argument to a pool that exists does nothing; the pool has to be replaced.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer"
- [The provider has no code that updates the argument](https://github.com/hashicorp/terraform-provider-google/blob/main/google/services/container/node_config.go)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.rules import scope
from generator.rules.base import ADVICE, WARNING, Problem, Rule
from generator.view import Absent, NodePool

_EXISTING = "Adding it to a pool that exists does nothing: that pool has to be replaced (plan --replace ADDRESS)."


def check(pool: NodePool) -> Iterator[Problem]:
    """A pool that has a route to RDMA but no installer."""
    machine = scope.machine(pool)
    answer = pool.get(scope.STRATEGY)
    if machine is None or not isinstance(answer, Absent):
        return
    help_ = f'Write gpudirect_strategy = "{values.gpudirect_strategy()}" in node_config. {_EXISTING}'
    if scope.dranet(pool):
        message = f"this {machine.name} pool has RDMA interfaces but no gpudirect_strategy, so nothing installs the RDMA libraries"
        yield scope.problem(pool, WARNING, answer, message, help_)
    elif scope.manual(pool):
        message = (
            f"this {machine.name} pool has networks of its own for RDMA but no gpudirect_strategy; "
            "with the installer DaemonSet in the cluster ignore this"
        )
        yield scope.problem(pool, ADVICE, answer, message, help_)


RULE = Rule(
    name="installer-off",
    severities=(WARNING, ADVICE),
    seeks=NodePool,
    check=check,
    summary="a pool with RDMA networks does not ask for the installer",
)
