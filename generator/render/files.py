"""A spec to the files of its folder, in memory."""

from __future__ import annotations

from typing import Any

from generator.catalog import labels, machines, nccl, versions
from generator.render import gcloud, hcl_text, terraform, variables
from generator.render.changes import changes
from generator.render.environment import Ready, hcl, render
from generator.render.manifests import cluster_objects, manifests
from generator.spec.model import ComputeClass, Fallback, NodePool, Spec, region_of

Files = dict[str, str]

_EVERYWHERE = ("versions.tf", "variables.tf", "main.tf", "outputs.tf", "tests/folder.tftest.hcl")
_ROOT_ONLY = ("providers.tf", "terraform.tfvars")


def folder_files(spec: Spec) -> Files:
    """All files of the generated folder but the record, by their path in it; the same bytes for the same spec."""
    context = _context(spec)
    templates = {name: f"terraform/{name.rpartition('/')[2]}.j2" for name in _EVERYWHERE}
    if spec.layout == "module":
        templates["examples/basic/main.tf"] = "terraform/example.tf.j2"
    else:
        templates |= {name: f"terraform/{name}.j2" for name in _ROOT_ONLY}
    if spec.cluster.create:
        templates["tests/old_cluster.tftest.hcl"] = "terraform/old_cluster.tftest.hcl.j2"
    if spec.network_pair is not None:
        templates["network.tf"] = "terraform/network.tf.j2"
    files = {name: hcl_text.fmt(render(template, **context)) for name, template in templates.items()}
    files |= {f"kubernetes/{name}": text for name, text in manifests(spec).items()}
    files[f"gcloud/{gcloud.NAME}"] = gcloud.script(spec)
    files[".gitignore"] = render("terraform/gitignore.j2")
    files["README.md"] = render("docs/README.md.j2", files=[Ready(name) for name in sorted(files)], **context)
    return files


def _context(spec: Spec) -> dict[str, Any]:
    return {
        "spec": spec,
        "pools": terraform.pools(spec),
        "variables": variables.variables(spec),
        "backend": terraform.backend(spec),
        "cluster_address": Ready(f"{'' if spec.cluster.create else 'data.'}google_container_cluster.cluster"),
        # Jinja takes the braces of a written-out `${` for its own where an expression follows.
        "interpolate": Ready("${"),
        "asks_version": spec.cluster.create and spec.cluster.version is not None,
        "exclusions": terraform.exclusions(spec),
        "floor": terraform.floor(spec),
        "autopilot": spec.mode == "autopilot",
        "limits": terraform.limits(spec),
        "test_values": terraform.test_values(spec),
        **_networks(spec),
        "profile": str(labels.network_profile().value),
        "reservation_key": labels.reservation().key,
        "provider_floor": Ready(versions.provider_floor()),
        "terraform_floor": Ready(versions.terraform_floor()),
        "gcloud_floor": Ready(versions.gcloud_floor()),
        "gpus_of_a_machine": max(
            m.accelerator_count for p in _places(spec) if (m := machines.served_type(p.machine_type))
        ),
        "opentofu_floor": Ready(versions.opentofu_floor()),
        "location_condition": _location_condition(spec),
        "create_timeout": terraform.CREATE_TIMEOUT,
        "update_timeout": terraform.UPDATE_TIMEOUT,
        "delete_timeout": terraform.DELETE_TIMEOUT,
        "nccl_command": Ready(" ".join(nccl.command())),
        "changes": changes(spec),
        "objects": [Ready(name) for name in cluster_objects(spec)],
        "uses_dranet": not spec.node_pools or any(pool.networking == "dranet" for pool in spec.node_pools),
        "queued": any(pool.queued_provisioning for pool in spec.node_pools),
        "labelled": any(pool.labels for pool in terraform.pools(spec)),
        "open_reservation": any(pool.capacity.kind in ("none", "spot") for pool in spec.node_pools),
        "manifests": Ready("../../kubernetes" if spec.layout == "module" else "kubernetes"),
        "reserved": any(place.capacity.kind == "reservation" for place in _places(spec)),
        "figures": [f for name in sorted({p.machine_type for p in _places(spec)}) if (f := nccl.figures(name))],
    }


def _places(spec: Spec) -> list[NodePool | ComputeClass | Fallback]:
    """Everything that nodes are made from."""
    found: list[NodePool | ComputeClass | Fallback] = [*spec.node_pools]
    if spec.compute_class is not None:
        found += [spec.compute_class, *spec.compute_class.fallbacks]
    return found


def _networks(spec: Spec) -> dict[str, Any]:
    """How the templates speak of the networks of the multi-network route."""
    made = terraform.networks(spec)
    if made is None:
        return {"networks": None}
    owner, names = ("data.", ".id" if made.elsewhere else ".name") if made.pair.exist else ("", ".name")
    network, subnetwork = f"{owner}google_compute_network", f"{owner}google_compute_subnetwork"
    region = f'join("-", slice(split("-", {made.zone}), 0, 2))'
    return {
        "networks": made,
        "network_region": Ready(region) if made.zone == "var.zone" else hcl(region_of(made.pair.zone)),
        "network_project": Ready("var.networks_project" if made.elsewhere else "var.project_id"),
        "gvnic_network": Ready(f"{network}.gvnic{names}"),
        "gvnic_subnetwork": Ready(f"{subnetwork}.gvnic{names}"),
        "rdma_network": Ready(f"{network}.rdma{names}"),
        "rdma_subnetwork": Ready(f"{subnetwork}.rdma[additional_node_network_configs.value]{names}"),
    }


def _location_condition(spec: Spec) -> Ready:
    """HCL that is true when the GPU zone and the cluster's location belong together."""
    if spec.cluster.is_regional:
        return Ready('startswith(var.zone, "${var.location}-")')
    if spec.zone == spec.cluster.location:
        return Ready("var.zone == var.location")
    region = 'join("-", slice(split("-", var.{}), 0, 2))'
    return Ready(f"{region.format('zone')} == {region.format('location')}")
