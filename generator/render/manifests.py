"""What the Kubernetes templates print: which objects a spec needs, and where its Pods go."""

from __future__ import annotations

from dataclasses import dataclass

from generator.catalog import images, labels, machines
from generator.catalog.machines import MachineType
from generator.render.environment import Ready, render
from generator.spec.model import Capacity, ComputeClass, Fallback, NodePool, Spec

# Terraform's spelling of a taint's effect, and Kubernetes' own.
_EFFECTS = {"NO_SCHEDULE": "NoSchedule", "PREFER_NO_SCHEDULE": "PreferNoSchedule", "NO_EXECUTE": "NoExecute"}

# A ComputeClass spells "no driver" in a way of its own.
_DRIVERS = {"default": "default", "latest": "latest", "disabled": "autoinstall-disabled"}

# The test runs between two hosts, each a whole node.
_TEST_HOSTS = 2

# Flex-start nodes live for seven days at most; a request that does not say how long asks for all of them.
_LONGEST_RUN = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Toleration:
    """A toleration in Kubernetes' spelling; `value` None tolerates every value."""

    key: str
    value: str | None
    effect: str


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a group of Pods goes, and what each Pod asks for.

    Attributes:
        gpus: `nvidia.com/gpu` to ask for; None where another driver hands the GPUs out.
        claims_gpus: the GPUs come through a claim, by NVIDIA's DRA driver.
        claims_nics: the RDMA NICs come through a claim (DRANET); else through annotations (multi-network).
        selector: labels that the node has to have.
        tolerations: of the taints of the pool.
        queued_for: seconds to ask for in a ProvisioningRequest; None where nodes need none.
    """

    gpus: int | None
    claims_gpus: bool
    claims_nics: bool
    selector: tuple[tuple[Ready, str], ...]
    tolerations: tuple[Toleration, ...] = ()
    queued_for: int | None = None


@dataclass(frozen=True, slots=True)
class Priority:
    """One priority of a ComputeClass."""

    machine: MachineType
    capacity: Capacity
    driver: str | None
    run_seconds: int | None


def manifests(spec: Spec) -> dict[str, str]:
    """The Kubernetes manifests of a spec, by file name, in the order in which they are applied: that of their names."""
    files = cluster_objects(spec)
    files["nccl-test.yaml"] = render(
        "kubernetes/nccl-test.yaml.j2", image=images.nccl_test(), **_pods(spec, _TEST_HOSTS)
    )
    if spec.workload is not None:
        hosts = spec.workload.hosts
        template = "kubernetes/workload.yaml.j2" if hosts == 1 else "kubernetes/workload_job.yaml.j2"
        files["workload.yaml"] = render(template, workload=spec.workload, **_pods(spec, hosts))
    return files


def cluster_objects(spec: Spec) -> dict[str, str]:
    """The manifests that Pods rely on and that take no nodes: claims, networks, the ComputeClass."""
    files = {}
    if any(_has_gpu_dra(pool) for pool in spec.node_pools):
        files["all-gpus-template.yaml"] = render("kubernetes/all-gpus-template.yaml.j2")
    if _any_claims_nics(spec):
        files["all-mrdma-template.yaml"] = render("kubernetes/all-mrdma-template.yaml.j2")
    if spec.compute_class is not None:
        files["compute-class.yaml"] = render(
            "kubernetes/compute-class.yaml.j2",
            compute_class=spec.compute_class,
            priorities=_priorities(spec.compute_class),
            zone=spec.zone,
            profile=str(labels.network_profile().value),
        )
    pair = spec.network_pair
    if pair is not None:
        files["multi-network.yaml"] = render("kubernetes/multi-network.yaml.j2", pair=pair, rails=range(_rails(spec)))
    return files


def _pods(spec: Spec, hosts: int) -> dict[str, object]:
    return {"pod": placement(spec, hosts), "hosts": hosts, "rails": range(_rails(spec))}


def placement(spec: Spec, hosts: int) -> Placement:
    """Where `hosts` Pods that belong together go: to the ComputeClass, or to the first node pool that can hold them all."""
    if spec.compute_class is not None:
        chosen = spec.compute_class
        return Placement(
            gpus=_machine(chosen.machine_type).accelerator_count,
            claims_gpus=False,
            claims_nics=True,
            selector=((Ready(labels.compute_class().key), chosen.name),),
        )
    pools = _pools_for(spec, hosts)
    first = pools[0]
    is_alone = len(pools) == 1
    # With one pool in the cluster the request for GPUs and NICs alone leads there.
    is_named = is_alone and (len(spec.node_pools) > 1 or first.queued_provisioning)
    return Placement(
        gpus=None if _has_no_device_plugin(first) else _machine(first.machine_type).accelerator_count,
        claims_gpus=_has_gpu_dra(first),
        claims_nics=first.networking == "dranet",
        selector=((Ready(labels.node_pool().key), first.name),) if is_named else (),
        tolerations=_tolerations(pools),
        queued_for=_run_seconds(first.max_run_duration) or _LONGEST_RUN if first.queued_provisioning else None,
    )


def _pools_for(spec: Spec, hosts: int) -> tuple[NodePool, ...]:
    """The first pool with room for all hosts; where none has, all pools that are of the first one's kind."""
    for pool in spec.node_pools:
        size = pool.autoscaling.max_node_count if pool.autoscaling is not None else pool.node_count
        if size is not None and size >= hosts:
            return (pool,)
    first = spec.node_pools[0]
    return tuple(
        pool
        for pool in spec.node_pools
        if (pool.networking, pool.machine_type, pool.zone) == (first.networking, first.machine_type, first.zone)
    )


