"""A cluster and a node pool in the stand-in cloud, made without Terraform."""

import copy

from generator.rehearsal.behaviour import Context
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.cluster import Cluster
from generator.rehearsal.node_pool import CLUSTER, NODE_POOL, NodePool
from generator.rehearsal.wire import UNKNOWN, complete
from generator.schema import provider

CLUSTER_CONFIG = {
    "name": "gpu",
    "location": "us-central1-b",
    "initial_node_count": 3,
    "deletion_protection": False,
    "min_master_version": "1.34.8-gke.1278000",
    "datapath_provider": "ADVANCED_DATAPATH",
}
POOL_CONFIG = {
    "name": "rdma-pool",
    "cluster": "gpu",
    "location": "us-central1-b",
    "node_count": 3,
    "network_config": [{"accelerator_network_profile": "auto"}],
    "node_config": [
        {
            "machine_type": "a3-ultragpu-8g",
            "guest_accelerator": [{"type": "nvidia-h200-141gb", "count": 8}],
            "ephemeral_storage_local_ssd_config": [{"data_cache_count": 0, "local_ssd_count": 32}],
            "gpudirect_strategy": "RDMA",
            "labels": {
                "cloud.google.com/gke-networking-dra-driver": "true",
                "gke.networks.io/accelerator-network-profile": "auto",
            },
        }
    ],
}


def propose(schema, prior, config):
    """What Terraform proposes: the configuration, with what the provider computes taken from the state."""
    proposed = {}
    for name, argument in schema.arguments.items():
        value = config.get(name)
        proposed[name] = (prior or {}).get(name) if value is None and argument.computed else value
    for name, block in schema.blocks.items():
        rows, before = config.get(name), (prior or {}).get(name)
        if block.nesting == "single" or rows is UNKNOWN:
            proposed[name] = rows
        else:
            old = before if isinstance(before, list) else []
            proposed[name] = [propose(block, old[i] if i < len(old) else None, row) for i, row in enumerate(rows or [])]
    return proposed


class Stage:
    """A cluster and a node pool, made by the behaviours themselves, without Terraform."""

    def __init__(self):
        self.cloud = Cloud()
        self.kinds = {
            CLUSTER: Cluster(CLUSTER, provider.resource(CLUSTER)),
            NODE_POOL: NodePool(NODE_POOL, provider.resource(NODE_POOL)),
        }

    def context(self, config):
        return Context(self.cloud, project="my-project", config=config)

    def create(self, type_, config):
        kind = self.kinds[type_]
        config = complete(config, kind.schema)
        context = self.context(config)
        planned_object = kind.plan_creation(context, propose(kind.schema, None, config))
        return complete(
            kind.create(
                context,
                planned_object,
            ),
            kind.schema,
        )

    def plan(self, type_, prior, config):
        kind = self.kinds[type_]
        config = complete(config, kind.schema)
        return kind.plan_update(self.context(config), prior, propose(kind.schema, prior, config))

    def update(self, type_, prior, config):
        kind = self.kinds[type_]
        change = self.plan(type_, prior, config)
        context = self.context(complete(config, kind.schema))
        return complete(kind.update(context, prior, copy.deepcopy(change.value)), kind.schema)
