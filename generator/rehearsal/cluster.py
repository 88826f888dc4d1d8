"""Clusters of the stand-in cloud. A cluster's node pools are objects of their own; its `node_pool` list is made from them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from generator.rehearsal import node_pool
from generator.rehearsal.behaviour import Behaviour, Context, Refusal, api_error, first
from generator.rehearsal.names import NODE_POOL
from generator.rehearsal.node_pool import NodePool
from generator.rehearsal.planning import Change
from generator.rehearsal.versions import default, is_newer, running
from generator.rehearsal.wire import UNKNOWN, Object, complete, is_wholly_known
from generator.schema import provider
from generator.schema.tree import BlockSchema

_PROTECTED = "Cannot destroy cluster because deletion_protection is set to true. Set it to false to proceed with cluster deletion."


class Cluster(Behaviour):
    """`google_container_cluster`."""

    def __init__(self, type_: str, schema: BlockSchema) -> None:
        super().__init__(type_, schema)
        pool_schema = provider.resource(NODE_POOL)
        assert pool_schema is not None
        self._pools = NodePool(NODE_POOL, pool_schema)

    def plan_creation(self, context: Context, proposed: Object) -> Object:
        """As the schema says, with what the provider's own checks refuse."""
        config = context.config
        node, control = config.get("node_version"), config.get("min_master_version")
        if node and config.get("remove_default_node_pool") is True:
            raise Refusal("node_version can only be specified if remove_default_node_pool is not true")
        if isinstance(node, str) and isinstance(control, str) and node.split("-")[0] != control.split("-")[0]:
            raise Refusal(
                f"Resource argument node_version (value: {node}) must either be unset or set to the same value as "
                f"min_master_version (value: {control}) on create."
            )
        planned = super().plan_creation(context, proposed)
        if planned.get("enable_autopilot") is True:
            planned |= {"enable_intranode_visibility": True, "networking_mode": "VPC_NATIVE"}
        return planned

    def plan_update(self, context: Context, prior: Object, proposed: Object) -> Change:
        """As the schema says; inline node pools that are replaced replace the cluster."""
        change = super().plan_update(context, prior, proposed)
        if prior.get("enable_l4_ilb_subsetting") and change.value.get("enable_l4_ilb_subsetting") is False:
            change.replace.append(("enable_l4_ilb_subsetting",))
        return change

    def create(self, context: Context, planned: Object) -> Object:
        """Make the cluster and its first node pools."""
        if not isinstance(planned.get("location"), str):
            planned["location"] = context.region
        _refuse(planned, strict=context.refuses())
        autopilot = planned.get("enable_autopilot") is True
        control = running(planned.get("min_master_version")) or default(autopilot)
        planned["master_version"] = control
        planned["node_version"] = running(_known(planned.get("node_version"))) or control
        if autopilot and planned.get("datapath_provider") is UNKNOWN:
            planned["datapath_provider"] = "ADVANCED_DATAPATH"
        inline = planned["node_pool"] if isinstance(planned.get("node_pool"), list) else []
        channel = context.choices["channel"]
        if channel != "none" and not context.config.get("release_channel"):
            planned["release_channel"] = [{"channel": channel}]
        rows = deepcopy(inline) or (
            [] if autopilot or planned.get("remove_default_node_pool") else [_default_pool(planned)]
        )
        planned["node_pool"] = []
        made = super().create(context, planned)
        if inline or planned.get("remove_default_node_pool"):
            made["node_config"] = made["node_config"] if context.config.get("node_config") else []
        written = context.config.get("node_pool") or []
        for index, row in enumerate(rows):
            self._make_pool(context, made, row, written[index] if index < len(written) else {})
        context.cloud.put(self.type, made["id"], made)
        return self._with_pools(context, made)

    def update(self, context: Context, prior: Object, planned: Object) -> Object:
        """Change the cluster in place, and the node pools that are written inline."""
        wanted = running(planned.get("min_master_version"))
        running_now = str(prior.get("master_version") or "")
        planned["master_version"] = wanted if wanted and is_newer(wanted, running_now) else running_now
        planned["node_version"] = running(_known(planned.get("node_version"))) or prior.get("node_version")
        before = {pool.get("name"): pool for pool in prior.get("node_pool") or []}
        for row in planned.get("node_pool") or []:
            if row != before.get(row.get("name")):
                self._change_pool(context, prior, row, node_pool.UNSENT_INLINE)
        if first(planned.get("node_config")) != first(prior.get("node_config")) and "default-pool" in before:
            row = before["default-pool"] | {"node_config": planned["node_config"]}
            self._change_pool(context, prior, deepcopy(row), node_pool.UNSENT)
        return self._with_pools(context, super().update(context, prior, planned))

    def read(self, context: Context, state: Object) -> Object | None:
        """The cluster with the node pools that it has now, whoever made them."""
        found = super().read(context, state)
        return None if found is None else self._with_pools(context, found)

    def delete(self, context: Context, prior: Object) -> None:
        """Delete the cluster; its node pools go with it."""
        if prior.get("deletion_protection") is not False:
            raise Refusal(_PROTECTED)
        for pool in self._pools_of(context, prior):
            context.cloud.remove(NODE_POOL, pool["id"])
        super().delete(context, prior)

    def _pools_of(self, context: Context, cluster: Object) -> list[Object]:
        prefix = f"{cluster['id']}/nodePools/"
        return [pool for pool in context.cloud.all(NODE_POOL) if str(pool["id"]).startswith(prefix)]

    def _with_pools(self, context: Context, cluster: Object) -> Object:
        schema = self.schema.blocks["node_pool"]
        return cluster | {"node_pool": [complete(pool, schema) for pool in self._pools_of(context, cluster)]}

    def _make_pool(self, context: Context, cluster: Object, row: Object, written: Object) -> None:
        place = {"project": cluster["project"], "location": cluster["location"], "cluster": cluster["name"]}
        pool = node_pool.make(context, self._pools, cluster, row | place, written)
        context.cloud.put(NODE_POOL, pool["id"], pool)

    def _change_pool(self, context: Context, cluster: Object, row: Object, unsent: tuple[str, ...]) -> None:
        pool_id = f"{cluster['id']}/nodePools/{row.get('name')}"
        before = context.cloud.get(NODE_POOL, pool_id)
        if before is None:
            self._make_pool(context, cluster, row, row)
            return
        after = before | row
        node_pool.change(context, self._pools, before, after, unsent)
        context.cloud.put(NODE_POOL, pool_id, after)


