"""The script asks gcloud for what the Terraform of the same spec asks the provider for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gcloud_stage import ROUTES, Outcome, items, made, pairs, spec_of

from generator.hcl.project import Options, Project
from generator.render.files import folder_files
from generator.schema.provider import types_of_interest
from generator.view import Known, Resource
from generator.view.text import trees

PROFILE_LABEL = "gke.networks.io/accelerator-network-profile"
POOLS = [name for name, data in ROUTES.items() if data.get("node_pools")]
CLUSTERS = [
    name for name, data in ROUTES.items() if data.get("cluster", {}).get("create", True) and data.get("mode") is None
]

# The argument of the provider for each flag that has one value.
POOL_VALUES = {
    "--machine-type": "node_config.machine_type",
    "--disk-type": "node_config.disk_type",
    "--boot-disk-kms-key": "node_config.boot_disk_kms_key",
    "--service-account": "node_config.service_account",
    "--max-run-duration": "node_config.max_run_duration",
    "--min-nodes": "autoscaling.min_node_count",
    "--max-nodes": "autoscaling.max_node_count",
    "--location-policy": "autoscaling.location_policy",
    "--max-surge-upgrade": "upgrade_settings.max_surge",
    "--max-unavailable-upgrade": "upgrade_settings.max_unavailable",
    "--placement-type": "placement_policy.type",
    "--accelerator-network-profile": "network_config.accelerator_network_profile",
}
POOL_SWITCHES = {
    "--spot": ("node_config.spot", True),
    "--flex-start": ("node_config.flex_start", True),
    "--enable-queued-provisioning": ("queued_provisioning.enabled", True),
    "--no-enable-autorepair": ("management.auto_repair", False),
}
CLUSTER_VALUES = {
    "--cluster-version": "min_master_version",
    "--num-nodes": "initial_node_count",
    "--machine-type": "node_config.machine_type",
    "--service-account": "node_config.service_account",
    "--network": "network",
    "--subnetwork": "subnetwork",
    "--cluster-secondary-range-name": "ip_allocation_policy.cluster_secondary_range_name",
    "--services-secondary-range-name": "ip_allocation_policy.services_secondary_range_name",
    "--master-ipv4-cidr": "private_cluster_config.master_ipv4_cidr_block",
    "--workload-pool": "workload_identity_config.workload_pool",
    "--database-encryption-key": "database_encryption.key_name",
    "--maintenance-window-start": "maintenance_policy.recurring_window.start_time",
    "--maintenance-window-end": "maintenance_policy.recurring_window.end_time",
    "--maintenance-window-recurrence": "maintenance_policy.recurring_window.recurrence",
}
CLUSTER_SWITCHES = {
    "--enable-private-nodes": ("private_cluster_config.enable_private_nodes", True),
    "--enable-private-endpoint": ("private_cluster_config.enable_private_endpoint", True),
    "--enable-dns-access": ("control_plane_endpoints_config.dns_endpoint_config.allow_external_traffic", True),
    "--enable-multi-networking": ("enable_multi_networking", True),
    "--enable-dataplane-v2": ("datapath_provider", "ADVANCED_DATAPATH"),
    "--enable-autoprovisioning": ("cluster_autoscaling.enabled", True),
}


def resources(name: str, type_: str, folder: Path) -> dict[str, Resource]:
    """The resources of a type that the Terraform makes, by their `name`."""
    for path, text in folder_files(spec_of(ROUTES[name])).items():
        if "/" not in path and path.endswith((".tf", ".tfvars")):
            (folder / path).write_bytes(text.encode("utf-8"))
    (tree,) = trees(Project(folder, Options(types_of_interest(), folders=[folder])), [folder])
    return {str(value(r, "name")): r for r in tree.resources if r.type == type_ and r.mode == "managed"}


def value(resource: Any, path: str) -> Any:
    """A known value; None when nothing is written."""
    answer = resource.get(path)
    return answer.value if isinstance(answer, Known) else None


def one(flags: dict[str, list[str]], name: str) -> str | None:
    return flags[name][0] if name in flags else None


def compare(flags: dict[str, list[str]], resource: Resource, values: dict[str, str], switches: dict[str, Any]) -> None:
    for flag, path in values.items():
        written = value(resource, path)
        assert one(flags, flag) == (None if written is None else str(written)), (flag, path)
    for flag, (path, on) in switches.items():
        assert (flag in flags) == (value(resource, path) == on), (flag, path)


@pytest.mark.parametrize("name", POOLS)
def test_node_pools(name: str, tmp_path: Path, outcome: Callable[[str], Outcome]) -> None:
    ours = dict(made(outcome(name).calls, "container node-pools create"))
    theirs = resources(name, "google_container_node_pool", tmp_path)
    assert sorted(ours) == sorted(theirs)
    for pool, flags in ours.items():
        resource = theirs[pool]
        compare(flags, resource, POOL_VALUES, POOL_SWITCHES)
        strategy = value(resource, "node_config.gpudirect_strategy")
        assert one(flags, "--gpudirect-strategy") == strategy.lower() == "rdma"
        check_machines(flags, resource)
        check_lists(flags, resource)
        networks = resource.blocks("network_config.additional_node_network_configs")
        assert len(flags.get("--additional-node-network", ())) == (networks.count or 0)


def check_machines(flags: dict[str, list[str]], resource: Resource) -> None:
    accelerator = pairs(flags["--accelerator"][0])
    assert accelerator["type"] == value(resource, "node_config.guest_accelerator.type")
    assert int(accelerator["count"]) == value(resource, "node_config.guest_accelerator.count")
    driver = value(resource, "node_config.guest_accelerator.gpu_driver_installation_config.gpu_driver_version")
    drivers = {None: None, "DEFAULT": "default", "LATEST": "latest", "INSTALLATION_DISABLED": "disabled"}
    assert accelerator.get("gpu-driver-version") == drivers[driver]
    count = value(resource, "node_count")
    assert one(flags, "--num-nodes") == str(0 if count is None else count)
    assert ("--enable-autoscaling" in flags) == (count is None)
    size = value(resource, "node_config.disk_size_gb")
    assert one(flags, "--disk-size") == (None if size is None else f"{size}GB")
    kind = value(resource, "node_config.reservation_affinity.consume_reservation_type")
    spoken = {None: None, "NO_RESERVATION": "none", "SPECIFIC_RESERVATION": "specific"}
    assert one(flags, "--reservation-affinity") == spoken[kind]
    reservation = value(resource, "node_config.reservation_affinity.values")
    assert one(flags, "--reservation") == (next(iter(reservation)) if reservation else None)


def check_lists(flags: dict[str, list[str]], resource: Resource) -> None:
    for flag, path in (("--scopes", "node_config.oauth_scopes"), ("--tags", "node_config.tags")):
        assert sorted(items(flags[flag][0]) if flag in flags else []) == sorted(value(resource, path) or [])
    zones = value(resource, "node_locations") or [value(resource, "location")]
    assert items(flags["--node-locations"][0]) == sorted(zones)
    written = dict(value(resource, "node_config.labels") or {})
    # GKE adds this one by itself; only Terraform would take it away again.
    written.pop(PROFILE_LABEL, None)
    assert (pairs(flags["--node-labels"][0]) if "--node-labels" in flags else {}) == written
    taints = [
        f"{value(b, 'key')}={value(b, 'value')}:{value(b, 'effect').title().replace('_', '')}"
        for b in resource.blocks("node_config.taint")
    ]
    assert sorted(items(flags["--node-taints"][0]) if "--node-taints" in flags else []) == sorted(taints)


@pytest.mark.parametrize("name", CLUSTERS)
def test_standard_clusters(name: str, tmp_path: Path, outcome: Callable[[str], Outcome]) -> None:
    ((made_name, flags),) = made(outcome(name).calls, "container clusters create")
    resource = resources(name, "google_container_cluster", tmp_path)[made_name]
    compare(flags, resource, CLUSTER_VALUES, CLUSTER_SWITCHES)
    assert one(flags, "--location") == value(resource, "location")
    channel = value(resource, "release_channel.channel")
    assert one(flags, "--release-channel") == (None if channel is None else channel.lower())
    labels = value(resource, "resource_labels")
    assert (pairs(flags["--labels"][0]) if "--labels" in flags else {}) == (labels or {})
    zones = value(resource, "node_locations")
    assert sorted(items(flags["--node-locations"][0]) if "--node-locations" in flags else []) == sorted(zones or [])
    blocks = [value(b, "cidr_block") for b in resource.blocks("master_authorized_networks_config.cidr_blocks")]
    found = items(flags["--master-authorized-networks"][0]) if "--master-authorized-networks" in flags else []
    assert sorted(found) == sorted(blocks)
    exclusions = made(outcome(name).calls, "container clusters update")
    names = {value(b, "exclusion_name") for b in resource.blocks("maintenance_policy.maintenance_exclusion")}
    assert {f["--add-maintenance-exclusion-name"][0] for _, f in exclusions} == names


def test_networks(tmp_path: Path, outcome: Callable[[str], Outcome]) -> None:
    calls = outcome("multi-network").calls
    theirs = resources("multi-network", "google_compute_network", tmp_path)
    ours = dict(made(calls, "compute networks create"))
    assert sorted(ours) == sorted(theirs)
    for name, flags in ours.items():
        assert one(flags, "--mtu") == (None if value(theirs[name], "mtu") is None else str(value(theirs[name], "mtu")))
        profile = value(theirs[name], "network_profile")
        assert one(flags, "--network-profile") == (None if profile is None else profile.rsplit("/", 1)[1])
    subnets = resources("multi-network", "google_compute_subnetwork", tmp_path)
    ranges = {name: one(flags, "--range") for name, flags in made(calls, "compute networks subnets create")}
    assert ranges == {name: value(subnet, "ip_cidr_range") for name, subnet in subnets.items()}
    (firewall,) = resources("multi-network", "google_compute_firewall", tmp_path).values()
    ((_, flags),) = made(calls, "compute firewall-rules create")
    assert items(flags["--source-ranges"][0]) == sorted(value(firewall, "source_ranges"))
