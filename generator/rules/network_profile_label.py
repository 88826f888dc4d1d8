"""A pool with a network profile and labels of its own also writes the profile's label.

## What it does
warning: a node pool for RDMA has an `accelerator_network_profile` and writes `labels`, but not
`"gke.networks.io/accelerator-network-profile"` with the profile's name.

## Why
GKE adds this label to the pool. The provider compares all labels as soon as any is written, so every plan then wants to take the
label away again. With no `labels` at all there is no difference. Nothing is said when `ignore_changes` covers the labels.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"

    labels = {
      "cloud.google.com/gke-networking-dra-driver" = "true"
    }
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"

    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }
}
```

## Fix
Safe: writes the label that GKE sets anyway.

## Source
- [Configure automated networking for accelerator VMs](https://docs.cloud.google.com/kubernetes-engine/docs/how-to/config-auto-net-for-accelerators)
- [The provider's comparison of labels](https://github.com/hashicorp/terraform-provider-google/blob/main/google/services/container/node_config.go)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import labels, values
from generator.rules import scope
from generator.rules.base import WARNING, Problem, Rule
from generator.view import Known, NodePool, Unknown, edits


def check(pool: NodePool) -> Iterator[Problem]:
    """The profile's label, where any labels are written."""
    profile = pool.get(scope.PROFILE)
    if not scope.hardware(pool) or not scope.profile(pool) or not isinstance(profile, Known):
        return
    key = labels.network_profile().key
    if pool.has(scope.LABELS) is not True or pool.ignores_changes(f"{scope.LABELS}.{key}"):
        return
    answer = pool.element(scope.LABELS, key)
    if isinstance(answer, Unknown) or (isinstance(answer, Known) and answer.value == profile.value):
        return
    found = f"is {answer.show()}" if isinstance(answer, Known) else "is missing"
    message = f"the label {key} {found}; GKE sets it to {profile.show()}, so every plan wants to change the labels back"
    note = scope.note(profile.span, "the profile is here")
    help_ = f'Write "{key}" = {profile.show()} in labels.'
    # A misspelt profile has to be put right first.
    is_misspelt = profile.value != values.network_profile() and str(profile.value).lower() == values.network_profile()
    name = "" if profile.sensitive or is_misspelt else str(profile.value)
    fix = edits.with_element(edits.block_at(pool, "node_config"), "labels", key, name, safe=True) if name else None
    yield scope.problem(pool, WARNING, answer, message, help_, *note, fix=fix)


RULE = Rule(
    name="network-profile-label",
    severities=(WARNING,),
    seeks=NodePool,
    check=check,
    summary="labels are written without the one that GKE adds for the network profile",
)
