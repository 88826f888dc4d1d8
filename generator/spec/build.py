"""Checked data to frozen objects: defaults are filled in here and nowhere else."""

from __future__ import annotations

from typing import Any

from generator.catalog import networks as network_facts
from generator.catalog import versions
from generator.spec import model

Data = dict[str, Any]

_ALL_OF_GOOGLE_CLOUD = "https://www.googleapis.com/auth/cloud-platform"


def build(data: Data) -> model.Spec:
    """The spec of data that the schema and the checks have passed."""
    mode: model.Mode = data.get("mode", "standard")
    zone = data["zone"]
    compute_class = data.get("compute_class")
    workload = data.get("workload")
    return model.Spec(
        name=data["name"],
        project=data["project"],
        zone=zone,
        cluster=_cluster(data.get("cluster", {}), mode, zone),
        mode=mode,
        layout=data.get("layout", "root"),
        backend=model.Backend(**data.get("backend", {})),
        node_pools=tuple(_pool(pool, zone) for pool in data.get("node_pools", [])),
        compute_class=None if compute_class is None else _compute_class(compute_class),
        workload=None if workload is None else model.Workload(**workload),
    )


def _cluster(data: Data, mode: model.Mode, zone: str) -> model.Cluster:
    plain = (
        "create",
        "release_channel",
        "deletion_protection",
        "workload_identity",
        "database_encryption_key",
        "service_account",
    )
    location = data.get("location", zone if mode == "standard" else model.region_of(zone))
    limits = data.get("node_auto_provisioning") or None
    maintenance = data.get("maintenance")
    return model.Cluster(
        location=location,
        version=data.get("version", versions.default_version(mode)),
        default_pool=model.DefaultPool(**data.get("default_pool", {})),
        network=model.Network(**data.get("network", {})),
        private=_private(data.get("private", {})),
        resource_labels=_pairs(data.get("resource_labels", {})),
        maintenance=None if maintenance is None else _maintenance(maintenance),
        node_locations=tuple(data.get("node_locations", ())),
        node_auto_provisioning=None if limits is None else model.AutoProvisioning(**limits),
        **{key: data[key] for key in plain if key in data},
    )


def _private(data: Data) -> model.Private:
    authorized = tuple(model.AuthorizedNetwork(**entry) for entry in data.get("authorized_networks", ()))
    return model.Private(**{**data, "authorized_networks": authorized})


def _maintenance(data: Data) -> model.Maintenance:
    return model.Maintenance(
        model.Window(**data["window"]), tuple(model.Exclusion(**entry) for entry in data.get("exclusions", ()))
    )


def _pool(data: Data, zone: str) -> model.NodePool:
    plain = (
        "node_count",
        "networking",
        "gpu_driver",
        "disk_type",
        "disk_size_gb",
        "disk_kms_key",
        "service_account",
        "max_run_duration",
        "queued_provisioning",
        "compact_placement",
    )
    capacity = model.Capacity(**data["capacity"])
    autoscaling = data.get("autoscaling")
    return model.NodePool(
        name=data["name"],
        machine_type=data["machine_type"],
        capacity=capacity,
        zone=data.get("zone", zone),
        autoscaling=None if autoscaling is None else model.Autoscaling(**autoscaling),
        networks=_networks(data),
        oauth_scopes=tuple(data.get("oauth_scopes", _scopes(data))),
        tags=tuple(data.get("tags", ())),
        labels=_pairs(data.get("labels", {})),
        taints=tuple(model.Taint(**taint) for taint in data.get("taints", ())),
        upgrade_settings=_upgrade_settings(data.get("upgrade_settings"), capacity),
        **{key: data[key] for key in plain if key in data},
    )


def _networks(data: Data) -> model.Networks | None:
    if data.get("networking") != "multi-network":
        return None
    written = data.get("networks", {})
    if "gvnic_prefix" in written or "rdma_prefix" in written:
        return model.Networks(**written)
    usual = {"gvnic_cidr": network_facts.gvnic_cidr(), "rdma_cidr": network_facts.rdma_cidr()}
    return model.Networks(**{**usual, **written})


def _scopes(data: Data) -> tuple[str, ...]:
    # Google's page on the installer gives the nodes of this route all of Google Cloud, and leaves it to IAM.
    return (_ALL_OF_GOOGLE_CLOUD,) if data.get("networking") == "multi-network" else ()


def _upgrade_settings(data: Data | None, capacity: model.Capacity) -> model.UpgradeSettings | None:
    if data is not None:
        return model.UpgradeSettings(**data)
    # A full reservation has no spare machine for a surge node.
    return model.UpgradeSettings(max_surge=0, max_unavailable=1) if capacity.kind == "reservation" else None


def _compute_class(data: Data) -> model.ComputeClass:
    return model.ComputeClass(
        name=data["name"],
        machine_type=data["machine_type"],
        capacity=model.Capacity(**data["capacity"]),
        gpu_driver=data.get("gpu_driver"),
        max_run_duration=data.get("max_run_duration"),
        fallbacks=tuple(
            model.Fallback(**{**entry, "capacity": model.Capacity(**entry["capacity"])})
            for entry in data.get("fallbacks", ())
        ),
    )


def _pairs(data: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(data.items()))
