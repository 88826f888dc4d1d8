"""Compact placement fits what else the pool asks for.

## What it does
error: the `type` of `placement_policy` of a node pool for RDMA is not `COMPACT`; or it is `COMPACT` with several zones, with
blue-green upgrades or with queued provisioning.
warning: `COMPACT` with a specific reservation, unless `policy_name` names the reservation's own policy.

## Why
COMPACT is the only type there is, and it puts all nodes close together in one zone. A reservation has its own placement: a new
policy that it was not made with keeps the nodes from being created.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name           = "gpu"
  cluster        = var.cluster
  node_locations = ["us-central1-b", "us-central1-c"]

  placement_policy {
    type = "COMPACT"
  }

  node_config {
    machine_type = "a4-highgpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name           = "gpu"
  cluster        = var.cluster
  node_locations = ["us-central1-b"]

  placement_policy {
    type = "COMPACT"
  }

  node_config {
    machine_type = "a4-highgpu-8g"
  }
}
```

## Fix
None: which of the two is meant is for you to say.

## Source
- [Cluster Toolkit, preconditions of a node pool](https://github.com/GoogleCloudPlatform/cluster-toolkit/blob/main/modules/compute/gke-node-pool/main.tf)
- [A policy beside a reservation](https://github.com/AI-Hypercomputer/xpk/pull/1073)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values
from generator.findings import Severity
from generator.rules import scope
from generator.rules.base import ERROR, WARNING, Problem, Rule
from generator.view import Known, NodePool, Span


def check(pool: NodePool) -> Iterator[Problem]:
    """The placement policy of a pool."""
    kind = pool.get("placement_policy.type")
    wanted = values.placement_type()
    if not isinstance(kind, Known) or not scope.hardware(pool):
        return
    if kind.value != wanted:
        message = f'the type of placement_policy is {kind.show()}; the only one is "{wanted}"'
        yield scope.problem(pool, ERROR, kind, message, f'Write type = "{wanted}", or remove placement_policy.')
    elif scope.present(pool.blocks("placement_policy")):
        yield from _beside(pool, kind)


def _beside(pool: NodePool, kind: Known) -> Iterator[Problem]:
    zones = scope.zones(pool)
    if zones is not None and not zones.is_one:
        own = pool.get("node_locations")
        at = own.span if isinstance(own, Known) and own.value else None
        yield _pair(pool, ERROR, kind, ("several zones", at), "compact nodes stand in one")
    strategy = pool.get("upgrade_settings.strategy")
    if isinstance(strategy, Known) and strategy.value == "BLUE_GREEN":
        yield _pair(pool, ERROR, kind, ("blue-green upgrades", strategy.span), "GKE takes one of them")
    queued = pool.get("queued_provisioning.enabled")
    if scope.is_true(queued) and scope.present(pool.blocks("queued_provisioning")):
        yield _pair(pool, ERROR, kind, ("queued provisioning", queued.span), "the queue places the nodes itself")
    reservation = scope.specific_reservation(pool)
    if reservation is not None and pool.has("placement_policy.policy_name") is False:
        why = "a reservation has its own placement, and nodes with another one are not created"
        yield _pair(pool, WARNING, kind, ("a specific reservation", reservation.span), why)


def _pair(pool: NodePool, severity: Severity, kind: Known, other: tuple[str, Span | None], why: str) -> Problem:
    """Points to the later of the policy and what does not go with it."""
    policy = (f'placement "{values.placement_type()}"', kind.span)
    (first, first_at), (second, second_at) = scope.in_order([other, policy])
    message = f"{second} together with {first}: {why}"
    return scope.problem(
        pool, severity, second_at, message, "Keep one of the two.", *scope.note(first_at, f"{first} is here")
    )


RULE = Rule(
    name="placement",
    severities=(ERROR, WARNING),
    seeks=NodePool,
    check=check,
    summary="compact placement does not fit what else the pool asks for",
)
