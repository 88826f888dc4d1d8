"""The cluster of a pool with networks of its own has multi-networking enabled.

## What it does
error: a node pool for RDMA has `additional_node_network_configs`, and its cluster does not have
`enable_multi_networking = true`, or is dual-stack (`stack_type = "IPV4_IPV6"`).

## Why
GKE refuses additional networks in a cluster without multi-networking. Multi-networking and dual-stack exclude each other.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  network_config {
    additional_node_network_configs {
      network    = "gvnic-net"
      subnetwork = "gvnic-sub"
    }
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_cluster" "c" {
  name                    = "c"
  location                = "us-central1-b"
  initial_node_count      = 1
  datapath_provider       = "ADVANCED_DATAPATH"
  enable_multi_networking = true
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  network_config {
    additional_node_network_configs {
      network    = "gvnic-net"
      subnetwork = "gvnic-sub"
    }
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
Safe: enables multi-networking, which the provider does in place.

## Source
- [Set up multi-network support for Pods](https://docs.cloud.google.com/kubernetes-engine/docs/how-to/setup-multinetwork-support-for-pods)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Known, NodePool, Unknown, edits

_DUAL_STACK = "IPV4_IPV6"


def check(pool: NodePool) -> Iterator[Problem]:
    """The cluster of a pool on the manual route."""
    cluster = scope.cluster_of(pool)
    if (
        cluster is None
        or not scope.hardware(pool)
        or not scope.manual(pool)
        or scope.is_autopilot(cluster) is not False
    ):
        return
    note = scope.note(pool.header, "needed by this pool")
    enabled = cluster.resource.get("enable_multi_networking")
    if not isinstance(enabled, Unknown) and not scope.is_true(enabled):
        found = f"is {enabled.show()}" if isinstance(enabled, Known) else "is not written"
        message = f"enable_multi_networking {found}; node pools with additional networks need it"
        help_ = "Write enable_multi_networking = true."
        fix = edits.with_argument(cluster.resource, "enable_multi_networking", True, safe=True)
        yield scope.problem(cluster.resource, ERROR, enabled, message, help_, *note, fix=fix)
    stack = cluster.resource.get("ip_allocation_policy.stack_type")
    if isinstance(stack, Known) and stack.value == _DUAL_STACK:
        message = f"stack_type is {stack.show()}; multi-networking does not work in dual-stack clusters"
        yield scope.problem(cluster.resource, ERROR, stack, message, 'Write stack_type = "IPV4".', *note)


RULE = Rule(
    name="multi-networking",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="a pool has networks of its own, but its cluster has no multi-networking",
)
