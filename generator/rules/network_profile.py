"""An installer pool has the accelerator network profile "auto", or networks of its own.

## What it does
error: a node pool sets `gpudirect_strategy`, has no `additional_node_network_configs`, and its `accelerator_network_profile` is
missing, empty or `"none"`, or is "auto" in another spelling. The DRANET label alone brings no networks.
advice: a profile with another name than `auto`.

## Why
The profile makes GKE create the networks of the RDMA interfaces. Without it the nodes come up with one interface, and NCCL
goes over TCP.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  network_config {
    enable_private_nodes = true
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
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

  network_config {
    enable_private_nodes        = true
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Fix
Unsafe: writes the profile; on a pool that exists this replaces the pool.

## Source
- [Configure automated networking for accelerator VMs](https://docs.cloud.google.com/kubernetes-engine/docs/how-to/config-auto-net-for-accelerators)
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer"
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.findings import Fix
from generator.rules import scope
from generator.rules.base import ADVICE, ERROR, Problem, Rule
from generator.view import Known, NodePool, Unknown, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """The profile of an installer pool that has no networks of its own."""
    answer = pool.get(scope.PROFILE)
    if isinstance(answer, Unknown) or not scope.installer(pool) or scope.manual(pool) is not False:
        return
    wanted = values.network_profile()
    help_ = f'Write accelerator_network_profile = "{wanted}" in network_config.'
    if not isinstance(answer, Known):
        if pool.kind == "default":
            help_ = (
                "Make a google_container_node_pool of its own for the GPUs: the default pool takes no network profile."
            )
        message = (
            f'accelerator_network_profile is not written, so the nodes get no RDMA interfaces; "{wanted}" is needed'
        )
        yield scope.problem(pool, ERROR, answer, message, help_, fix=_fix(pool))
    elif str(answer.value).lower() in values.network_profile_off():
        message = (
            f'accelerator_network_profile is {answer.show()}, so the nodes get no RDMA interfaces; "{wanted}" is needed'
        )
        yield scope.problem(pool, ERROR, answer, message, help_, fix=_fix(pool))
    elif answer.value != wanted and _letters(str(answer.value)) == wanted:
        message = f'accelerator_network_profile is {answer.show()}; the profile that GKE makes is spelt "{wanted}"'
        yield scope.problem(pool, ERROR, answer, message, help_, fix=_fix(pool))
    elif answer.value != wanted:
        message = f'accelerator_network_profile is {answer.show()}, a profile of your own; "{wanted}" lets GKE make the networks'
        yield scope.problem(pool, ADVICE, answer, message, help_)


def _fix(pool: NodePool) -> Fix | None:
    if pool.kind == "default":
        return None
    name, wanted = scope.PROFILE.rpartition(".")[2], values.network_profile()
    if pool.has("network_config") is False:
        return edits.with_block(pool.block, "network_config", {name: wanted})
    return edits.with_argument(edits.block_at(pool, "network_config"), name, wanted)


def _letters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


RULE = Rule(
    name="network-profile",
    severities=(ERROR, ADVICE),
    seeks=NodePool,
    check=check,
    summary="an installer pool has no accelerator network profile",
)
