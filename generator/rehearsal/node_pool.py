"""Node pools of the stand-in cloud: a `google_container_node_pool`, or a `node_pool` block of a cluster."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from generator.catalog.machines import machine_type
from generator.rehearsal.additions import added_by_gke
from generator.rehearsal.answers import answers, fill
from generator.rehearsal.behaviour import Behaviour, Context, Refusal, api_error, first
from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.rehearsal.planning import Change
from generator.rehearsal.versions import running
from generator.rehearsal.wire import UNKNOWN, Object, complete

_CLUSTER_ID = re.compile(r"projects/([^/]+)/locations/([^/]+)/clusters/([^/]+)$")
# Arguments of `node_config` that the provider plans to change but has no code to send: of any pool, and of an inline one
# (it asks whether the cluster's own `node_config` has changed there).
UNSENT = ("gpudirect_strategy",)
UNSENT_INLINE = (*UNSENT, "boot_disk", "disk_size_gb", "disk_type", "machine_type", "storage_pools")
_NETWORKS = ("network_config", 0, "additional_node_network_configs")


class NodePool(Behaviour):
    """`google_container_node_pool`."""

    def plan_update(self, context: Context, prior: Object, proposed: Object) -> Change:
        """As the schema says; and networks that GKE made for a profile go with it."""
        change = super().plan_update(context, prior, proposed)
        before, after = first(prior.get("network_config")), first(change.value.get("network_config"))
        networks = after.get("additional_node_network_configs")
        if not networks or first(context.config.get("network_config")).get("additional_node_network_configs"):
            return change
        profile = after.get("accelerator_network_profile")
        if not profile or profile != before.get("accelerator_network_profile"):
            after["additional_node_network_configs"] = []
            change.differs = True
            change.replace.append(_NETWORKS)
        return change

    def create(self, context: Context, planned: Object) -> Object:
        """Make the pool in its cluster, which has to be there."""
        project, location, name = _cluster_of(context, planned)
        parent_id = f"projects/{project}/locations/{location}/clusters/{name}"
        parent = context.cloud.get(CLUSTER, parent_id)
        if parent is None:
            raise Refusal(f"error creating NodePool: {api_error(404, f'Not found: {parent_id}.', 'notFound')}")
        if parent.get("enable_autopilot") and context.refuses():
            problem = api_error(400, "Autopilot clusters do not support mutating node pools.", "badRequest")
            raise Refusal(f"error creating NodePool: {problem}")
        planned |= {"project": project, "location": location}
        made = make(context, self, parent, planned, context.config)
        made["cluster"] = planned["cluster"]
        context.cloud.put(NODE_POOL, made["id"], made)
        return made

    def update(self, context: Context, prior: Object, planned: Object) -> Object:
        """Change the pool in place; `gpudirect_strategy` is never sent."""
        change(context, self, prior, planned)
        context.cloud.put(NODE_POOL, prior["id"], planned)
        return planned

    def sends(self, prior: Object, planned: Object) -> bool:
        """Not when only `gpudirect_strategy` changes."""
        rows = [dict(row) for row in planned.get("node_config") or []]
        for row, before in zip(rows, prior.get("node_config") or [], strict=False):
            row |= {name: before.get(name) for name in UNSENT}
        return super().sends(prior, planned | {"node_config": rows})

    def names(self, context: Context, object_: Object) -> dict[str, str]:
        """With the cluster's bare name, however the pool names it."""
        cluster = str(object_.get("cluster") or "").rpartition("/")[2]
        return super().names(context, object_ | {"cluster": cluster})


def make(context: Context, kind: Behaviour, cluster: Object, pool: Object, config: Mapping[str, Any]) -> Object:
    """A new pool as GKE answers it.

    Args:
        context: provider and cloud.
        kind: the behaviour of node pools.
        cluster: its cluster.
        pool: the planned pool, changed in place.
        config: what the user wrote.

    Raises:
        Refusal: the provider or GKE refuses it.
    """
    _name(pool, context)
    _refuse(pool, config, strict=context.refuses())
    _counts(pool)
    _nodes(context, cluster, pool)
    known = kind.names(context, pool | {"cluster": cluster["name"], "location": cluster["location"]})
    pool["id"] = known["id"]
    if context.cloud.get(NODE_POOL, pool["id"]) is not None:
        raise Refusal(f"resource - {pool['id']} - already exists")
    if context.choices["anp-networks"] == "on":
        _networks(cluster, pool)
    fill(kind.schema, pool, answers(NODE_POOL).values, known)
    added_by_gke(context, pool)
    return complete(pool, kind.schema)


def change(context: Context, kind: Behaviour, prior: Object, planned: Object, unsent: tuple[str, ...] = UNSENT) -> None:
    """An existing pool as GKE answers it after an update, in place; what is not sent stays as it is."""
    node, before = first(planned.get("node_config")), first(prior.get("node_config"))
    if node:
        node |= {name: deepcopy(before.get(name)) for name in unsent}
        if node.get("boot_disk") == before.get("boot_disk"):
            _same_disk(node, from_block=False)
        else:
            _same_disk(node, from_block=True)
    planned["version"] = running(planned.get("version")) or prior.get("version")
    fill(kind.schema, planned, answers(NODE_POOL).values, kind.names(context, planned))
    added_by_gke(context, planned)