def _default_pool(cluster: Object) -> Object:
    config = cluster.get("node_config")
    return {
        "name": "default-pool",
        "initial_node_count": cluster.get("initial_node_count"),
        "node_config": deepcopy(config) if isinstance(config, list) else UNKNOWN,
    }


def _known(value: Any) -> Any:
    return value if is_wholly_known(value) else None


def _refuse(cluster: Object, *, strict: bool) -> None:
    """What the provider, or publicly known GKE, refuses when a cluster is made."""
    if cluster["location"] in (_known(cluster.get("node_locations")) or []) and cluster["location"].count("-") == 2:
        raise Refusal("when using a multi-zonal cluster, node_locations should not contain the original 'zone'")
    if not strict:
        return
    has_pools = isinstance(cluster.get("node_pool"), list) and cluster["node_pool"]
    autopilot = cluster.get("enable_autopilot") is True
    if not cluster.get("initial_node_count") and not has_pools and not autopilot:
        raise api_error(400, "Cluster.initial_node_count must be greater than zero.", "badRequest")
    advanced = cluster.get("datapath_provider") == "ADVANCED_DATAPATH"
    if advanced and first(cluster.get("network_policy")).get("enabled"):
        message = "Enabling NetworkPolicy for clusters with DatapathProvider=ADVANCED_DATAPATH is not allowed."
        raise api_error(400, message, "badRequest")
    if cluster.get("enable_multi_networking") is True and not advanced and not autopilot:
        raise api_error(400, "Multi-networking requires Dataplane V2.", "badRequest")
