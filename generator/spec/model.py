"""A checked spec as frozen objects. Names are the spec's own; what a spec leaves out holds its default."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import IPv4Network
from itertools import islice
from typing import Literal

Mode = Literal["standard", "autopilot"]
Layout = Literal["root", "module"]
Driver = Literal["default", "latest", "disabled"]

# Names of Google Cloud have 63 characters at most, and the longest that is made of a prefix ends in `-internal`.
LONGEST_PREFIX = 54

# The longest prefix of a subnetwork's range in Google Cloud.
SMALLEST_SUBNETWORK = 29


def region_of(location: str) -> str:
    """The region of a zone (`us-central1-b`), or a region itself (`us-central1`)."""
    return "-".join(location.split("-")[:2])


def is_zone(location: str) -> bool:
    """Whether a location is a zone; else it is a region."""
    return location.count("-") >= 2


@dataclass(frozen=True, slots=True)
class Backend:
    """Where Terraform's state lies. `bucket` and `prefix` belong to gcs, `path` to local."""

    kind: Literal["none", "gcs", "local"] = "none"
    bucket: str | None = None
    prefix: str | None = None
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Capacity:
    """Where machines come from. Everything but `kind` belongs to a reservation; `project` owns it, None: the spec's."""

    kind: Literal["none", "reservation", "spot", "flex-start"]
    project: str | None = None
    name: str | None = None
    block: str | None = None
    sub_block: str | None = None

    @property
    def reservation_path(self) -> str | None:
        """The reservation as GKE's API takes it: a name, or a path with project, block and sub-block."""
        if self.kind != "reservation" or self.name is None:
            return None
        path = f"projects/{self.project}/reservations/{self.name}" if self.project else self.name
        if self.block:
            path += f"/reservationBlocks/{self.block}"
        if self.sub_block:
            path += f"/reservationSubBlocks/{self.sub_block}"
        return path


@dataclass(frozen=True, slots=True)
class DefaultPool:
    """The CPU pool that comes with a cluster; `node_count` is per zone."""

    node_count: int = 1
    machine_type: str | None = None


@dataclass(frozen=True, slots=True)
class Network:
    """Where the cluster lies: names, or full paths for a Shared VPC."""

    network: str | None = None
    subnetwork: str | None = None
    pods_range_name: str | None = None
    services_range_name: str | None = None


@dataclass(frozen=True, slots=True)
class AuthorizedNetwork:
    """Who may reach the control plane."""

    cidr_block: str
    display_name: str | None = None


@dataclass(frozen=True, slots=True)
class Private:
    """Private nodes and control plane; None where the spec says nothing."""

    nodes: bool | None = None
    endpoint: bool | None = None
    dns_endpoint: bool | None = None
    master_ipv4_cidr_block: str | None = None
    authorized_networks: tuple[AuthorizedNetwork, ...] = ()

    @property
    def has_private_cluster(self) -> bool:
        """Whether anything of Terraform's `private_cluster_config` is asked for."""
        return self.nodes is not None or self.endpoint is not None or self.master_ipv4_cidr_block is not None


