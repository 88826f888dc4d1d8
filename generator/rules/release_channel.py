"""Node upgrades and the release channel of the cluster go together.

## What it does
error: a node pool for RDMA has `auto_upgrade = false` while its cluster has a release channel.
warning: the same while the cluster writes no `release_channel` block, because GKE then enrols the cluster; or the cluster writes
the channel `UNSPECIFIED`. Clusters without a channel end on 2027-06-14.

## Why
In a release channel GKE upgrades the nodes: it refuses `auto_upgrade = false`, or switches it back so that every plan shows a
change. A maintenance exclusion keeps upgrades away for a time.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"

  release_channel {
    channel = "REGULAR"
  }
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  management {
    auto_upgrade = false
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Good
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  datapath_provider  = "ADVANCED_DATAPATH"

  release_channel {
    channel = "REGULAR"
  }
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  management {
    auto_upgrade = true
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}
```

## Fix
None: when nodes may be upgraded is for you to say.

## Source
- [Release notes, no channel](https://docs.cloud.google.com/kubernetes-engine/docs/release-notes-nochannel)
- [Upgrades off in a channel](https://github.com/nkoson/gke-tutorial/issues/8)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import values, versions
from generator.rules import scope
from generator.rules.base import ERROR, WARNING, Problem, Rule
from generator.view import Answer, Cluster, Known, NodePool


def check(pool: NodePool) -> Iterator[Problem]:
    """The upgrades of a pool against its cluster's channel."""
    cluster = scope.cluster_of(pool)
    if cluster is None or not scope.hardware(pool):
        return
    upgrade = pool.get("management.auto_upgrade")
    frozen = isinstance(upgrade, Known) and upgrade.value is False
    blocks = scope.present(cluster.resource.blocks("release_channel"))
    channel = cluster.resource.get("release_channel.channel")
    if blocks is False:
        if frozen:
            yield from _enrolled(pool, cluster, upgrade)
    elif blocks and isinstance(channel, Known):
        yield from _channel(pool, cluster, channel, upgrade if frozen else None)


def _enrolled(pool: NodePool, cluster: Cluster, upgrade: Answer) -> Iterator[Problem]:
    message = (
        "auto_upgrade is false and the cluster writes no release channel: GKE enrols it in one, "
        "and then refuses this or switches it back"
    )
    help_ = "Write auto_upgrade = true, and a maintenance exclusion in the cluster to keep upgrades away."
    yield scope.problem(pool, WARNING, upgrade, message, help_, *scope.note(cluster.resource.header, "the cluster"))


def _channel(pool: NodePool, cluster: Cluster, channel: Known, frozen: Answer | None) -> Iterator[Problem]:
    if channel.value == values.no_channel():
        message = f'the channel "{values.no_channel()}" is no channel, and clusters without one end on {versions.no_channel_ends()}'
        help_ = 'Write a channel: "RAPID", "REGULAR", "STABLE" or "EXTENDED".'
        yield scope.problem(
            cluster.resource, WARNING, channel, message, help_, *scope.note(pool.header, "a pool of it")
        )
    elif frozen is not None and channel.value:
        message = f"auto_upgrade is false, but the cluster is in the release channel {channel.show()}, where GKE upgrades the nodes"
        help_ = "Write auto_upgrade = true, and a maintenance exclusion in the cluster to keep upgrades away."
        yield scope.problem(pool, ERROR, frozen, message, help_, *scope.note(channel.span, "the channel"))


RULE = Rule(
    name="release-channel",
    severities=(ERROR, WARNING),
    seeks=NodePool,
    check=check,
    summary="a pool's upgrades do not go with the cluster's release channel",
)
