"""What the gcloud script prints: one step for each resource of a spec, in the order in which they are made."""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator.catalog import nccl, networks, values, versions
from generator.render import terraform
from generator.render.environment import Ready, render, sh
from generator.render.gcloud_calls import Command, Exclusion, Flag, Resource, pairs
from generator.render.gcloud_pools import machine_of, pool_resource
from generator.render.manifests import cluster_objects
from generator.render.shell_text import gcloud_list
from generator.spec.model import NetworkPair, Spec

# The script's name in a generated folder.
NAME = "create.sh"

_ALL_OF_GOOGLE_CLOUD = "https://www.googleapis.com/auth/cloud-platform"


def script(spec: Spec) -> str:
    """The script that makes with gcloud and kubectl what the folder makes with Terraform."""
    pair = spec.network_pair
    floors = [
        found for feature in ("installer", "dranet") if (found := versions.floor(feature, mode=spec.mode)) is not None
    ]
    floor = versions.highest(floors)
    assert floor is not None
    return render(
        "gcloud/create.sh.j2",
        spec=spec,
        networks=() if pair is None or pair.exist else tuple(_networks(pair, spec)),
        cluster=_cluster(spec) if spec.cluster.create else None,
        describe=_look_at_cluster(spec),
        window=_late_window(spec),
        exclusions=tuple(_exclusions(spec)),
        pools=tuple(pool_resource(pool, spec) for pool in spec.node_pools),
        credentials=_credentials(spec),
        manifests={Ready(name): Ready(text) for name, text in cluster_objects(spec).items()},
        floor=Ready(floor.version),
        gcloud_floor=Ready(versions.gcloud_floor()),
        datapath=Ready(values.datapath_provider()),
        nccl_command=Ready(" ".join(nccl.command())),
        shows_names=any(network.display_name is not None for network in spec.cluster.private.authorized_networks),
    )


def _place(spec: Spec) -> tuple[Flag, Flag]:
    return Flag("--location", spec.cluster.location), Flag("--project", spec.project)


def _networks(pair: NetworkPair, spec: Spec) -> Iterator[Resource]:
    machine = next(machine_of(pool) for pool in spec.node_pools if pool.networks is not None)
    own = Flag("--subnet-mode", "custom")
    assert pair.gvnic_cidr is not None, "networks to make have ranges"
    yield _network(pair.gvnic_network, pair.project, (own,))
    yield _subnetwork(pair.gvnic_subnetwork, pair.gvnic_network, pair.gvnic_cidr, pair, spec)
    rule = f"{pair.gvnic_prefix}-internal"
    yield Resource(
        f"firewall rule {rule}",
        Command("compute firewall-rules describe", rule, (Flag("--project", pair.project),)),
        Command(
            "compute firewall-rules create",
            rule,
            (
                Flag("--project", pair.project),
                Flag("--network", pair.gvnic_network),
                Flag("--allow", "tcp,udp,icmp"),
                Flag("--source-ranges", pair.gvnic_cidr),
            ),
        ),
    )
    profile = machine.profile_name(pair.zone)
    assert profile is not None, "served machine types have RDMA"
    mtu = Flag("--mtu", str(networks.roce_mtu()))
    yield _network(pair.rdma_network, pair.project, (own, Flag("--network-profile", profile), mtu))
    for rail, block in enumerate(pair.rdma_ranges(machine.rdma_nics)):
        yield _subnetwork(pair.rdma_subnetwork(rail), pair.rdma_network, block, pair, spec)


def _network(name: str, project: str, flags: tuple[Flag, ...]) -> Resource:
    here = Flag("--project", project)
    return Resource(
        f"network {name}",
        Command("compute networks describe", name, (here,)),
        Command("compute networks create", name, (here, *flags)),
    )


def _subnetwork(name: str, network: str, block: str, pair: NetworkPair, spec: Spec) -> Resource:
    here, region = Flag("--project", pair.project), Flag("--region", spec.region)
    return Resource(
        f"subnetwork {name}",
        Command("compute networks subnets describe", name, (here, region)),
        Command(
            "compute networks subnets create", name, (here, Flag("--network", network), region, Flag("--range", block))
        ),
    )


def _look_at_cluster(spec: Spec) -> Command:
    return Command("container clusters describe", spec.name, _place(spec))


def _cluster(spec: Spec) -> Resource:
    autopilot = spec.mode == "autopilot"
    parts = [*_place(spec), *_version(spec)]
    if not autopilot:
        parts += _standard(spec)
    parts += [*_location_of_cluster(spec), *_security(spec)]
    document = None
    if not autopilot:
        provisioning, document = _auto_provisioning(spec)
        parts += [*provisioning, *_window(spec)]
    words = "container clusters create-auto" if autopilot else "container clusters create"
    return Resource(f"cluster {spec.name}", _look_at_cluster(spec), Command(words, spec.name, tuple(parts), document))


def _version(spec: Spec) -> Iterator[Flag]:
    if spec.cluster.version is not None:
        yield Flag("--cluster-version", spec.cluster.version)
    if spec.cluster.release_channel is not None:
        yield Flag("--release-channel", spec.cluster.release_channel.lower())


