"""A plan does not delete or replace a cluster that is protected from deletion.

## What it does
error, and the plan is refused: a plan deletes or replaces a cluster whose state has `deletion_protection = true`. Nothing allows
it: the protection has to go first, in a plan of its own.

## Why
Terraform plans it without a word. Apply then destroys the cluster's node pools first and fails at the cluster: the pools are
gone, the cluster is still there.

## Bad
```hcl
resource "google_container_cluster" "main" {
  name     = "main"
  location = "us-central1" # was "us-central1-b": replaces the cluster

  deletion_protection = true
}
```

## Good
```hcl
resource "google_container_cluster" "main" {
  name     = "main"
  location = "us-central1-b"

  deletion_protection = false # applied alone, before the location changes
}
```

## Fix
None. Taking the protection away is a decision.

## Source
- [google_container_cluster, deletion_protection](https://registry.terraform.io/providers/hashicorp/google/latest/docs/resources/container_cluster#deletion_protection)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules.base import ERROR, Problem, Rule
from generator.rules.planned import PLAN_ONLY, gone
from generator.view import CLUSTER, Known, ModuleTree


def check(tree: ModuleTree) -> Iterator[Problem]:
    """Each protected cluster that would go."""
    for resource in gone(tree):
        change = resource.change
        if resource.type != CLUSTER or change is None or change.before is None:
            continue
        answer = change.before.get("deletion_protection")
        if isinstance(answer, Known) and answer.value is True:
            doing = "replaces" if change.replaces else "destroys"
            yield Problem(
                ERROR,
                f"the plan {doing} {resource.address}, which has deletion_protection: "
                "apply would destroy its node pools first, and then fail",
                "Write deletion_protection = false, plan and apply that alone, then plan this again.",
                resource.header,
                resource.address,
                refused=True,
            )


RULE = Rule(
    name="protected-cluster",
    severities=(ERROR,),
    seeks=ModuleTree,
    check=check,
    summary="a plan deletes or replaces a cluster that is protected from deletion",
    depths=PLAN_ONLY,
    refuses=True,
)
