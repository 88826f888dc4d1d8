"""A cluster and a node pool in the stand-in cloud, made without Terraform."""

import copy

from generator.rehearsal.behaviour import Context
from generator.rehearsal.choices import DEFAULTS
from generator.rehearsal.cloud import Cloud
from generator.rehearsal.cluster import Cluster
from generator.rehearsal.names import CLUSTER, NODE_POOL
from generator.rehearsal.node_pool import NodePool
from generator.rehearsal.stand_in import PROVIDER_BLOCK, StandIn
from generator.rehearsal.wire import UNKNOWN, complete, messages, pack, unpack
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


def sample(schema):
    """Something for every argument that has to be written."""
    made = {"string": "text", "number": 1, "bool": True}
    config = {
        n: a.one_of[0] if a.one_of else made.get(a.type.name, []) for n, a in schema.arguments.items() if a.required
    }
    return config | {n: [sample(b)] for n, b in schema.blocks.items() if b.required or b.min}


class Stage:
    """A cluster and a node pool, made by the behaviours themselves, without Terraform."""

    def __init__(self, choices=DEFAULTS):
        self.cloud = Cloud()
        self.choices = choices
        self.kinds = {
            CLUSTER: Cluster(CLUSTER, provider.resource(CLUSTER)),
            NODE_POOL: NodePool(NODE_POOL, provider.resource(NODE_POOL)),
        }

    def context(self, config):
        return Context(self.cloud, project="my-project", config=config, choices=self.choices)

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


class Protocol:
    """The stand-in provider, called as Terraform calls it, without Terraform."""

    def __init__(self, faults=None, *, name="google", choices=DEFAULTS):
        self.cloud = Cloud()
        self.stand_in = StandIn(self.cloud, name, choices, faults)
        if name == "google":
            config = pack(complete({"project": "my-project", "region": "us-central1"}, PROVIDER_BLOCK))
            self.stand_in.Configure(messages().Configure.Request(config=config))

    def schema(self, type_):
        return self.stand_in._resource(type_)

    def plan(self, type_, prior, config):
        """The planned object, the paths that replace, and what was complained of."""
        schema = self.schema(type_)
        written = None if config is None else complete(config, schema)
        proposed = None if config is None else propose(schema, prior, written)
        response = self.stand_in.PlanResourceChange(
            messages().PlanResourceChange.Request(
                type_name=type_, prior_state=pack(prior), proposed_new_state=pack(proposed), config=pack(written)
            )
        )
        paths = [
            [step.attribute_name or step.element_key_int for step in path.steps] for path in response.requires_replace
        ]
        return unpack(response.planned_state), paths, [d.summary for d in response.diagnostics]

    def apply(self, type_, prior, config):
        """The state afterwards, and what was complained of."""
        planned, _, said = self.plan(type_, prior, config)
        if said:
            return prior, said
        written = None if config is None else complete(config, self.schema(type_))
        response = self.stand_in.ApplyResourceChange(
            messages().ApplyResourceChange.Request(
                type_name=type_, prior_state=pack(prior), planned_state=pack(planned), config=pack(written)
            )
        )
        return unpack(response.new_state), [d.summary for d in response.diagnostics]

    def create(self, type_, config):
        return self.apply(type_, None, config)

    def update(self, type_, prior, config):
        return self.apply(type_, prior, config)

    def delete(self, type_, prior):
        return self.apply(type_, prior, None)

    def read(self, type_, state):
        response = self.stand_in.ReadResource(
            messages().ReadResource.Request(type_name=type_, current_state=pack(state))
        )
        return unpack(response.new_state), [d.summary for d in response.diagnostics]

    def look_up(self, type_, config):
        schema = self.stand_in._data(type_)
        response = self.stand_in.ReadDataSource(
            messages().ReadDataSource.Request(type_name=type_, config=pack(complete(config, schema)))
        )
        return unpack(response.state), [d.summary for d in response.diagnostics]

    def stop(self):
        self.stand_in.Stop(None)
