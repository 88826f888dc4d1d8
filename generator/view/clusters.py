"""Which node pool belongs to which cluster.

A reference counts (`google_container_cluster.c.name`, `.id`, `one(…)`, through inputs, outputs, locals and whole objects): the
value knows which resource it was read from. Equal known names count too, if projects and, where several fit, locations do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
    listed = list(resources)
    clusters = [Cluster(r) for r in listed if r.mode == "managed" and r.type == CLUSTER]
    by_address = {c.resource.address: c for c in clusters}
    looked_up = {r.address: r for r in listed if r.mode == "data" and r.type == CLUSTER}
    pools: list[NodePool] = []
    for cluster in clusters:
        cluster.pools.extend(inline_pools(cluster))
        pools += cluster.pools
        cluster.pools_known = cluster.resource.data.blocks("node_pool").unknown is None
    for resource in listed:
        if resource.mode == "managed" and resource.type == NODE_POOL:
            argument = resource.data.argument("cluster")
            found = _cluster_of(argument, resource, clusters, by_address)
            if isinstance(found, Unknown) and found.refers_to in looked_up:
                data = looked_up[found.refers_to]
                made = _cluster_of(data.data.argument("name"), data, clusters, by_address)
                found = made if isinstance(made, Cluster) else found
            pools.append(NodePool("resource", resource, resource, found))
            if isinstance(found, Cluster):
                found.pools.append(pools[-1])
            for cluster in clusters:
                if (found is cluster and not resource.exists) or (
                    found is not cluster and _may_be(argument, found, cluster)
                ):
                    cluster.pools_known = False
    return clusters, pools


def _cluster_of(
    argument: Argument | None, pool: Resource, clusters: Sequence[Cluster], by_address: dict[str, Cluster]
) -> Cluster | Unknown:
    if argument is None:
        return Unknown("the node pool names no cluster", pool.header)
    value = argument.value
    data = value.data
    if isinstance(data, UnknownData):
        found = by_address.get(data.refers_to or "") or _only_named(value, by_address)
        return found or Unknown(data.reason, argument.span, data.refers_to)
    if not isinstance(data, str):
        return Unknown("the cluster's name is no text", argument.span)
    named = _named(data, pool)
    for origin in value.trail:
        at = by_address.get(origin.refers_to or "")
        if at is not None and _known(at.resource, "name") == named.name:
            return at
    fitting = [c for c in clusters if _fits(c, named)]
    if len(fitting) > 1:
        place = named.location or _known(pool, "location")
        fitting = [c for c in fitting if _known(c.resource, "location") == place]
    if len(fitting) == 1:
        return fitting[0]
    return Unknown("no cluster with that name is made here, or several are", argument.span)


def _only_named(value: Value, by_address: dict[str, Cluster]) -> Cluster | None:
    """The one cluster whose identity is a part of an unknown value: of a template whose project is unknown, say."""
    named = {o.refers_to for o in value.trail if o.refers_to in by_address and o.what.endswith(_IDENTITY)}
    return by_address[named.pop() or ""] if len(named) == 1 else None


def _named(text: str, pool: Resource) -> _Named:
    match = _ID.fullmatch(text)
    if match is not None:
        return _Named(match["name"], match["project"], match["location"])
    return _Named(text, _known(pool, "project"), None)


def _fits(cluster: Cluster, named: _Named) -> bool:
    """Whether the name is the cluster's, and nothing that is known of project and location speaks against it."""
    if _known(cluster.resource, "name") != named.name:
        return False
    for argument, wanted in (("project", named.project), ("location", named.location)):
        written = _known(cluster.resource, argument)
        if wanted is not None and written is not None and written != wanted:
            return False
    return True


def _may_be(argument: Argument | None, found: Cluster | Unknown, cluster: Cluster) -> bool:
    """Whether a pool whose cluster is not known could be the cluster's."""
    if isinstance(found, Cluster) or argument is None:
        return False
    data = argument.value.data
    if isinstance(data, UnknownData):
        return data.refers_to is None
    name = _known(cluster.resource, "name")
    text = data if isinstance(data, str) else ""
    return name is None or text == name or text.endswith(f"/{name}")


def _known(resource: Resource, path: str) -> str | None:
    found = resource.get(path)
    return found.value if isinstance(found, Known) and isinstance(found.value, str) else None
