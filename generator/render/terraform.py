"""What the Terraform templates print: names, variables and facts, worked out from a spec."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalog import labels, machines, versions
from generator.render.environment import Ready, hcl
from generator.spec.model import Exclusion, NodePool, Spec

# Long enough for eight-GPU machines to come up and to drain; the provider's own default is an hour up to 7.41.
CREATE_TIMEOUT, UPDATE_TIMEOUT, DELETE_TIMEOUT = Ready("2h"), Ready("4h"), Ready("2h")

_RESERVATION_FORMS = (
    "Write NAME or projects/PROJECT/reservations/NAME, with /reservationBlocks/BLOCK and /reservationSubBlocks/SUB_BLOCK "
    "behind it as needed."
)

# What no two callers of a module share.
_OWN = ("project_id", "cluster_name", "location", "zone", "network", "subnetwork", "reservation")

_DRIVERS = {"default": "DEFAULT", "latest": "LATEST", "disabled": "INSTALLATION_DISABLED"}


@dataclass(frozen=True, slots=True)
class Validation:
    """A `validation` block: a condition in HCL that names its own variable only, and what to say when it fails."""

    condition: Ready
    message: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of the folder.

    Attributes:
        name: its name.
        type: its type in HCL.
        description: one sentence.
        value: what the spec gives it.
        validations: what must hold.
    """

    name: Ready
    type: Ready
    description: str
    value: str | int | bool
    validations: tuple[Validation, ...] = ()

    @property
    def is_required(self) -> bool:
        """Whether a module leaves it to each caller."""
        return self.name.startswith(_OWN)


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
    dranet, profile = labels.dranet(), labels.network_profile()
    needed = [
        (dranet.key, str(dranet.value), Ready("# Turns on managed DRANET, which hands the RDMA NICs to Pods")),
        (profile.key, str(profile.value), Ready("# GKE adds it to the nodes; unwritten, every plan would remove it")),
    ]
    return (*needed, *((key, value, Ready("")) for key, value in pool.labels))


def variables(spec: Spec) -> tuple[Variable, ...]:
    """All variables of the folder, in the order in which they are printed."""
    return (
        *_place_variables(spec),
        *_cluster_variables(spec),
        *_network_variables(spec),
        *(v for pool in pools(spec) for v in _pool_variables(pool)),
    )


def _place_variables(spec: Spec) -> Iterator[Variable]:
    text = Ready("string")
    yield Variable(Ready("project_id"), text, "ID of the Google Cloud project.", spec.project)
    yield Variable(
        Ready("zone"),
        text,
        "Zone of the GPU nodes.",
        spec.zone,
        (_matches("zone", "^[a-z]+-[a-z]+[0-9]+-[a-z0-9]+$", "A zone looks like us-central1-b."),),
    )
    kind, form, example = (
        ("Region", "^[a-z]+-[a-z]+[0-9]+$", "us-central1")
        if spec.cluster.is_regional
        else ("Zone", "^[a-z]+-[a-z]+[0-9]+-[a-z0-9]+$", "us-central1-b")
    )
    yield Variable(
        Ready("location"),
        text,
        f"{kind} of the cluster's control plane.",
        spec.cluster.location,
        (
            _matches(
                "location",
                form,
                f"The cluster is {'regional' if spec.cluster.is_regional else 'zonal'}: its location looks like {example}.",
            ),
        ),
    )


def _cluster_variables(spec: Spec) -> Iterator[Variable]:
    text, cluster = Ready("string"), spec.cluster
    yield Variable(
        Ready("cluster_name"),
        text,
        "Name of the cluster.",
        spec.name,
        (
            _matches(
                "cluster_name",
                "^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$",
                "A cluster's name: at most 40 small letters, digits and hyphens, a letter first, no hyphen last.",
            ),
        ),
    )
    if not cluster.create:
        return
    if cluster.version is not None:
        yield Variable(
            Ready("kubernetes_version"),
            text,
            "GKE version of the control plane; a part such as 1.34 means its newest patch.",
            cluster.version,
            (
                _matches(
                    "kubernetes_version",
                    "^[0-9]+[.][0-9]+([.][0-9]+(-gke[.][0-9]+)?)?$",
                    "A GKE version looks like 1.34, 1.34.8 or 1.34.8-gke.1278000.",
                ),
            ),
        )
    yield Variable(
        Ready("default_pool_node_count"),
        Ready("number"),
        "CPU nodes per zone in the default pool. Counts at creation only.",
        cluster.default_pool.node_count,
        (_whole("default_pool_node_count", 1),),
    )
    yield Variable(
        Ready("deletion_protection"),
        Ready("bool"),
        "Whether Terraform refuses to delete the cluster.",
        cluster.deletion_protection,
    )


def _network_variables(spec: Spec) -> Iterator[Variable]:
    text, cluster = Ready("string"), spec.cluster
    if cluster.network.network is not None:
        yield Variable(
            Ready("network"),
            text,
            "VPC of the cluster: a name, or projects/HOST/global/networks/NAME.",
            cluster.network.network,
        )
    if cluster.network.subnetwork is not None:
        yield Variable(
            Ready("subnetwork"),
            text,
            "Subnetwork of the cluster: a name, or projects/HOST/regions/REGION/subnetworks/NAME.",
            cluster.network.subnetwork,
        )


def _pool_variables(pool: Pool) -> Iterator[Variable]:
    number, name = Ready("number"), pool.spec.name
    if pool.node_count is not None:
        yield Variable(
            pool.node_count,
            number,
            f"Nodes of the pool {name}.",
            pool.spec.node_count or 0,
            (_whole(pool.node_count, 0),),
        )
    if pool.spec.autoscaling is not None and pool.min_node_count and pool.max_node_count:
        limits = pool.spec.autoscaling
        yield Variable(
            pool.min_node_count,
            number,
            f"Fewest nodes of the pool {name}.",
            limits.min_node_count,
            (_whole(pool.min_node_count, 0),),
        )
        yield Variable(
            pool.max_node_count,
            number,
            f"Most nodes of the pool {name}.",
            limits.max_node_count,
            (_whole(pool.max_node_count, 1),),
        )
    path = pool.spec.capacity.reservation_path
    if pool.reservation is not None and path is not None:
        form = "^(projects/[^/]+/reservations/)?[^/]+(/reservationBlocks/[^/]+(/reservationSubBlocks/[^/]+)?)?$"
        yield Variable(
            pool.reservation,
            Ready("string"),
            f"Reservation of the pool {name}. {_RESERVATION_FORMS}",
            path,
            (
                _matches(
                    pool.reservation,
                    form,
                    _RESERVATION_FORMS,
                ),
            ),
        )


def _matches(variable: str, form: str, message: str) -> Validation:
    return Validation(Ready(f"can(regex({hcl(form)}, var.{variable}))"), message)


def _whole(variable: str, least: int) -> Validation:
    return Validation(
        Ready(f"var.{variable} >= {least} && floor(var.{variable}) == var.{variable}"),
        f"{variable} has to be a whole number, at least {least}.",
    )


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


def floor() -> Ready:
    """The GKE version that a pool of the dranet route needs at least."""
    found = versions.highest([f for f in (versions.floor("installer"), versions.floor("dranet")) if f is not None])
    assert found is not None
    return Ready(found.version)
