"""Which node pool belongs to which cluster.

A reference counts (`google_container_cluster.c.name`, `.id`, `one(…)`, through inputs, outputs, locals and whole objects): the
value knows which resource it was read from. Equal known names count too, if projects and, where several fit, locations do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from generator.hcl.values import UnknownData, Value
from generator.view.answers import Known, Unknown
from generator.view.block import Argument
from generator.view.pools import inline_pools
from generator.view.resource import CLUSTER, NODE_POOL, Cluster, NodePool, Resource

_IDENTITY = (".name", ".id", ".self_link")
_ID = re.compile(
    r"(?:https://[^/]+/v1(?:beta1)?/)?projects/(?P<project>[^/]+)/(?:locations|zones|regions)/(?P<location>[^/]+)/clusters/(?P<name>[^/]+)"
)


@dataclass(frozen=True, slots=True)
class _Named:
    """What a pool says about its cluster, None where it does not say."""

    name: str
    project: str | None
    location: str | None


def link(resources: Iterable[Resource]) -> tuple[list[Cluster], list[NodePool]]:
    """The clusters of a module tree with their pools, and all its node pools."""
    linker = _Linker(list(resources))
    linker.add_pools()
    return linker.clusters, linker.pools


class _Linker:
    """Finds the cluster of each pool.

    Args:
        resources: all resources and data sources of a tree.
    """

    def __init__(self, resources: list[Resource]) -> None:
        self.resources = resources
        self.clusters = [Cluster(r) for r in resources if r.mode == "managed" and r.type == CLUSTER]
        self.pools: list[NodePool] = []
        self.by_address: dict[str | None, Cluster] = {c.resource.address: c for c in self.clusters}
        self.looked_up = {r.address: r for r in resources if r.mode == "data" and r.type == CLUSTER}
        self.names: dict[str | None, str | None] = {
            c.resource.address: _known(c.resource, "name") for c in self.clusters
        }
        self.by_name: dict[str | None, list[Cluster]] = {}
        for cluster in self.clusters:
            self.by_name.setdefault(self.names[cluster.resource.address], []).append(cluster)

    def add_pools(self) -> None:
        """Gives each cluster its pools, and says where there may be more."""
        for cluster in self.clusters:
            cluster.pools.extend(inline_pools(cluster))
            self.pools += cluster.pools
        # Names of clusters that are not found here, "" for an unknown one: these may be those of clusters with unknown names.
        loose: set[str] = set()
        for resource in self.resources:
            if resource.mode == "managed" and resource.type == NODE_POOL:
                self._add(resource, loose)
        for cluster in self.clusters:
            name = self.names[cluster.resource.address]
            written = cluster.resource.data.blocks("node_pool").unknown is None
            made = [pool.resource for pool in cluster.pools if pool.kind == "resource"]
            certain = all(resource.exists or resource.stands_with(cluster.resource) for resource in made)
            cluster.pools_known = (
                written and certain and "" not in loose and (not loose if name is None else name not in loose)
            )

    def _add(self, resource: Resource, loose: set[str]) -> None:
        argument = resource.data.argument("cluster")
        found = self._cluster(argument, resource)
        pool = NodePool("resource", resource, resource, found)
        self.pools.append(pool)
        if isinstance(found, Cluster):
            found.pools.append(pool)
        elif argument is not None:
            data = argument.value.data
            if isinstance(data, str):
                loose.add(data.rpartition("/")[2])
            elif found.refers_to is None:
                loose.add("")

    def _cluster(self, argument: Argument | None, pool: Resource) -> Cluster | Unknown:
        """The cluster that an argument means, also through a data source that looks up one of the tree."""
        found = self._named_by(argument, pool)
        if isinstance(found, Unknown) and found.refers_to in self.looked_up:
            data = self.looked_up[found.refers_to]
            made = self._named_by(data.data.argument("name"), data)
            return made if isinstance(made, Cluster) else found
        return found

    def _named_by(self, argument: Argument | None, pool: Resource) -> Cluster | Unknown:
        if argument is None:
            return Unknown("the node pool names no cluster", pool.header)
        value = argument.value
        data = value.data
        if isinstance(data, UnknownData):
            found = self.by_address.get(data.refers_to) or self._part_of(value)
            return found or Unknown(data.reason, argument.span, data.refers_to)
        if not isinstance(data, str):
            return Unknown("the cluster's name is no text", argument.span)
        named = _named(data, pool)
        for origin in value.trail:
            if origin.refers_to in self.by_address and self.names[origin.refers_to] == named.name:
                return self.by_address[origin.refers_to]
        fitting = [c for c in self.by_name.get(named.name, ()) if _fits(c, named)]
        if len(fitting) > 1:
            place = named.location or _known(pool, "location")
            fitting = [c for c in fitting if _known(c.resource, "location") == place]
        if len(fitting) > 1:
            # A module that is called twice makes the same names twice, in two projects; a pool belongs to its own call's.
            fitting = [c for c in fitting if c.resource.module == pool.module]
        if len(fitting) == 1:
            return fitting[0]
        return Unknown("no cluster with that name is made here, or several are", argument.span)

    def _part_of(self, value: Value) -> Cluster | None:
        """The one cluster whose identity is a part of an unknown value: of a template whose project is unknown, say."""
        named = {o.refers_to for o in value.trail if o.refers_to in self.by_address and o.what.endswith(_IDENTITY)}
        return self.by_address[named.pop()] if len(named) == 1 else None


def _named(text: str, pool: Resource) -> _Named:
    match = _ID.fullmatch(text)
    if match is not None:
        return _Named(match["name"], match["project"], match["location"])
    return _Named(text, _known(pool, "project"), None)


def _fits(cluster: Cluster, named: _Named) -> bool:
    """Whether nothing that is known of project and location speaks against it."""
    for argument, wanted in (("project", named.project), ("location", named.location)):
        written = _known(cluster.resource, argument)
        if wanted is not None and written is not None and written != wanted:
            return False
    return True


def _known(resource: Resource, path: str) -> str | None:
    found = resource.get(path)
    return found.value if isinstance(found, Known) and isinstance(found.value, str) else None
