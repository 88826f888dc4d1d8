"""A plan does not take GPU node pools away that it shows as unchanged.

## What it does
error, and the plan is refused: a cluster is replaced or destroyed while node pools of it, in scope, are unchanged in the plan; or
a network or subnetwork is, while such pools name it. `--allow-destroy ADDRESS` of the pool allows it; no ignore, severity or
baseline does.

## Why
A pool that refers to its cluster by name sees no change when the cluster is replaced: the name is the same before and after. The
plan shows the pool as unchanged, apply ends well, and the pool is gone. Only the next plan wants to create it.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = google_container_cluster.main.name # the same before and after
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
  cluster  = google_container_cluster.main.name
  location = "us-central1-b"

  node_config {
    machine_type = "a3-ultragpu-8g"
  }

  lifecycle {
    replace_triggered_by = [google_container_cluster.main.id]
  }
}
```

## Fix
None. Changing how a pool refers to its cluster can itself replace the pool.

## Source
- [google_container_cluster](https://registry.terraform.io/providers/hashicorp/google/latest/docs/resources/container_cluster)
- [Terraform, replace_triggered_by](https://developer.hashicorp.com/terraform/language/meta-arguments/lifecycle#replace_triggered_by)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.rules.planned import PLAN_ONLY, allowed_by, gone, kept_pools, was_in_scope
from generator.view import CLUSTER, Block, ModuleTree, Resource

_NETWORKS = {"google_compute_network": "network", "google_compute_subnetwork": "subnetwork"}


def check(tree: ModuleTree) -> Iterator[Problem]:
    """Each pool that goes with something that goes."""
    taken = list(gone(tree))
    for pool in kept_pools(tree):
        change = pool.change
        if change is None or change.before is None or not was_in_scope(pool):
            continue
        holder = next((r for r in taken if _holds(r, change.before)), None)
        if holder is not None and holder.change is not None:
            doing = "replaces" if holder.change.replaces else "destroys"
            yield Problem(
                ERROR,
                f"{pool.address} goes with {holder.address}, which the plan {doing}, although the plan shows the pool as kept",
                f"If that is meant, plan again with {allowed_by('--allow-destroy', pool.address)}; "
                "the next plan after the apply creates it again.",
                pool.header,
                pool.address,
                refused=True,
            )


def _holds(holder: Resource, pool: Block) -> bool:
    """Whether a pool that exists lives in a cluster, or on a network or subnetwork, that goes."""
    before = holder.change.before if holder.change else None
    if before is None:
        return False
    if holder.type == CLUSTER:
        return _is_cluster_of(before, pool)
    argument = _NETWORKS.get(holder.type)
    if argument is None:
        return False
    named = [scope.text(b.get(argument)) for b in pool.blocks(scope.NETWORKS)]
    return any(name is not None and _is_named(before, name) for name in named)


def _is_cluster_of(cluster: Block, pool: Block) -> bool:
    name, named = scope.text(cluster.get("name")), scope.text(pool.get("cluster"))
    if name is None or named is None or scope.last_segment(named) != name:
        return False
    return all(_agree(cluster, pool, argument) for argument in ("location", "project"))


def _agree(one: Block, other: Block, argument: str) -> bool:
    """Whether nothing speaks against two objects having the same value of an argument."""
    first, second = scope.text(one.get(argument)), scope.text(other.get(argument))
    return first is None or second is None or first == second


def _is_named(network: Block, name: str) -> bool:
    """Whether a name or a path means a network."""
    if "/" not in name:
        return scope.text(network.get("name")) == name
    own = [scope.text(network.get(argument)) for argument in ("id", "self_link")]
    return any(
        path is not None and (path == name or path.endswith("/" + name) or name.endswith("/" + path)) for path in own
    )


RULE = Rule(
    name="hidden-destruction",
    severities=(ERROR,),
    seeks=ModuleTree,
    check=check,
    summary="a plan takes GPU node pools away that it shows as unchanged",
    depths=PLAN_ONLY,
    refuses=True,
)
