"""What the Terraform templates print: names, variables and facts, worked out from a spec."""

from __future__ import annotations

from dataclasses import dataclass

from generator.catalog import labels, machines, versions
from generator.catalog import networks as network_facts
from generator.render.environment import Ready, hcl
from generator.spec.model import Exclusion, NetworkPair, NodePool, Spec

# Long enough for eight-GPU machines to come up and to drain; the provider's own default is an hour up to 7.41.
CREATE_TIMEOUT, UPDATE_TIMEOUT, DELETE_TIMEOUT = Ready("2h"), Ready("4h"), Ready("2h")

_DRIVERS = {"default": "DEFAULT", "latest": "LATEST", "disabled": "INSTALLATION_DISABLED"}


@dataclass(frozen=True, slots=True)
class Pool:
    """A node pool with everything that its resource block prints. Names of variables are None where the block needs none."""

    spec: NodePool
    id: Ready
    machine: machines.MachineType
    labels: tuple[tuple[str, str, Ready], ...]
    driver: str | None
    node_count: Ready | None
    min_node_count: Ready | None
    max_node_count: Ready | None
    reservation: Ready | None
    zone: Ready
    writes_zone: bool

    @property
    def lacks_driver(self) -> bool:
        """Whether GKE installs no driver, and no label says that another one is at work."""
        written = dict(self.spec.labels)
        others = (labels.no_device_plugin(), labels.gpu_dra_driver())
        return self.spec.gpu_driver == "disabled" and all(written.get(one.key) != one.value for one in others)

    @property
    def waits_for_capacity(self) -> bool:
        """Whether its nodes come when there is capacity, never from a reservation."""
        return self.spec.capacity.kind == "flex-start" or self.spec.queued_provisioning


def identifier(name: str) -> Ready:
    """A node pool's name as the label of its resource block: `rdma-pool` is `rdma_pool`."""
    return Ready(name.replace("-", "_"))


def pools(spec: Spec) -> tuple[Pool, ...]:
    """All node pools of a spec."""
    return tuple(_pool(pool, spec) for pool in spec.node_pools)


def _pool(pool: NodePool, spec: Spec) -> Pool:
    machine = machines.served_type(pool.machine_type)
    assert machine is not None, "the spec's checks let served machine types through only"
    ident = identifier(pool.name)
    # With the kind in front no name of one pool's variable can be that of another's, whatever the pools are called.
    suffix = "" if len(spec.node_pools) == 1 else f"_{ident}"
    scaled = pool.autoscaling is not None
    return Pool(
        spec=pool,
        id=ident,
        machine=machine,
        labels=_labels(pool),
        driver=None if pool.gpu_driver is None else _DRIVERS[pool.gpu_driver],
        node_count=None if scaled else Ready(f"node_count{suffix}"),
        min_node_count=Ready(f"min_node_count{suffix}") if scaled else None,
        max_node_count=Ready(f"max_node_count{suffix}") if scaled else None,
        reservation=Ready(f"reservation{suffix}") if pool.capacity.kind == "reservation" else None,
        zone=Ready("var.zone") if pool.zone == spec.zone else hcl(pool.zone),
        writes_zone=pool.zone != spec.cluster.location,
    )


def _labels(pool: NodePool) -> tuple[tuple[str, str, Ready], ...]:
    """Key, value and comment of each node label; the two that the dranet route needs come first."""
    own = tuple((key, value, Ready("")) for key, value in pool.labels)
    if pool.networking != "dranet":
        return own
    dranet, profile = labels.dranet(), labels.network_profile()
    needed = [
        (dranet.key, str(dranet.value), Ready("# Turns on managed DRANET, which hands the RDMA NICs to Pods")),
        (profile.key, str(profile.value), Ready("# GKE adds it to the nodes; unwritten, every plan would remove it")),
    ]
    return (*needed, *own)


