"""A plan destroys a cluster, a GPU node pool or a reservation only when that is asked for.

## What it does
error, and the plan is refused: a plan destroys a `google_container_cluster`, a `google_compute_reservation`, or a node pool in
scope, and does not make it again. `--allow-destroy ADDRESS` allows it; no ignore, severity or baseline does, and `--destroy`
alone does not either.

## Why
A block that was removed, a key that left `for_each` or a lower `count` destroys what stood for it. For these machines that means
capacity that may not come again.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  count    = 0 # was 1
  name     = "gpu"
  cluster  = google_container_cluster.main.id
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
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
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None. Whether the destruction is meant is nobody's but the owner's to say.

## Source
- [Terraform, JSON output format: change representation](https://developer.hashicorp.com/terraform/internals/json-format#change-representation)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules.base import ERROR, Problem, Rule
from generator.rules.planned import PLAN_ONLY, allowed_by, gone, is_guarded
from generator.view import ModuleTree


def check(tree: ModuleTree) -> Iterator[Problem]:
    """Each destruction."""
    for resource in gone(tree):
        change = resource.change
        if change is None or change.replaces or not is_guarded(resource):
            continue
        why = change.why()
        yield Problem(
            ERROR,
            f"the plan destroys {resource.address}" + (f": {why}" if why else ""),
            f"If that is meant, plan again with {allowed_by('--allow-destroy', resource.address)}.",
            resource.header,
            resource.address,
            refused=True,
        )


RULE = Rule(
    name="destruction",
    severities=(ERROR,),
    seeks=ModuleTree,
    check=check,
    summary="a plan destroys a cluster, a GPU node pool or a reservation",
    depths=PLAN_ONLY,
    refuses=True,
)
