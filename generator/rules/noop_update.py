"""A plan does not promise to change `gpudirect_strategy` on a node pool that exists.

## What it does
error: a plan updates a node pool in place and sets or changes `gpudirect_strategy`, also in a `node_pool` block of a cluster.

## Why
The provider has no code for this update: apply reports success, sends nothing, and every later plan shows the same change. The
installer does not come to the pool.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.main.id
  location = "us-central1-b"

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA" # the pool was made without it
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.main.id
  location = "us-central1-b"

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA" # written before the pool is made, or applied with --replace
  }
}
```

## Fix
None. The pool has to be replaced, which gives its capacity back.

## Source
- [google_container_node_pool, update of node_config](https://github.com/hashicorp/terraform-provider-google/blob/main/google/services/container/node_config.go)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.rules.planned import PLAN_ONLY, allowed_by, updated
from generator.view import Known, NodePool, show


def check(pool: NodePool) -> Iterator[Problem]:
    """The argument, where a plan changes it in place."""
    before = updated(pool)
    answer = pool.get(scope.STRATEGY)
    wanted = scope.text(answer)
    if before is None or wanted is None or not isinstance(answer, Known):
        return
    old = before.get(scope.STRATEGY)
    if (scope.text(old) or "").lower() == wanted.lower():
        return
    shown = scope.shown(old) or show("")
    if pool.kind == "resource":
        help_ = f"Replace the pool: plan again with {allowed_by('--replace', pool.address)}."
    else:
        help_ = "Take the pool out of the cluster and make it a google_container_node_pool of its own."
    yield Problem(
        ERROR,
        f"the plan changes gpudirect_strategy of {pool.address} from {shown} to {answer.show()} in place: "
        "the provider sends nothing, and the next plan shows the same change",
        help_,
        answer.span,
        pool.address,
    )


RULE = Rule(
    name="noop-update",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="a plan changes gpudirect_strategy on a node pool that exists, which does nothing",
    depths=PLAN_ONLY,
)
