"""Which provider versions the resources of a module tree need; shared by `provider-version` and `provider-lock`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalog import versions
from generator.catalog.constraints import Version, parse_version
from generator.rules import scope
from generator.view import CLUSTER, NODE_POOL, ModuleTree, Resource

GOOGLE = "hashicorp/google"
BETA = "hashicorp/google-beta"
_NETWORK = "google_compute_network"


@dataclass(frozen=True, slots=True)
class Need:
    """One argument or block that asks for a provider version.

    Attributes:
        resource: where it is written.
        path: its path.
        floor: the first version with it.
        ours: a pool for RDMA, its cluster or a network profile uses it.
    """

    resource: Resource
    path: str
    floor: Version
    ours: bool


def needs(tree: ModuleTree) -> Iterator[Need]:
    """Everything in a tree that asks for a version of hashicorp/google or hashicorp/google-beta."""
    ours = _ours(tree)
    for resource in tree.resources:
        if resource.provider not in (GOOGLE, BETA):
            continue
        for path, since in resource.floors():
            text = since if resource.provider == GOOGLE else _beta(resource, path)
            floor = parse_version(text) if text else None
            if floor is not None:
                is_ours = resource.address in ours or (resource.type == _NETWORK and path == "network_profile")
                yield Need(resource, path, floor, is_ours)


def _beta(resource: Resource, path: str) -> str | None:
    return versions.provider_beta_floor(path) if resource.type in (NODE_POOL, CLUSTER) else None


def _ours(tree: ModuleTree) -> frozenset[str]:
    found: set[str] = set()
    for pool in tree.pools:
        if scope.hardware(pool):
            found.add(pool.resource.address)
            cluster = scope.cluster_of(pool)
            if cluster is not None:
                found.add(cluster.resource.address)
    return frozenset(found)
