"""The node pools of resources: a resource of their own, or blocks inside a cluster."""

from __future__ import annotations

from collections.abc import Iterator

from generator.view.answers import Known
from generator.view.resource import Cluster, NodePool


def inline_pools(cluster: Cluster) -> Iterator[NodePool]:
    """The pools that are written inside a cluster: `node_pool` blocks, then the default pool of its own `node_config`.

    A default pool that the cluster removes again after its creation is none.
    """
    resource = cluster.resource
    for block in resource.data.blocks("node_pool"):
        yield NodePool("inline", resource, block, cluster)
    removed = resource.get("remove_default_node_pool")
    gone = isinstance(removed, Known) and removed.value is True
    if not gone and resource.data.blocks("node_config").items:
        yield NodePool("default", resource, resource, cluster)