def _tolerations(pools: tuple[NodePool, ...]) -> tuple[Toleration, ...]:
    found = [Toleration(t.key, t.value, _EFFECTS[t.effect]) for pool in pools for t in pool.taints]
    if any(_has_no_device_plugin(pool) for pool in pools):
        # Kubernetes adds this by itself only to Pods that ask for nvidia.com/gpu.
        found.append(Toleration(labels.gpu_taint().key, None, _EFFECTS[labels.gpu_taint().effect]))
    if any(pool.queued_provisioning for pool in pools):
        queued = labels.queued()
        found.append(Toleration(queued.key, queued.value, _EFFECTS[queued.effect]))
    return tuple(dict.fromkeys(found))


def _has_no_device_plugin(pool: NodePool) -> bool:
    """Whether the labels say that GKE's device plugin is away: then the nodes need not offer `nvidia.com/gpu`."""
    written = dict(pool.labels)
    return _has_gpu_dra(pool) or written.get(labels.no_device_plugin().key) == labels.no_device_plugin().value


def _has_gpu_dra(pool: NodePool) -> bool:
    """Whether the labels hand the GPUs to NVIDIA's DRA driver."""
    return dict(pool.labels).get(labels.gpu_dra_driver().key) == labels.gpu_dra_driver().value


def _any_claims_nics(spec: Spec) -> bool:
    return spec.compute_class is not None or any(pool.networking == "dranet" for pool in spec.node_pools)


def _priorities(chosen: ComputeClass) -> tuple[Priority, ...]:
    driver = None if chosen.gpu_driver is None else _DRIVERS[chosen.gpu_driver]
    tried: tuple[ComputeClass | Fallback, ...] = (chosen, *chosen.fallbacks)
    return tuple(
        Priority(_machine(one.machine_type), one.capacity, driver, _run_seconds(one.max_run_duration)) for one in tried
    )


def _rails(spec: Spec) -> int:
    """RDMA NICs of one node of the multi-network route."""
    return max((_machine(p.machine_type).rdma_nics for p in spec.node_pools if p.networks is not None), default=0)


def _machine(name: str) -> MachineType:
    found = machines.served_type(name)
    assert found is not None, "the spec's checks let served machine types through only"
    return found


def _run_seconds(duration: str | None) -> int | None:
    return None if duration is None else int(duration.removesuffix("s"))
