"""A pool on a specific reservation needs no spare VM to upgrade.

## What it does
advice: a node pool for RDMA takes a specific reservation, and its `max_surge` is above 0, which is also GKE's default.

## Why
A surge upgrade makes a new node before it takes an old one away. When the whole reservation is in use there is no machine for
it, and the upgrade waits.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  upgrade_settings {
    max_surge       = 1
    max_unavailable = 0
  }

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

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  upgrade_settings {
    max_surge       = 0
    max_unavailable = 1
  }

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
None: whether the reservation has a spare VM is not in the text.

## Source
- [Cluster Toolkit, issue 3343](https://github.com/GoogleCloudPlatform/cluster-toolkit/issues/3343)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ADVICE, Problem, Rule
from generator.view import Absent, Known, NodePool, Unknown


def check(pool: NodePool) -> Iterator[Problem]:
    """The surge of a pool on a specific reservation."""
    reservation = scope.specific_reservation(pool)
    strategy = pool.get("upgrade_settings.strategy")
    if reservation is None or not scope.hardware(pool) or isinstance(strategy, Unknown):
        return
    if isinstance(strategy, Known) and strategy.value == "BLUE_GREEN":
        return
    surge = pool.get("upgrade_settings.max_surge")
    number = scope.number(surge)
    if isinstance(surge, Absent) or (number is not None and number > 0):
        found = f"max_surge is {scope.shown(surge)}" if number else "max_surge is not written, so it is 1"
        message = f"{found}: an upgrade needs a spare VM in the reservation"
        help_ = "Write upgrade_settings with max_surge = 0 and max_unavailable = 1."
        yield scope.problem(pool, ADVICE, surge, message, help_, *scope.note(reservation.span, "the reservation"))


RULE = Rule(
    name="upgrade-surge",
    severities=(ADVICE,),
    seeks=NodePool,
    check=check,
    summary="a pool on a specific reservation needs a spare VM to upgrade",
)
