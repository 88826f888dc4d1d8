"""Objects of a cluster are not in the folder that makes the cluster.

## What it does
advice: a `kubernetes_manifest` in the same root as a cluster with a node pool for RDMA that this root makes.

## Why
The Kubernetes provider asks the cluster's API about the object while it plans. At the first plan there is no API yet, so the plan
fails, and it fails again whenever the cluster is to be replaced.

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

resource "kubernetes_manifest" "claim" {
  manifest = yamldecode(file("${path.module}/claim.yaml"))
}
```

## Good
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

## Fix
None: the object belongs into another root, or to `kubectl apply`.

## Source
- [kubernetes_manifest, before you use this resource](https://registry.terraform.io/providers/hashicorp/kubernetes/latest/docs/resources/manifest)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.rules import scope
from generator.rules.base import ADVICE, Problem, Rule
from generator.view import ModuleTree


def check(tree: ModuleTree) -> Iterator[Problem]:
    """Manifests beside a cluster in scope."""
    cluster = next((c for c in tree.clusters if c.resource.exists and any(scope.ours(c))), None)
    if cluster is None:
        return
    for resource in tree.resources:
        if resource.type == "kubernetes_manifest" and resource.mode == "managed":
            message = "this manifest needs the cluster's API at plan time, and the same root makes the cluster"
            help_ = "Move it to another root, or apply it with kubectl after the cluster has been made."
            note = scope.note(cluster.resource.header, "the cluster is made here")
            yield scope.problem(resource, ADVICE, resource.header, message, help_, *note)


RULE = Rule(
    name="kubernetes-manifest",
    severities=(ADVICE,),
    seeks=ModuleTree,
    check=check,
    summary="a kubernetes_manifest in the root that makes its cluster",
    depths=frozenset({"text"}),
)
