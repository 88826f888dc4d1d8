"""The cluster of a pool with RDMA networks uses Dataplane V2.

## What it does
error: a node pool takes the dranet route (`accelerator_network_profile` or the DRANET label) or the manual route
(`additional_node_network_configs`), and the `datapath_provider` of its Standard cluster is missing or is not
`"ADVANCED_DATAPATH"`, or `network_policy` is enabled beside it.

## Why
Both routes need Dataplane V2. It is chosen when the cluster is made: changing it later replaces the cluster. Dataplane V2 has
network policies of its own, and GKE refuses the old ones beside it.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

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
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
Unsafe: writes the datapath; on a cluster that exists this replaces the cluster.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer", before you begin
- [Network policy beside Dataplane V2, provider issue 11334](https://github.com/hashicorp/terraform-provider-google/issues/11334)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Cluster, Known, NodePool, Unknown, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """The datapath of a pool's cluster."""
    cluster = scope.cluster_of(pool)
    if cluster is None or not (scope.dranet(pool) or scope.manual(pool)):
        return
    if scope.is_autopilot(cluster) is not False:
        return
    datapath = cluster.resource.get("datapath_provider")
    wanted = values.datapath_provider()
    if isinstance(datapath, Known) and datapath.value == wanted:
        yield from _network_policy(cluster, datapath)
    elif not isinstance(datapath, Unknown):
        found = f"is {datapath.show()}" if isinstance(datapath, Known) else "is not written"
        message = f'datapath_provider {found}; node pools with RDMA networks need Dataplane V2, "{wanted}"'
        help_ = f'Write datapath_provider = "{wanted}". A cluster that exists is replaced by that.'
        note = scope.note(pool.header, "needed by this pool")
        fix = edits.with_argument(cluster.resource, "datapath_provider", wanted)
        yield scope.problem(cluster.resource, ERROR, datapath, message, help_, *note, fix=fix)


def _network_policy(cluster: Cluster, datapath: Known) -> Iterator[Problem]:
    enabled = cluster.resource.get("network_policy.enabled")
    if not isinstance(enabled, Known) or enabled.value is not True:
        return
    if not scope.present(cluster.resource.blocks("network_policy")):
        return
    other, at = (datapath, enabled) if scope.later(datapath.span, enabled.span) else (enabled, datapath)
    message = (
        "network_policy is enabled beside Dataplane V2, which has network policies of its own; GKE refuses the pair"
    )
    note = scope.note(other.span, "the other one is here")
    yield scope.problem(cluster.resource, ERROR, at, message, "Remove the network_policy block.", *note)


RULE = Rule(
    name="dataplane-v2",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="the cluster of a pool with RDMA networks does not use Dataplane V2",
)
