"""A pool gets its machines in one way: a reservation, Spot or flex-start.

## What it does
error: two of reservation, Spot and flex-start in a node pool for RDMA; or queued provisioning with a reservation or Spot.
Flex-start with queued provisioning belongs together.
advice: none of them. A3 Ultra and A4 machines are hardly ever free on demand.

## Why
GKE refuses the combinations after the cluster has been made. A pool without any of the ways waits for machines until it times
out.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type = "a3-ultragpu-8g"
    spot         = true

    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = ["h200"]
    }
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type = "a3-ultragpu-8g"

    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = ["h200"]
    }
  }
}
```

## Fix
None: what you pay for is for you to say.

## Source
- [Cluster Toolkit, preconditions of a node pool](https://github.com/GoogleCloudPlatform/cluster-toolkit/blob/main/modules/compute/gke-node-pool/main.tf)
- [Flex-start with queued provisioning](https://docs.cloud.google.com/kubernetes-engine/docs/how-to/provisioningrequest)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.rules import scope
from generator.rules.base import ADVICE, ERROR, Problem, Rule
from generator.view import Known, NodePool, Span, Unknown

_TYPE = "node_config.reservation_affinity.consume_reservation_type"
_FLAGS = {
    "spot": "node_config.spot",
    "preemptible": "node_config.preemptible",
    "flex_start": "node_config.flex_start",
    "queued_provisioning": "queued_provisioning.enabled",
}
# What goes together: Spot by its old name and by its new one, and flex-start with the queue.
_PAIRS = ({"spot", "preemptible"}, {"flex_start", "queued_provisioning"})


def check(pool: NodePool) -> Iterator[Problem]:
    """The ways in which a pool asks for machines."""
    if not scope.hardware(pool):
        return
    ways = scope.in_order(list(_ways(pool)))
    for index, (name, at) in enumerate(ways):
        other = next(((n, a) for n, a in ways[:index] if {n, name} not in _PAIRS), None)
        if other is not None:
            message = f"{name} beside {other[0]}: a node pool gets its machines in one way only"
            help_ = "Keep the one that is meant and remove the other."
            yield scope.problem(pool, ERROR, at, message, help_, *scope.note(other[1], f"{other[0]} is here"))
    if not ways and _none(pool):
        message = (
            "neither a reservation nor spot nor flex_start is written; on demand these machines are hardly ever free"
        )
        help_ = "Write reservation_affinity, spot = true or flex_start = true in node_config."
        yield scope.problem(pool, ADVICE, scope.node_config(pool), message, help_)


def _ways(pool: NodePool) -> Iterator[tuple[str, Span | None]]:
    """The ways that are known to be written."""
    answer = pool.get(_TYPE)
    certain = scope.present(pool.blocks("node_config.reservation_affinity"))
    if certain and isinstance(answer, Known) and answer.value in values.taking_reservations():
        yield "a reservation", answer.span
    for name, path in _FLAGS.items():
        answer = pool.get(path)
        block = path.rpartition(".")[0]
        if isinstance(answer, Known) and answer.value is True and scope.present(pool.blocks(block)):
            yield name, answer.span


def _none(pool: NodePool) -> bool:
    """Whether every way is known not to be taken, when none is known to be taken."""
    affinity = scope.present(pool.blocks("node_config.reservation_affinity"))
    if affinity is None or (affinity and isinstance(pool.get(_TYPE), Unknown)):
        return False
    return all(scope.is_true(pool.get(path)) is False for path in _FLAGS.values())


RULE = Rule(
    name="capacity",
    severities=(ERROR, ADVICE),
    seeks=NodePool,
    check=check,
    summary="a pool asks for its machines in two ways, or in none",
)
