"""The variables of a generated folder: what the spec gives them, and what must hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.render.environment import Ready, hcl
from generator.render.terraform import Networks, Pool, networks, pools
from generator.spec.model import LONGEST_PREFIX, SMALLEST_SUBNETWORK, NetworkPair, Spec

_RESERVATION_FORMS = (
    "Write NAME or projects/PROJECT/reservations/NAME, with /reservationBlocks/BLOCK and /reservationSubBlocks/SUB_BLOCK "
    "behind it as needed."
)

_PREFIX_FORM = f"A prefix: at most {LONGEST_PREFIX} small letters, digits and hyphens, a letter first, no hyphen last."

# What no two callers of a module share.
_OWN = ("project_id", "cluster_name", "location", "zone", "network", "subnetwork", "networks_project", "reservation")


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
        wrong: a value that its validations refuse; None without validations.
        optional: a module leaves it open, with `value` as its default.
    """

    name: Ready
    type: Ready
    description: str
    value: str | int | bool | None
    validations: tuple[Validation, ...] = ()
    wrong: str | int | None = None
    optional: bool = False

    @property
    def is_required(self) -> bool:
        """Whether a module leaves it to each caller."""
        return not self.optional and self.name.startswith(_OWN)


def variables(spec: Spec) -> tuple[Variable, ...]:
    """All variables of the folder, in the order in which they are printed."""
    return (
        *_place_variables(spec),
        *_cluster_variables(spec),
        *_network_variables(spec),
        *_pair_variables(spec),
        *(v for pool in pools(spec) for v in _pool_variables(pool)),
    )


def _place_variables(spec: Spec) -> Iterator[Variable]:
    text = Ready("string")
    yield Variable(
        Ready("project_id"),
        text,
        "ID of the Google Cloud project.",
        spec.project,
        (_is_project("project_id"),),
        "My_Project",
    )
    yield Variable(
        Ready("zone"),
        text,
        "Zone of the GPU nodes.",
        spec.zone,
        (_matches("zone", "^[a-z]+-[a-z]+[0-9]+-[a-z0-9]+$", "A zone looks like us-central1-b."),),
        wrong="us-central1",
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
        wrong="us-central1-b" if spec.cluster.is_regional else "us-central1",
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
        wrong="My_Cluster",
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
            wrong="latest",
        )
    if spec.mode == "standard":
        yield Variable(
            Ready("default_pool_node_count"),
            Ready("number"),
            "CPU nodes per zone in the default pool. Counts at creation only.",
            cluster.default_pool.node_count,
            (_whole("default_pool_node_count", 1),),
            wrong=0,
        )
    yield Variable(
        Ready("deletion_protection"),
        Ready("bool"),
        "Whether Terraform refuses to delete the cluster.",
        cluster.deletion_protection,
    )


def _network_variables(spec: Spec) -> Iterator[Variable]:
    """The cluster's network: where the spec names one, and always for the callers of a module."""
    chosen, is_open = spec.cluster.network, spec.layout == "module" and spec.cluster.create
    for name, value, usual, what, path in (
        ("network", chosen.network, "default", "VPC", "global/networks"),
        ("subnetwork", chosen.subnetwork, None, "Subnetwork", "regions/REGION/subnetworks"),
    ):
        if value is None and not is_open:
            continue
        given = usual if value is None else value
        yield Variable(
            Ready(name),
            Ready("string"),
            f"{what} of the cluster: a name, or projects/HOST/{path}/NAME.",
            given,
            (_is_link(name, path, may_be_null=given is None),),
            wrong="My_Network",
            optional=value is None,
        )