@dataclass(frozen=True, slots=True)
class Window:
    """A recurring maintenance window: RFC 3339 times and an RFC 5545 rule."""

    start_time: str
    end_time: str
    recurrence: str


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A time without maintenance."""

    name: str
    start_time: str
    end_time: str
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class Maintenance:
    """When GKE may and must not do maintenance."""

    window: Window
    exclusions: tuple[Exclusion, ...] = ()


@dataclass(frozen=True, slots=True)
class AutoProvisioning:
    """Limits of node auto-provisioning for the whole cluster."""

    max_cpu: int
    max_memory_gb: int
    max_gpus: int


@dataclass(frozen=True, slots=True)
class Cluster:
    """The cluster. `create` False: it exists and is looked up."""

    location: str
    version: str | None
    create: bool = True
    release_channel: str | None = None
    default_pool: DefaultPool = field(default_factory=DefaultPool)
    deletion_protection: bool = True
    network: Network = field(default_factory=Network)
    private: Private = field(default_factory=Private)
    workload_identity: bool = True
    database_encryption_key: str | None = None
    service_account: str | None = None
    resource_labels: tuple[tuple[str, str], ...] = ()
    maintenance: Maintenance | None = None
    node_locations: tuple[str, ...] = ()
    node_auto_provisioning: AutoProvisioning | None = None

    @property
    def is_regional(self) -> bool:
        """Whether the control plane is spread over a region."""
        return not is_zone(self.location)


@dataclass(frozen=True, slots=True)
class Autoscaling:
    """Limits of the cluster autoscaler, per zone (a pool here has one zone)."""

    min_node_count: int
    max_node_count: int


@dataclass(frozen=True, slots=True)
class Networks:
    """The networks of the multi-network route: new ones by range, or existing ones by prefix."""

    gvnic_cidr: str | None = None
    rdma_cidr: str | None = None
    gvnic_prefix: str | None = None
    rdma_prefix: str | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class NetworkPair:
    """The two VPCs of the multi-network route, named as Google's page on the installer names them.

    Attributes:
        gvnic_prefix: of the gVNIC VPC: `PREFIX-net` with the subnetwork `PREFIX-sub`.
        rdma_prefix: of the RoCE VPC: `PREFIX-net` with the subnetworks `PREFIX-sub-0`, `PREFIX-sub-1` and so on.
        project: where they lie.
        zone: the RoCE VPC belongs to this one zone.
        exist: they are there already, and only used.
        gvnic_cidr: range of the gVNIC subnetwork; None for networks that exist.
        rdma_cidr: range that the RDMA subnetworks share; None for networks that exist.
    """

    gvnic_prefix: str
    rdma_prefix: str
    project: str
    zone: str
    exist: bool
    gvnic_cidr: str | None
    rdma_cidr: str | None

    @property
    def gvnic_network(self) -> str:
        """Name of the gVNIC VPC."""
        return f"{self.gvnic_prefix}-net"

    @property
    def gvnic_subnetwork(self) -> str:
        """Name of its one subnetwork."""
        return f"{self.gvnic_prefix}-sub"

    @property
    def rdma_network(self) -> str:
        """Name of the RoCE VPC."""
        return f"{self.rdma_prefix}-net"

    def rdma_subnetwork(self, rail: int) -> str:
        """Name of the subnetwork of one RDMA NIC, counted from 0."""
        return f"{self.rdma_prefix}-sub-{rail}"

    def rdma_ranges(self, rails: int) -> tuple[str, ...]:
        """The ranges of the RDMA subnetworks: `rdma_cidr` cut into equal parts, the first `rails` of them."""
        if self.rdma_cidr is None:
            return ()
        parts = IPv4Network(self.rdma_cidr).subnets(prefixlen_diff=(rails - 1).bit_length())
        return tuple(str(part) for part in islice(parts, rails))


@dataclass(frozen=True, slots=True)
class Taint:
    """A Kubernetes taint in Terraform's spelling."""

    key: str
    value: str
    effect: str


@dataclass(frozen=True, slots=True)
class UpgradeSettings:
    """Surge upgrades."""

    max_surge: int
    max_unavailable: int


@dataclass(frozen=True, slots=True)
class NodePool:
    """A GPU node pool in exactly one zone. Either `node_count` or `autoscaling` is set."""

    name: str
    machine_type: str
    capacity: Capacity
    zone: str
    node_count: int | None = None
    autoscaling: Autoscaling | None = None
    networking: Literal["dranet", "multi-network"] = "dranet"
    networks: Networks | None = None
    gpu_driver: Driver | None = None
    disk_type: str | None = None
    disk_size_gb: int | None = None
    disk_kms_key: str | None = None
    service_account: str | None = None
    oauth_scopes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    taints: tuple[Taint, ...] = ()
    upgrade_settings: UpgradeSettings | None = None
    max_run_duration: str | None = None
    queued_provisioning: bool = False
    compact_placement: bool = False


@dataclass(frozen=True, slots=True)
class Fallback:
    """What a ComputeClass tries next."""

    machine_type: str
    capacity: Capacity
    max_run_duration: str | None = None


@dataclass(frozen=True, slots=True)
class ComputeClass:
    """A ComputeClass that makes node pools when Pods ask for them."""

    name: str
    machine_type: str
    capacity: Capacity
    gpu_driver: Driver | None = None
    max_run_duration: str | None = None
    fallbacks: tuple[Fallback, ...] = ()


@dataclass(frozen=True, slots=True)
class Workload:
    """A workload manifest to write beside the test. `command` is shell."""

    name: str
    image: str
    command: str
    hosts: int = 1


@dataclass(frozen=True, slots=True)
class Spec:
    """A whole spec.

    Attributes:
        name: of the cluster.
        project: ID of the project.
        zone: where the GPUs are, unless a pool says otherwise.
    """

    name: str
    project: str
    zone: str
    cluster: Cluster
    mode: Mode = "standard"
    layout: Layout = "root"
    backend: Backend = field(default_factory=Backend)
    node_pools: tuple[NodePool, ...] = ()
    compute_class: ComputeClass | None = None
    workload: Workload | None = None

    @property
    def region(self) -> str:
        """The region of the zone."""
        return region_of(self.zone)

    @property
    def network_pair(self) -> NetworkPair | None:
        """The networks that all multi-network pools share; None without such a pool."""
        pool = next((pool for pool in self.node_pools if pool.networks is not None), None)
        if pool is None or pool.networks is None:
            return None
        chosen = pool.networks
        return NetworkPair(
            gvnic_prefix=chosen.gvnic_prefix or f"{self.name}-gvnic",
            rdma_prefix=chosen.rdma_prefix or f"{self.name}-rdma",
            project=chosen.project or self.project,
            zone=pool.zone,
            exist=chosen.gvnic_prefix is not None,
            gvnic_cidr=chosen.gvnic_cidr,
            rdma_cidr=chosen.rdma_cidr,
        )
