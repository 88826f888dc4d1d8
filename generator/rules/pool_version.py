"""A pool's version is written in full.

## What it does
warning: the `version` of a node pool for RDMA is a part of a version (`"1.34"`, `"1.34.8"`). Nothing is said when
`ignore_changes` covers it.

## Why
GKE answers with the full version of the nodes. The provider compares the two as text, so every plan wants to update the pool.
The cluster's `min_master_version` may be a part: there the provider does not compare.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster
  version = "1.35"

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
  version = "1.34.8-gke.1278000"

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None: which full version is meant is for you to say.

## Source
- [The provider's documentation of `version`](https://registry.terraform.io/providers/hashicorp/google/latest/docs/resources/container_node_pool)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import gke_version, versions
from generator.rules import scope
from generator.rules.base import WARNING, Problem, Rule
from generator.view import NodePool


def check(pool: NodePool) -> Iterator[Problem]:
    """The version of a pool that has one of its own."""
    answer = pool.get("version") if pool.kind != "default" else None
    version = scope.text(answer) if answer else None
    if answer is None or version is None or not gke_version.is_part(version) or not scope.hardware(pool):
        return
    if pool.ignores_changes("version"):
        return
    message = f"version is {scope.shown(answer)}, a part of a version; GKE answers with the full one, so every plan shows a change"
    full = None if scope.is_secret(answer) else versions.newest(version)
    help_ = f'Write a full version, such as "{full or versions.newest(versions.default_version())}", or leave it to the cluster.'
    yield scope.problem(pool, WARNING, answer, message, help_)


RULE = Rule(
    name="pool-version",
    severities=(WARNING,),
    seeks=NodePool,
    check=check,
    summary="a pool's version is not written in full",
)