def _pair_variables(spec: Spec) -> Iterator[Variable]:
    pair, made = spec.network_pair, networks(spec)
    if pair is None or made is None:
        return
    for name, prefix, kind, names in (
        ("gvnic_network_prefix", pair.gvnic_prefix, "gVNIC", "PREFIX-net and PREFIX-sub"),
        (
            "rdma_network_prefix",
            pair.rdma_prefix,
            "RDMA",
            f"PREFIX-net and PREFIX-sub-0 to PREFIX-sub-{made.rails - 1}",
        ),
    ):
        yield Variable(
            Ready(name),
            Ready("string"),
            f"How the names of the {kind} network begin: {names}. The Kubernetes manifests name them too.",
            prefix,
            (_matches(name, f"^[a-z]([a-z0-9-]{{0,{LONGEST_PREFIX - 2}}}[a-z0-9])?$", _PREFIX_FORM),),
            wrong="My_Network",
        )
    if not pair.exist:
        yield from _range_variables(pair, made)
    elif made.elsewhere:
        yield Variable(
            Ready("networks_project"),
            Ready("string"),
            "Project of the existing networks.",
            pair.project,
            (_is_project("networks_project"),),
            wrong="My_Project",
        )


def _range_variables(pair: NetworkPair, made: Networks) -> Iterator[Variable]:
    for name, range_, longest, what in (
        ("gvnic_cidr", pair.gvnic_cidr, SMALLEST_SUBNETWORK, "the gVNIC subnetwork"),
        ("rdma_cidr", pair.rdma_cidr, SMALLEST_SUBNETWORK - made.bits, f"the {made.rails} RDMA subnetworks together"),
    ):
        yield Variable(
            Ready(name),
            Ready("string"),
            f"IPv4 range of {what}.",
            range_ or "",
            (_is_range(name, longest),),
            wrong="192.168.64.1/18",
        )


def _is_range(variable: str, longest: int) -> Validation:
    """An IPv4 range that begins where it says, and is large enough."""
    checks = (
        f'can(regex("^[0-9.]+/[0-9]+$", var.{variable}))',
        f"try(cidrsubnet(var.{variable}, 0, 0) == var.{variable}, false)",
        f'try(tonumber(split("/", var.{variable})[1]) <= {longest}, false)',
    )
    return Validation(
        Ready(" && ".join(checks)),
        f"{variable} has to be an IPv4 range without host bits, such as 192.168.64.0/18: a /{longest} or larger.",
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
            wrong=-1,
        )
    if pool.spec.autoscaling is not None and pool.min_node_count and pool.max_node_count:
        limits = pool.spec.autoscaling
        yield Variable(
            pool.min_node_count,
            number,
            f"Fewest nodes of the pool {name}.",
            limits.min_node_count,
            (_whole(pool.min_node_count, 0),),
            wrong=-1,
        )
        yield Variable(
            pool.max_node_count,
            number,
            f"Most nodes of the pool {name}.",
            limits.max_node_count,
            (_whole(pool.max_node_count, 1),),
            wrong=0,
        )
    path = pool.spec.capacity.reservation_path
    if pool.reservation is not None and path is not None:
        form = "^(projects/[^/]+/reservations/)?[^/]+(/reservationBlocks/[^/]+(/reservationSubBlocks/[^/]+)?)?$"
        yield Variable(
            pool.reservation,
            Ready("string"),
            f"Reservation of the pool {name}. {_RESERVATION_FORMS}",
            path,
            (_matches(pool.reservation, form, _RESERVATION_FORMS),),
            wrong="projects/other-project/my-reservation",
        )


def _is_project(variable: str) -> Validation:
    return _matches(
        variable,
        "^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$",
        "A project ID: 6 to 30 small letters, digits and hyphens, a letter first, no hyphen last.",
    )


def _is_link(variable: str, path: str, *, may_be_null: bool) -> Validation:
    """A name, a path, or a link as the attributes `id` and `self_link` of other resources have it."""
    form = f"^(https://[^/]+/compute/[^/]+/)?(projects/[^/]+/{path.replace('REGION', '[^/]+')}/)?[a-z]([a-z0-9-]{{0,61}}[a-z0-9])?$"
    made = _matches(variable, form, f"Write a name, or projects/HOST/{path}/NAME.")
    return Validation(Ready(f"var.{variable} == null || {made.condition}"), made.message) if may_be_null else made


def _matches(variable: str, form: str, message: str) -> Validation:
    return Validation(Ready(f"can(regex({hcl(form)}, var.{variable}))"), message)


def _whole(variable: str, least: int) -> Validation:
    return Validation(
        Ready(f"var.{variable} >= {least} && floor(var.{variable}) == var.{variable}"),
        f"{variable} has to be a whole number, at least {least}.",
    )
