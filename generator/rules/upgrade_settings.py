"""The upgrade settings of a pool are ones that the provider and GKE take.

## What it does
error, in a node pool for RDMA: `BLUE_GREEN` with `max_surge` or `max_unavailable`; or `max_surge` and `max_unavailable` both 0.

## Why
With blue-green the provider refuses surge numbers in apply, after the cluster has been made. With both at 0 no node can ever be
upgraded, and GKE refuses the pool.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  upgrade_settings {
    max_surge       = 0
    max_unavailable = 0
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
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
  }
}
```

## Fix
None: how many nodes may be away at once is for you to say.

## Source
- [The provider's refusal](https://github.com/hashicorp/terraform-provider-google/blob/main/google/services/container/resource_container_node_pool.go)
- [Cluster Toolkit, preconditions of a node pool](https://github.com/GoogleCloudPlatform/cluster-toolkit/blob/main/modules/compute/gke-node-pool/main.tf)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Answer, Known, NodePool

_NUMBERS = ("max_surge", "max_unavailable")


def check(pool: NodePool) -> Iterator[Problem]:
    """Strategy and numbers of a pool's upgrades."""
    if not scope.hardware(pool):
        return
    strategy = pool.get("upgrade_settings.strategy")
    numbers = {name: pool.get(f"upgrade_settings.{name}") for name in _NUMBERS}
    if isinstance(strategy, Known) and strategy.value == "BLUE_GREEN":
        yield from _blue_green(pool, strategy, numbers)
    elif all(scope.number(answer) == 0 for answer in numbers.values()):
        surge, unavailable = numbers.values()
        other, at = (surge, unavailable) if scope.later(surge.span, unavailable.span) else (unavailable, surge)
        message = "max_surge and max_unavailable are both 0, so no node can be upgraded"
        help_ = "Write max_unavailable = 1 (upgrades take a node away), or max_surge = 1 (upgrades need a spare VM)."
        yield scope.problem(pool, ERROR, at, message, help_, *scope.note(other.span, "the other one is here"))


def _blue_green(pool: NodePool, strategy: Known, numbers: dict[str, Answer]) -> Iterator[Problem]:
    """The provider takes 0 for not written."""
    for name, answer in numbers.items():
        if isinstance(answer, Known) and answer.value != 0:
            places = [("strategy BLUE_GREEN", strategy.span), (name, answer.span)]
            (first, first_at), (second, second_at) = scope.in_order(places)
            message = f"{second} beside {first}: surge numbers have no place in blue-green upgrades"
            help_ = f'Remove {name}, or write strategy = "SURGE".'
            yield scope.problem(pool, ERROR, second_at, message, help_, *scope.note(first_at, f"{first} is here"))


RULE = Rule(
    name="upgrade-settings",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="upgrade settings that the provider or GKE refuses",
)
