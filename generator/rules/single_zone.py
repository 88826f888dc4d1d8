"""A pool with the network profile "auto" stands in exactly one zone.

## What it does
error: a node pool for RDMA has `accelerator_network_profile = "auto"` and more than one zone: several `node_locations`, or a
regional cluster (or one with further zones) and no `node_locations` of its own. A cluster that writes no location is where the
provider's default is: its region, before its zone.

## Why
The RoCE network that GKE makes for the profile is bound to one zone. GKE refuses a pool that spans several.

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
  cluster  = google_container_cluster.c.id
  location = "us-central1"

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
  location           = "us-central1"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name           = "gpu"
  cluster        = google_container_cluster.c.id
  location       = "us-central1"
  node_locations = ["us-central1-b"]

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None: which zone has your machines is not in the text.

## Source
- [Configure automated networking for accelerator VMs](https://docs.cloud.google.com/kubernetes-engine/docs/how-to/config-auto-net-for-accelerators)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Elements, Known, NodePool


def check(pool: NodePool) -> Iterator[Problem]:
    """The zones of a pool with the automatic profile."""
    profile = pool.get(scope.PROFILE)
    if not scope.hardware(pool) or not isinstance(profile, Known) or profile.value != values.network_profile():
        return
    zones = scope.zones(pool)
    if zones is None:
        yield from _several_at_least(pool, profile)
        return
    if zones.is_one:
        return
    own = pool.get("node_locations")
    found = f"{len(zones.names)} zones" if zones.names else "the zones that GKE chooses in the region"
    message = f"this node pool stands in {found}; the network profile {profile.show()} needs exactly one"
    at = own if isinstance(own, Known) and own.value else pool.header
    help_ = "Write the one zone of the GPUs as node_locations."
    yield scope.problem(pool, ERROR, at, message, help_, *scope.note(profile.span, "the profile is here"))


def _several_at_least(pool: NodePool, profile: Known) -> Iterator[Problem]:
    """Two zones that are known are too many, whatever else there may be."""
    written = pool.elements("node_locations")
    known = [e for e in written.items if isinstance(e, Known)] if isinstance(written, Elements) else []
    if len({element.value for element in known}) > 1:
        message = f"this node pool stands in several zones; the network profile {profile.show()} needs exactly one"
        help_ = "Write the one zone of the GPUs as node_locations."
        yield scope.problem(pool, ERROR, written, message, help_, *scope.note(profile.span, "the profile is here"))


RULE = Rule(
    name="single-zone",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary='a pool with the network profile "auto" is not in exactly one zone',
)
