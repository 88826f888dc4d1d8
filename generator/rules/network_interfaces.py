"""A pool with networks of its own has one for each interface: a gVNIC network, then eight for RDMA.

## What it does
error: a node pool for RDMA has `additional_node_network_configs`, but not nine of them, names a subnetwork twice, or does not
have the gVNIC network first.

## Why
`a3-ultragpu-8g` and `a4-highgpu-8g` have ten interfaces: the node's own, a second gVNIC, and eight for RDMA, one per GPU. With
too few networks some GPUs have no interface, and with one in the wrong slot NCCL fails or falls back to TCP.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  network_config {
    dynamic "additional_node_network_configs" {
      for_each = range(8)
      content {
        network    = "rdma-net"
        subnetwork = "rdma-sub-${additional_node_network_configs.value}"
      }
    }
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
  name    = "gpu"
  cluster = var.cluster

  network_config {
    additional_node_network_configs {
      network    = "gvnic-net"
      subnetwork = "gvnic-sub"
    }
    dynamic "additional_node_network_configs" {
      for_each = range(8)
      content {
        network    = "rdma-net"
        subnetwork = "rdma-sub-${additional_node_network_configs.value}"
      }
    }
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Fix
None: which networks exist is not in the text.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer", multi-networking
- [Create a custom AI-optimized GKE cluster](https://docs.cloud.google.com/ai-hypercomputer/docs/create/gke-ai-hypercompute-custom)
- [An extra interface in a GPU's slot](https://github.com/NVIDIA/aicr/pull/420)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Absent, Answer, Block, Blocks, Known, NodePool, Unknown


def check(pool: NodePool) -> Iterator[Problem]:
    """Number, order and difference of a pool's networks."""
    machine = scope.needed_machine(pool)
    if machine is None or not scope.manual(pool):
        return
    networks = pool.blocks(scope.NETWORKS)
    wanted = machine.additional_networks
    if networks.count is not None and networks.count != wanted:
        message = (
            f"{networks.count} additional_node_network_configs are written; {machine.name} needs {wanted}: "
            f"1 gVNIC network, then {machine.rdma_nics} for RDMA"
        )
        help_ = f"Write one block for the gVNIC network and {machine.rdma_nics} for the RDMA subnetworks."
        yield scope.problem(pool, ERROR, networks.span, message, help_)
    elif networks.count == wanted:
        yield from _order(pool, networks)
    yield from _twice(pool, networks)


def _order(pool: NodePool, networks: Blocks) -> Iterator[Problem]:
    """The RDMA subnetworks share a network, so the first network must not come again."""
    first, *others = [scope.reference(b, "network") for b in networks]
    again = next((n for n in others if _same(n, first)), None)
    if again is not None:
        message = f"the first network is {_shown(first)}, which later ones use too; the gVNIC network has to come first"
        help_ = "Write the block of the gVNIC network before those of the RDMA subnetworks."
        yield scope.problem(pool, ERROR, first, message, help_, *scope.note(again.span, "used again here"))


def _twice(pool: NodePool, networks: Blocks) -> Iterator[Problem]:
    seen: list[tuple[Answer, Block]] = []
    for block in networks:
        answer = scope.reference(block, "subnetwork")
        before = next((s for s, b in seen if _same(s, answer) and _is_one(answer, b, block)), None)
        if before is not None:
            message = f"the subnetwork {_shown(answer)} is used twice; every interface needs one of its own"
            help_ = "Write another subnetwork here."
            yield scope.problem(pool, ERROR, answer, message, help_, *scope.note(before.span, "used first here"))
        seen.append((answer, block))


def _is_one(name: Answer, one: Block, two: Block) -> bool:
    """Whether a subnetwork that two blocks name is one: a bare name means the same in the same network only."""
    if isinstance(name, Unknown) or "/" in str(name.value if isinstance(name, Known) else ""):
        return True
    first, second = scope.reference(one, "network"), scope.reference(two, "network")
    return _same(first, second) or (isinstance(first, Absent) and isinstance(second, Absent))


def _same(one: Answer, two: Answer) -> bool:
    """Whether two answers are known to mean the same network or subnetwork."""
    if isinstance(one, Known) and isinstance(two, Known):
        return _same_name(str(one.value), str(two.value))
    if isinstance(one, Unknown) and isinstance(two, Unknown):
        return one.refers_to is not None and one.refers_to == two.refers_to and _same_text(one, two)
    return False


def _same_name(first: str, second: str) -> bool:
    """A bare name may stand for a path that ends in it."""
    if "/" in first and "/" in second:
        return first.split("projects/")[-1] == second.split("projects/")[-1]
    return scope.last_segment(first) == scope.last_segment(second)


def _same_text(one: Unknown, two: Unknown) -> bool:
    """Two computed values of one resource are the same when they are written alike, and not by a `dynamic` block's element."""
    first, second = (a.span.text if a.span else "" for a in (one, two))
    return first == second and not any(step in first for step in (".value", ".key"))


def _shown(answer: Answer) -> str:
    return scope.shown(answer) or (answer.span.text if answer.span else "one")


RULE = Rule(
    name="network-interfaces",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="the networks of a pool do not fit the machine's interfaces",
)
