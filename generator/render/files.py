"""A spec to the files of its folder, in memory."""

from __future__ import annotations

from typing import Any

from generator.catalog import images, labels, machines, nccl, versions
from generator.render import hcl_text, terraform
from generator.render.environment import Ready, render
from generator.spec.model import Spec

Files = dict[str, str]

# Terraform's spelling of a taint's effect, and Kubernetes' own.
_EFFECTS = {"NO_SCHEDULE": "NoSchedule", "PREFER_NO_SCHEDULE": "PreferNoSchedule", "NO_EXECUTE": "NoExecute"}

_EVERYWHERE = ("versions.tf", "variables.tf", "main.tf", "outputs.tf")
_ROOT_ONLY = ("providers.tf", "terraform.tfvars")


def folder_files(spec: Spec) -> Files:
    """All files of the generated folder but the record, by their path in it; the same bytes for the same spec."""
    context = _context(spec)
    templates = {name: f"terraform/{name}.j2" for name in _EVERYWHERE}
    if spec.layout == "module":
        templates["examples/basic/main.tf"] = "terraform/example.tf.j2"
    else:
        templates |= {name: f"terraform/{name}.j2" for name in _ROOT_ONLY}
    files = {name: hcl_text.fmt(render(template, **context)) for name, template in templates.items()}
    files |= {f"kubernetes/{name}": text for name, text in manifests(spec).items()}
    files[".gitignore"] = render("terraform/gitignore.j2")
    files["README.md"] = render("terraform/README.md.j2", files=[Ready(name) for name in sorted(files)], **context)
    return files


def manifests(spec: Spec) -> Files:
    """The Kubernetes manifests of a spec, by file name, in the order in which they are applied."""
    machine = machines.machine_type(spec.node_pools[0].machine_type)
    assert machine is not None
    pool = spec.node_pools[0]
    context: dict[str, Any] = {
        "image": images.nccl_test(),
        "gpus": None if _has_gpu_dra(spec) else machine.accelerator_count,
        "workload": spec.workload,
        # With one pool the request for GPUs alone leads there.
        "node_pool": pool.name if len(spec.node_pools) > 1 else None,
        "taints": pool.taints,
        "effects": _EFFECTS,
    }
    names = ["all-mrdma-template.yaml", "nccl-test.yaml", *(["workload.yaml"] if spec.workload else [])]
    return {name: render(f"kubernetes/{name}.j2", **context) for name in names}


def _has_gpu_dra(spec: Spec) -> bool:
    """Whether the labels hand the GPUs to NVIDIA's DRA driver: then the nodes offer no `nvidia.com/gpu`."""
    written = dict(spec.node_pools[0].labels)
    return any(written.get(label.key) == label.value for label in (labels.gpu_dra_driver(), labels.no_device_plugin()))


def _context(spec: Spec) -> dict[str, Any]:
    return {
        "spec": spec,
        "pools": terraform.pools(spec),
        "variables": terraform.variables(spec),
        "backend": terraform.backend(spec),
        "cluster_address": Ready(f"{'' if spec.cluster.create else 'data.'}google_container_cluster.cluster"),
        # Jinja takes the braces of a written-out `${` for its own where an expression follows.
        "interpolate": Ready("${"),
        "asks_version": spec.cluster.create and spec.cluster.version is not None,
        "exclusions": terraform.exclusions(spec),
        "floor": terraform.floor(),
        "profile": str(labels.network_profile().value),
        "reservation_key": labels.reservation().key,
        "provider_floor": Ready(versions.provider_floor()),
        "terraform_floor": Ready(versions.terraform_floor()),
        "opentofu_floor": Ready(versions.opentofu_floor()),
        "location_condition": _location_condition(spec),
        "create_timeout": terraform.CREATE_TIMEOUT,
        "update_timeout": terraform.UPDATE_TIMEOUT,
        "delete_timeout": terraform.DELETE_TIMEOUT,
        "nccl_command": Ready(" ".join(nccl.command())),
        "manifests": Ready("../../kubernetes" if spec.layout == "module" else "kubernetes"),
        "reserved": any(pool.capacity.kind == "reservation" for pool in spec.node_pools),
        "figures": [f for name in sorted({p.machine_type for p in spec.node_pools}) if (f := nccl.figures(name))],
    }


def _location_condition(spec: Spec) -> Ready:
    """HCL that is true when the GPU zone and the cluster's location belong together."""
    if spec.cluster.is_regional:
        return Ready('startswith(var.zone, "${var.location}-")')
    if spec.zone == spec.cluster.location:
        return Ready("var.zone == var.location")
    region = 'join("-", slice(split("-", var.{}), 0, 2))'
    return Ready(f"{region.format('zone')} == {region.format('location')}")
