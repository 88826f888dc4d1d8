"""The GKE version of a pool and its cluster has what the pool asks for.

## What it does
Floors: the automated RDMA NCCL installer needs 1.34.8-gke.1278000 (Autopilot: 1.36.2-gke.1368000), managed DRANET and the
accelerator network profile 1.34.1-gke.1829001, RDMA over networks of your own 1.31.4-gke.1183000 on `a3-ultragpu-8g` and
1.32.2-gke.1475000 on `a4-highgpu-8g`. A node pool for RDMA has the highest floor of what it uses.

error: the pool's `version`, or the cluster's `node_version` for pools inside the cluster, can only mean a version below the
floor. In a plan also: `min_master_version` of a cluster that is created, and the version of a cluster that exists, unless the
planned `min_master_version` reaches the floor.
warning: `min_master_version` below the floor, or no version at all and no release channel.
advice: no version, but a release channel.

Versions are compared as numbers: 1.34.10 is newer than 1.34.8. A part of a version (`1.34`, `1.34.8`) stands for the highest
version that it can mean.

## Why
GKE takes the older version without a word about RDMA: the nodes come up without the installer or the RDMA interfaces.
A warning is all that `min_master_version` deserves, because a cluster that was upgraded since may still write its first version.

## Bad
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  min_master_version = "1.34.7"
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Good
```hcl
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  min_master_version = "1.34.8-gke.1278000"
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = google_container_cluster.c.id

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
```

## Fix
None: another version upgrades the control plane or the nodes of what exists, at a time that is for you to choose.

## Source
- GKE documentation, "Configure GPUDirect RDMA with the automated NCCL installer", limitations
- [Create a custom AI-optimized GKE cluster](https://docs.cloud.google.com/ai-hypercomputer/docs/create/gke-ai-hypercompute-custom)
- [Cluster Toolkit, the floor of managed DRANET](https://github.com/GoogleCloudPlatform/cluster-toolkit/blob/main/modules/compute/gke-node-pool/main.tf)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import gke_version, values, versions
from generator.catalog.versions import Floor
from generator.rules import scope
from generator.rules.base import ADVICE, ERROR, WARNING, Problem, Rule
from generator.view import Answer, Cluster, Known, NodePool

_WHAT = {
    "installer": "the RDMA NCCL installer",
    "dranet": "managed DRANET and the accelerator network profile",
    "manual": "RDMA over networks of your own",
}


def floor_of(pool: NodePool) -> Floor | None:
    """The highest GKE floor of what a pool is known to use; None when it uses nothing that has one."""
    machine = scope.machine(pool)
    cluster = scope.cluster_of(pool)
    autopilot = cluster is not None and scope.is_autopilot(cluster) is True
    mode: versions.Mode = "autopilot" if autopilot else "standard"
    found: list[Floor | None] = []
    if scope.installer(pool):
        found.append(versions.floor("installer", mode=mode))
    if scope.dranet(pool):
        found.append(versions.floor("dranet", mode=mode))
    if scope.manual(pool) and machine is not None:
        found.append(versions.floor("manual", machine_type=machine.name))
    return versions.highest([f for f in found if f is not None])


def check(pool: NodePool) -> Iterator[Problem]:
    """The versions that a pool's nodes and its control plane can have."""
    if not scope.hardware(pool):
        return
    floor = floor_of(pool)
    if floor is None:
        return
    own = _own_version(pool)
    if _below(own, floor):
        yield scope.problem(pool, ERROR, own, _message("the nodes' version", own, floor), _help(floor))
    cluster = scope.cluster_of(pool)
    if cluster is not None:
        yield from _control_plane(pool, cluster, floor, own)


def _own_version(pool: NodePool) -> Answer:
    """The version of the pool's nodes: its own, or for a pool inside a cluster the cluster's `node_version`."""
    own = pool.get("version")
    if pool.kind == "inline" and scope.is_written(own) is False:
        return pool.resource.get("node_version")
    return own


def _control_plane(pool: NodePool, cluster: Cluster, floor: Floor, own: Answer) -> Iterator[Problem]:
    asked = cluster.resource.get("min_master_version")
    created = scope.is_created(cluster.resource)
    if not scope.is_text(cluster.resource) and not created:
        yield from _existing(pool, cluster, floor, asked)
    elif _below(asked, floor):
        severity = ERROR if created else WARNING
        note = scope.note(pool.header, "needed by this pool")
        yield scope.problem(
            cluster.resource, severity, asked, _message("min_master_version", asked, floor), _help(floor), *note
        )
    elif scope.is_written(asked) is False and scope.is_written(own) is False:
        yield from _no_version(pool, cluster, floor, asked)


def _existing(pool: NodePool, cluster: Cluster, floor: Floor, asked: Answer) -> Iterator[Problem]:
    """A cluster that exists: the plan shows its old version while it upgrades, so what is asked for counts as well."""
    runs = cluster.resource.get("master_version")
    wanted = scope.text(asked)
    upgrades = wanted is not None and gke_version.parse(wanted) is not None and not _below(asked, floor)
    if _below(runs, floor) and not upgrades:
        at = runs.span or cluster.resource.header
        note = scope.note(pool.header, "needed by this pool")
        message = _message("the cluster's version", runs, floor)
        yield scope.problem(cluster.resource, ERROR, at, message, _help(floor), *note)


def _no_version(pool: NodePool, cluster: Cluster, floor: Floor, asked: Answer) -> Iterator[Problem]:
    channel = cluster.resource.get("release_channel.channel")
    blocks = scope.present(cluster.resource.blocks("release_channel"))
    note = scope.note(pool.header, "needed by this pool")
    need = f"{_WHAT[floor.feature]} needs {floor.version} or later"
    if blocks is False or (isinstance(channel, Known) and channel.value in ("", values.no_channel())):
        message = f"neither a version nor a release channel is written, so GKE chooses the version; {need}"
        yield scope.problem(cluster.resource, WARNING, asked, message, _help(floor), *note)
    elif blocks and isinstance(channel, Known):
        message = f"the release channel {channel.show()} chooses the version; {need}"
        yield scope.problem(cluster.resource, ADVICE, asked, message, _help(floor), *note)


def _below(answer: Answer, floor: Floor) -> bool:
    version = scope.text(answer)
    return version is not None and gke_version.is_below(version, floor.version)


def _message(what: str, answer: Answer, floor: Floor) -> str:
    shown = answer.show() if isinstance(answer, Known) else ""
    return f"{what} is {shown}; {_WHAT[floor.feature]} needs {floor.version} or later"


def _help(floor: Floor) -> str:
    return f'Write "{floor.version}" or a later version.'


RULE = Rule(
    name="gke-version",
    severities=(ERROR, WARNING, ADVICE),
    seeks=NodePool,
    check=check,
    summary="the GKE version is too old for what the pool asks for",
)
