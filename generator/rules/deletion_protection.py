"""A cluster says whether Terraform may delete it.

## What it does
advice: a cluster with a node pool for RDMA does not write `deletion_protection`.

## Why
Since provider 5.0.0 it is true when nothing is written. `terraform destroy` then deletes the node pools first, with their GPUs,
and fails on the cluster.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_cluster" "c" {
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 1
  datapath_provider   = "ADVANCED_DATAPATH"
  deletion_protection = true
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
Safe: writes the default, `deletion_protection = true`.

## Source
- [Protection by default, provider issue 10168](https://github.com/hashicorp/terraform-provider-google/issues/10168)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ADVICE, Problem, Rule
from generator.view import Absent, Cluster, edits


def check(cluster: Cluster) -> Iterator[Problem]:
    """A cluster with a pool in scope."""
    answer = cluster.resource.get("deletion_protection")
    if isinstance(answer, Absent) and any(scope.ours(cluster)):
        message = "deletion_protection is not written, so it is true: destroy deletes the node pools and then fails on the cluster"
        help_ = "Write deletion_protection = true or false."
        fix = edits.with_argument(cluster.resource, "deletion_protection", True, safe=True)
        yield scope.problem(cluster.resource, ADVICE, answer, message, help_, fix=fix)


RULE = Rule(
    name="deletion-protection",
    severities=(ADVICE,),
    seeks=Cluster,
    check=check,
    summary="a cluster does not say whether it may be deleted",
)
