"""What the rules on plans ask: what a plan takes away, whether that is in scope, and what a pool was like before."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from generator.catalog import machines
from generator.rules import scope
from generator.view import CLUSTER, NODE_POOL, Block, ModuleTree, NodePool, Resource

RESERVATION = "google_compute_reservation"
PLAN_ONLY = frozenset({"plan"})


def gone(tree: ModuleTree) -> Iterator[Resource]:
    """What exists and does not afterwards, made again or not."""
    yield from (r for r in tree.resources if r.mode == "managed" and r.change is not None and r.change.destroys)
    yield from (r for r in tree.removed if r.mode == "managed")


def kept_pools(tree: ModuleTree) -> Iterator[Resource]:
    """The node pool resources that exist and that the plan itself does not destroy."""
    for resource in (*tree.resources, *tree.forgotten):
        change = resource.change
        is_pool = resource.mode == "managed" and resource.type == NODE_POOL
        if is_pool and change is not None and change.before is not None and not change.destroys:
            yield resource


def is_guarded(resource: Resource) -> bool:
    """Whether losing it is refused: a cluster, an in-scope node pool, a reservation."""
    return resource.type in (CLUSTER, RESERVATION) or (resource.type == NODE_POOL and was_in_scope(resource))


def was_in_scope(resource: Resource) -> bool:
    """Whether the node pool that exists is an installer pool or has a machine type for RDMA."""
    before = resource.change.before if resource.change else None
    return before is not None and holds_gpus(before)


def holds_gpus(pool: Block) -> bool:
    """Whether the body of a node pool is one of an installer pool, or has a machine type for RDMA."""
    name = scope.text(pool.get(scope.MACHINE))
    served = name is not None and machines.served_type(name) is not None
    return served or scope.is_written(pool.get(scope.STRATEGY)) is True


def updated(pool: NodePool) -> Block | None:
    """The body of a node pool as it exists, when the plan updates its resource in place and changes nothing else of it."""
    change = pool.resource.change
    if change is None or change.actions != ("update",) or change.before is None:
        return None
    if pool.kind != "inline":
        return change.before
    name = scope.text(pool.get("name"))
    for block in change.before.blocks("node_pool"):
        if name is not None and scope.text(block.get("name")) == name:
            return block
    return None


def allowed_by(option: str, address: str) -> str:
    """How an address is allowed, as it is typed in a shell."""
    return f"{option} {shlex.quote(address)}"