def backend(spec: Spec) -> tuple[str, tuple[tuple[Ready, str], ...]] | None:
    """The backend's type and arguments; None when the folder names none."""
    chosen = spec.backend
    if chosen.kind == "none" or spec.layout == "module":
        return None
    values = {"bucket": chosen.bucket, "prefix": chosen.prefix, "path": chosen.path}
    return chosen.kind, tuple((Ready(name), value) for name, value in values.items() if value is not None)


def exclusions(spec: Spec) -> tuple[Exclusion, ...]:
    """The maintenance exclusions by name: the provider keeps them as a set."""
    maintenance = spec.cluster.maintenance
    return () if maintenance is None else tuple(sorted(maintenance.exclusions, key=lambda e: e.name))


def floor(spec: Spec) -> Ready:
    """The GKE version that the cluster needs at least."""
    needed = [versions.floor("installer", mode=spec.mode), versions.floor("dranet", mode=spec.mode)]
    needed += [
        versions.floor("manual", mode=spec.mode, machine_type=pool.machine_type)
        for pool in spec.node_pools
        if pool.networking == "multi-network"
    ]
    found = versions.highest([f for f in needed if f is not None])
    assert found is not None
    return Ready(found.version)


def limits(spec: Spec) -> tuple[tuple[str, int], ...]:
    """Resource and maximum of each limit of node auto-provisioning."""
    chosen, wanted = spec.cluster.node_auto_provisioning, spec.compute_class
    if chosen is None or wanted is None:
        return ()
    names = [wanted.machine_type, *(fallback.machine_type for fallback in wanted.fallbacks)]
    types = dict.fromkeys(m.accelerator_type for name in names if (m := machines.served_type(name)) is not None)
    return (("cpu", chosen.max_cpu), ("memory", chosen.max_memory_gb), *((type_, chosen.max_gpus) for type_ in types))


@dataclass(frozen=True, slots=True)
class TestValues:
    """What the folder's own tests try.

    Attributes:
        real: a GKE version that is new enough.
        old: one that is not.
        part: a part of a version that a version which is new enough has.
        elsewhere: a zone that is not in the cluster's location.
    """

    real: str
    old: str
    part: str
    elsewhere: str


def test_values(spec: Spec) -> TestValues:
    """Versions below and above the floor, and a zone elsewhere."""
    least = floor(spec)
    asked = None if spec.cluster.version is None else versions.newest(spec.cluster.version)
    major, minor = least.split(".")[:2]
    return TestValues(
        real=asked or str(least),
        old=f"{major}.{int(minor) - 1}.1-gke.1000000",
        part=f"{major}.{minor}",
        elsewhere="europe-west4-a" if spec.region != "europe-west4" else "us-central1-a",
    )


@dataclass(frozen=True, slots=True)
class Networks:
    """The networks of the multi-network route as the templates print them.

    Attributes:
        pair: their names and ranges.
        zone: the zone of the RoCE VPC, in HCL.
        rails: RDMA NICs of a node, which is the number of RDMA subnetworks.
        mtu: of the RoCE VPC.
        profile: the network profile as HCL text, with `${ }`.
        elsewhere: they are of another project (a Shared VPC).
    """

    pair: NetworkPair
    zone: Ready
    rails: int
    mtu: int
    profile: Ready
    elsewhere: bool

    @property
    def bits(self) -> int:
        """How many bits cut the RDMA range into its subnetworks."""
        return (self.rails - 1).bit_length()


def networks(spec: Spec) -> Networks | None:
    """The networks of the folder's multi-network pools; None without such a pool."""
    pair = spec.network_pair
    pool = next((pool for pool in pools(spec) if pool.spec.networks is not None), None)
    if pair is None or pool is None:
        return None
    zone = "${var.zone}" if pair.zone == spec.zone else pair.zone
    form = network_facts.profile_form().replace("PROJECT", "${var.project_id}").replace("ZONE", zone)
    return Networks(
        pair=pair,
        zone=pool.zone,
        rails=pool.machine.rdma_nics,
        mtu=network_facts.roce_mtu(),
        profile=Ready(f'"{form}"'),
        elsewhere=pair.project != spec.project,
    )
