"""A pool's zone is one where its machine type is known to be sold.

## What it does
advice: a node pool has the machine type `a3-ultragpu-8g` or `a4-highgpu-8g`, and its zone is not on the list of zones that sell
it. The message says how old the list is.

## Why
A pool in a zone without these machines fails in apply, after the cluster has been made. The list is a price feed: it grows, and
it says nothing about free capacity.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = var.cluster
  location = "europe-west3-a"

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = var.cluster
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None: where you have capacity is for you to say.

## Source
- [Price feed of the SkyPilot catalog](https://github.com/skypilot-org/skypilot-catalog)
- [GPU regions and zones](https://docs.cloud.google.com/compute/docs/gpus/gpu-regions-zones)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import zones as offer
from generator.rules import scope
from generator.rules.base import ADVICE, Problem, Rule
from generator.view import NodePool


def check(pool: NodePool) -> Iterator[Problem]:
    """The zones of a pool against the list."""
    machine = scope.machine(pool)
    zones = scope.zones(pool) if machine else None
    if machine is None or zones is None or zones.answer is None:
        return
    sold = offer.zones(machine.name)
    unlisted = sorted(z for z in zones.names if z not in sold)
    if sold and unlisted:
        shown = "this zone" if zones.answer.sensitive else ", ".join(unlisted)
        message = f"{machine.name} is not known to be sold in {shown} (list of {offer.date()})"
        help_ = f"Known zones are {', '.join(sold)}."
        yield scope.problem(pool, ADVICE, zones.answer, message, help_)


RULE = Rule(
    name="zone-offer",
    severities=(ADVICE,),
    seeks=NodePool,
    check=check,
    summary="the machine type is not known to be sold in the pool's zone",
)