def _cluster_of(context: Context, pool: Object) -> tuple[str, str, str]:
    written = str(pool.get("cluster"))
    whole = _CLUSTER_ID.search(written)
    if whole:
        return whole[1], whole[2], whole[3]
    project, location = pool.get("project"), pool.get("location")
    return (
        project if isinstance(project, str) and project else context.project,
        location if isinstance(location, str) and location else context.region,
        written.rpartition("/")[2],
    )


def _name(pool: Object, context: Context) -> None:
    if isinstance(pool.get("name"), str):
        return
    prefix = pool.get("name_prefix")
    number = len(context.cloud.all(NODE_POOL)) + 1
    pool["name"] = f"{prefix if isinstance(prefix, str) else 'terraform-'}{number:09d}"


def _refuse(pool: Object, config: Mapping[str, Any], *, strict: bool) -> None:
    name = pool["name"]
    if config.get("node_count") is not None and config.get("initial_node_count") is not None:
        raise Refusal(f"Cannot set both initial_node_count and node_count on node pool {name}")
    upgrade = first(config.get("upgrade_settings"))
    surge = upgrade.get("max_surge") is not None or upgrade.get("max_unavailable") is not None
    if upgrade.get("strategy") == "BLUE_GREEN" and surge:
        raise Refusal("Surge upgrade settings may not be changed when surge strategy is not enabled")
    if not strict:
        return
    node = first(config.get("node_config"))
    kinds = ("ephemeral_storage_local_ssd_config", "local_nvme_ssd_block_config", "local_ssd_count")
    if sum(bool(node.get(kind)) for kind in kinds) > 1:
        raise api_error(400, "Only one local SSD configuration can be set.", "badRequest")
    strategy = node.get("gpudirect_strategy")
    if strategy not in (None, "", "RDMA"):
        field = "node_pool.config.gpu_direct_config.gpu_direct_strategy"
        problem = api_error(400, f"Invalid value at '{field}', \"{strategy}\"", "badRequest")
        raise Refusal(f"error creating NodePool: {problem}")


def _counts(pool: Object) -> None:
    written, initial = pool.get("node_count"), pool.get("initial_node_count")
    count = written if isinstance(written, int) else initial if isinstance(initial, int) else 0
    limits = first(pool.get("autoscaling"))
    at_work = max(count, limits.get("min_node_count") or 0)
    pool |= {"node_count": written if isinstance(written, int) else at_work, "initial_node_count": count}


def _nodes(context: Context, cluster: Object, pool: Object) -> None:
    if not isinstance(pool.get("node_locations"), list):
        location = cluster["location"]
        zones = [location] if location.count("-") == 2 else [f"{location}-{letter}" for letter in "abc"]
        pool["node_locations"] = sorted({*zones, *(cluster.get("node_locations") or [])})
    pool["version"] = running(pool.get("version")) or cluster["node_version"]
    if not isinstance(pool.get("node_config"), list):
        return
    node = first(pool["node_config"])
    served = machine_type(str(node.get("machine_type")))
    disk = context.choices["disk"]
    if disk == "auto":
        disk = "hyperdisk-balanced" if served is not None and served.additional_networks else "pd-balanced"
    written = first(node.get("boot_disk"))
    if node.get("disk_type") is UNKNOWN and written.get("disk_type") in (None, UNKNOWN):
        node["disk_type"] = disk
    if node.get("image_type") is UNKNOWN:
        node["image_type"] = context.choices["image"]
    _same_disk(node, from_block=isinstance(node.get("boot_disk"), list))


def _same_disk(node: Object, *, from_block: bool) -> None:
    """Keep the two ways to describe the boot disk alike, as GKE answers both."""
    block = first(node.get("boot_disk"))
    for argument, inner in (("disk_size_gb", "size_gb"), ("disk_type", "disk_type")):
        if from_block and block.get(inner) not in (None, UNKNOWN):
            node[argument] = block[inner]
        elif node.get(argument) not in (None, UNKNOWN):
            if not block:
                block = {"provisioned_iops": 0, "provisioned_throughput": 0, "size_gb": 100, "disk_type": "pd-balanced"}
                node["boot_disk"] = [block]
            block[inner] = node[argument]


def _networks(cluster: Object, pool: Object) -> None:
    """Report the networks that GKE makes for the profile "auto"."""
    network = first(pool.get("network_config"))
    machine = machine_type(str(first(pool.get("node_config")).get("machine_type")))
    if network.get("accelerator_network_profile") != "auto" or machine is None or not machine.additional_networks:
        return
    if network.get("additional_node_network_configs") not in (None, [], UNKNOWN):
        return
    prefix = f"gke-{cluster['name']}-anp"
    rails = range(machine.additional_networks - 1)
    network["additional_node_network_configs"] = [
        {"network": f"{prefix}-gvnic", "subnetwork": f"{prefix}-gvnic-sub"},
        *({"network": f"{prefix}-rdma", "subnetwork": f"{prefix}-rdma-sub-{rail}"} for rail in rails),
    ]
