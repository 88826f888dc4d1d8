"""A node pool names the location of its cluster.

## What it does
error: the `location` of a node pool for RDMA is not that of its cluster; or neither is the provider's default where one of them
writes none. The default is the provider's region, before its zone. A pool that refers to its cluster by `.id` needs no location.

## Why
The location says where to look for the cluster, not where the nodes stand: with another one the provider answers 404, after the
cluster has been made. Zones of a regional cluster's pool belong into `node_locations`.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.c.name
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name           = "gpu"
  cluster        = google_container_cluster.c.name
  location       = google_container_cluster.c.location
  node_locations = ["us-central1-b"]

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
Unsafe: writes the cluster's location; on a pool that exists this replaces the pool.

## Source
- [Pool and cluster in different locations, provider issue 5229](https://github.com/hashicorp/terraform-provider-google/issues/5229)
- [The same, issue 4298](https://github.com/hashicorp/terraform-provider-google/issues/4298)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Absent, Cluster, Known, NodePool, Resource, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """A pool resource against its cluster."""
    cluster = scope.cluster_of(pool)
    if pool.kind == "resource" and cluster is not None and scope.hardware(pool):
        yield from _compare(pool, cluster)


def _compare(pool: NodePool, cluster: Cluster) -> Iterator[Problem]:
    own = pool.get("location")
    theirs = _location(cluster.resource)
    if isinstance(own, Known):
        wrong = theirs is not None and theirs.value != own.value
        found, at = f"the pool's location is {own.show()}", own.span
    else:
        default = scope.default_location(pool.resource) if isinstance(own, Absent) and scope.by_name(pool) else None
        wrong = default is not None and theirs is not None and theirs.value != default.value
        found = f"the pool writes no location, so the provider looks in {default.show()}" if default else ""
        at = own.span
    if wrong and theirs is not None:
        message = f"{found}, but its cluster is in {theirs.show()}"
        help_ = f"Write location = {cluster.resource.type}.{cluster.resource.name}.location; zones belong into node_locations."
        note = scope.note(theirs.span, "the cluster's location")
        is_plain = not theirs.origins and not theirs.sensitive
        fix = edits.with_argument(pool.block, "location", theirs.value) if is_plain else None
        yield scope.problem(pool, ERROR, own if isinstance(own, Known) else at, message, help_, *note, fix=fix)


def _location(resource: Resource) -> Known | None:
    answer = resource.get("location")
    if isinstance(answer, Known):
        return answer
    return scope.default_location(resource) if isinstance(answer, Absent) else None


RULE = Rule(
    name="pool-location",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="a pool's location is not its cluster's",
)
