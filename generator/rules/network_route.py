"""A node pool takes one way to RDMA: managed DRANET or networks of its own.

## What it does
error: a node pool for RDMA has `additional_node_network_configs` and also an `accelerator_network_profile` or the DRANET label.
advice: two node pools of one cluster take different routes.

## Why
The multi-network API and managed DRANET cannot be used in one node pool: the pool fails to come up, or its Pods get no
interfaces. In one cluster the two work side by side only as long as no Pod mixes them.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  network_config {
    additional_node_network_configs {
      network    = "gvnic-net"
      subnetwork = "gvnic-sub"
    }
  }

  node_config {
    machine_type = "a3-ultragpu-8g"

    labels = {
      "cloud.google.com/gke-networking-dra-driver" = "true"
    }
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
    machine_type = "a3-ultragpu-8g"

    labels = {
      "cloud.google.com/gke-networking-dra-driver" = "true"
    }
  }
}
```

## Fix
None: which of the two routes is meant is for you to say.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer", limitations
- [Allocate network resources by using GKE managed DRANET](https://docs.cloud.google.com/kubernetes-engine/docs/how-to/allocate-network-resources-dra)
- [Leftovers of the manual route](https://github.com/GoogleCloudPlatform/cluster-toolkit/pull/6171)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import labels
from generator.rules import scope
from generator.rules.base import ADVICE, ERROR, Problem, Rule
from generator.view import NodePool, Span


def check(pool: NodePool) -> Iterator[Problem]:
    """Both routes in a pool; else this pool's route against those of its cluster's other pools."""
    if not scope.hardware(pool) or not scope.dranet(pool):
        return
    if scope.manual(pool):
        yield _in_one_pool(pool)
    else:
        yield from _in_one_cluster(pool)


def _mark(pool: NodePool) -> tuple[str, Span | None]:
    """What makes a pool a DRANET pool, and where that stands."""
    if scope.profile(pool):
        return "accelerator_network_profile", pool.get(scope.PROFILE).span
    return "the DRANET label", pool.element(scope.LABELS, labels.dranet().key).span


def _in_one_pool(pool: NodePool) -> Problem:
    blocks = pool.blocks(scope.NETWORKS)
    manual = ("additional_node_network_configs", blocks.items[0].header if blocks.items else blocks.span)
    (first, first_at), (second, second_at) = scope.in_order([manual, _mark(pool)])
    message = f"two routes to RDMA in one node pool: {second} beside {first}; a pool takes one"
    help_ = "Keep the profile and the DRANET label, or keep the networks of your own and remove both."
    return scope.problem(pool, ERROR, second_at, message, help_, *scope.note(first_at, f"{first} is here"))


def _in_one_cluster(pool: NodePool) -> Iterator[Problem]:
    cluster = scope.cluster_of(pool)
    if cluster is None:
        return
    # The last pool is asked first, so that a cluster with many of them is not gone through for each.
    if next((p for p in reversed(cluster.pools) if _takes_dranet(p)), None) is not pool:
        return
    pools = (p for p in scope.ours(cluster) if p.resource.exists)
    manual = next((p for p in pools if scope.manual(p) and scope.dranet(p) is False), None)
    if manual is not None:
        name, at = _mark(pool)
        message = f"this node pool has {name}, another pool of its cluster has networks of its own ({manual.address})"
        help_ = "Give all pools of a cluster one route where you can; no Pod may use both."
        yield scope.problem(pool, ADVICE, at, message, help_, *scope.note(manual.header, "the other pool"))


def _takes_dranet(pool: NodePool) -> bool:
    """Whether a pool that is there takes the DRANET route alone."""
    there = pool.resource.exists is True and scope.hardware(pool)
    return there and scope.dranet(pool) is True and scope.manual(pool) is False


RULE = Rule(
    name="network-route",
    severities=(ERROR, ADVICE),
    seeks=NodePool,
    check=check,
    summary="two routes to RDMA in one node pool or one cluster",
)
