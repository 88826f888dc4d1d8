"""A plan replaces a cluster, a GPU node pool or a reservation only when that is asked for.

## What it does
error, and the plan is refused: a plan destroys and makes again a `google_container_cluster`, a `google_compute_reservation`, or a
node pool in scope. `--allow-replace ADDRESS` and `--replace ADDRESS` allow it; no ignore, severity or baseline does.

## Why
A replaced pool gives its machines back before it asks for new ones. Capacity for these machines is scarce: what was given back
may not come again. A replaced cluster takes everything in it with it.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.main.id
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
    spot         = true # was not set when the pool was made
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
None. Whether the replacement is meant is nobody's but the owner's to say.

## Source
- [Terraform, JSON output format: change representation](https://developer.hashicorp.com/terraform/internals/json-format#change-representation)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules.base import ERROR, Problem, Rule
from generator.rules.planned import PLAN_ONLY, allowed_by, gone, is_guarded
from generator.view import ModuleTree


def check(tree: ModuleTree) -> Iterator[Problem]:
    """Each replacement."""
    for resource in gone(tree):
        change = resource.change
        if change is None or not change.replaces or not is_guarded(resource):
            continue
        why = change.why()
        yield Problem(
            ERROR,
            f"the plan replaces {resource.address}" + (f": {why}" if why else ""),
            f"If that is meant, plan again with {allowed_by('--allow-replace', resource.address)}.",
            resource.header,
            resource.address,
            refused=True,
        )


RULE = Rule(
    name="replacement",
    severities=(ERROR,),
    seeks=ModuleTree,
    check=check,
    summary="a plan replaces a cluster, a GPU node pool or a reservation",
    depths=PLAN_ONLY,
    refuses=True,
)
