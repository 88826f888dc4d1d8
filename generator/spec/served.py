"""Which valid specs this version makes a folder of. The rest is said in one sentence, before anything is written."""

from __future__ import annotations

from collections.abc import Iterator

from generator.errors import InputError
from generator.spec.load import Loaded
from generator.spec.model import Spec


def check(loaded: Loaded) -> None:
    """Refuse what is not generated yet.

    Raises:
        InputError: names the first such thing.
    """
    missing = next(_missing(loaded.spec), None)
    if missing is not None:
        raise InputError(
            f"The spec is valid, but this version does not generate {missing} yet; nothing was written.",
            hint="Generated today: Standard clusters, new or existing, with node pools over DRANET.",
            path=loaded.path or "<stdin>",
        )


def _missing(spec: Spec) -> Iterator[str]:
    if spec.mode == "autopilot":
        yield "Autopilot clusters (`mode: autopilot`)"
    if spec.compute_class is not None:
        yield "ComputeClasses (`compute_class`)"
    if spec.cluster.node_auto_provisioning is not None:
        yield "node auto-provisioning (`cluster.node_auto_provisioning`)"
    for pool in spec.node_pools:
        if pool.networking == "multi-network":
            yield "the multi-network route (`networking: multi-network`)"
        if pool.queued_provisioning:
            yield "queued provisioning (`queued_provisioning`)"
    if spec.workload is not None and spec.workload.hosts > 1:
        yield "workloads over several hosts (`workload.hosts`)"