def _standard(spec: Spec) -> Iterator[Flag]:
    cluster = spec.cluster
    yield Flag("--enable-dataplane-v2")
    yield Flag("--enable-ip-alias")
    if spec.network_pair is not None:
        yield Flag("--enable-multi-networking")
    yield Flag("--num-nodes", str(cluster.default_pool.node_count))
    if cluster.default_pool.machine_type is not None:
        yield Flag("--machine-type", cluster.default_pool.machine_type)
    if cluster.node_locations:
        yield Flag("--node-locations", gcloud_list(sorted(cluster.node_locations)))
    if cluster.workload_identity:
        yield Flag("--workload-pool", f"{spec.project}.svc.id.goog")


def _location_of_cluster(spec: Spec) -> Iterator[Flag]:
    network, private = spec.cluster.network, spec.cluster.private
    for name, value in (
        ("--network", network.network),
        ("--subnetwork", network.subnetwork),
        ("--cluster-secondary-range-name", network.pods_range_name),
        ("--services-secondary-range-name", network.services_range_name),
    ):
        if value is not None:
            yield Flag(name, value)
    if private.nodes:
        yield Flag("--enable-private-nodes")
    if private.endpoint:
        yield Flag("--enable-private-endpoint")
    if private.master_ipv4_cidr_block is not None:
        yield Flag("--master-ipv4-cidr", private.master_ipv4_cidr_block)
    if private.dns_endpoint:
        yield Flag("--enable-dns-access")
    if private.authorized_networks:
        yield Flag("--enable-master-authorized-networks")
        blocks = [network.cidr_block for network in private.authorized_networks]
        yield Flag("--master-authorized-networks", gcloud_list(blocks))


def _security(spec: Spec) -> Iterator[Flag]:
    cluster = spec.cluster
    if cluster.database_encryption_key is not None:
        yield Flag("--database-encryption-key", cluster.database_encryption_key)
    if cluster.service_account is not None:
        yield Flag("--service-account", cluster.service_account)
        yield Flag("--scopes", _ALL_OF_GOOGLE_CLOUD)
    if cluster.resource_labels:
        yield Flag("--labels", pairs(cluster.resource_labels))


def _auto_provisioning(spec: Spec) -> tuple[list[Flag], str | None]:
    """The flags of node auto-provisioning, and the document that they read from standard input."""
    limits = terraform.limits(spec)
    if not limits:
        return [], None
    account = spec.cluster.service_account
    flags = [Flag("--enable-autoprovisioning")]
    (_, cpu), (_, memory), *accelerators = limits
    if len(accelerators) > 1:
        # gcloud has one --max-accelerator; a file takes several.
        document: dict[str, object] = {
            "resourceLimits": [{"resourceType": type_, "minimum": 0, "maximum": most} for type_, most in limits]
        }
        if account is not None:
            document |= {"serviceAccount": account, "scopes": [_ALL_OF_GOOGLE_CLOUD]}
        return [*flags, Flag("--autoprovisioning-config-file", "-")], json.dumps(document)
    ((type_, count),) = accelerators
    flags += [
        Flag("--max-cpu", str(cpu)),
        Flag("--max-memory", str(memory)),
        Flag("--max-accelerator", f"type={type_},count={count}"),
    ]
    if account is not None:
        flags.append(Flag("--autoprovisioning-service-account", account))
        flags.append(Flag("--autoprovisioning-scopes", _ALL_OF_GOOGLE_CLOUD))
    return flags, None


def _window(spec: Spec) -> Iterator[Flag]:
    if spec.cluster.maintenance is not None:
        window = spec.cluster.maintenance.window
        yield Flag("--maintenance-window-start", window.start_time)
        yield Flag("--maintenance-window-end", window.end_time)
        yield Flag("--maintenance-window-recurrence", window.recurrence)


def _late_window(spec: Spec) -> Command | None:
    """The call that gives an Autopilot cluster its maintenance window: `create-auto` does not take one."""
    if spec.mode != "autopilot" or spec.cluster.maintenance is None:
        return None
    return Command("container clusters update", spec.name, (*_place(spec), *_window(spec)))


def _exclusions(spec: Spec) -> Iterator[Exclusion]:
    for one in terraform.exclusions(spec):
        flags = [
            *_place(spec),
            Flag("--add-maintenance-exclusion-name", one.name),
            Flag("--add-maintenance-exclusion-start", one.start_time),
            Flag("--add-maintenance-exclusion-end", one.end_time),
        ]
        if one.scope is not None:
            flags.append(Flag("--add-maintenance-exclusion-scope", one.scope.lower()))
        mark = sh(json.dumps(one.name, ensure_ascii=False) + ":")
        yield Exclusion(mark, Command("container clusters update", spec.name, tuple(flags)))


def _credentials(spec: Spec) -> Command:
    dns = (Flag("--dns-endpoint"),) if spec.cluster.private.dns_endpoint else ()
    return Command("container clusters get-credentials", spec.name, (*_place(spec), *dns))
