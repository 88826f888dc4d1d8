"""Resources, node pools and clusters as rules see them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from generator.hcl.source import Span
from generator.schema import provider as provider_schema
from generator.view.answers import Absent, Answer, Elements, Unknown
from generator.view.block import Argument, Block, BlockData, Blocks
from generator.view.convert import note

CLUSTER = "google_container_cluster"
NODE_POOL = "google_container_node_pool"


class Depth(StrEnum):
    """Where a view reads: the text of `.tf` files, the JSON of a plan, or the answers of the API."""

    TEXT = "text"
    PLAN = "plan"
    LIVE = "live"


# Terraform's `action_reason` in plain words. Source: terraform, internal/plans, ResourceInstanceChangeActionReason.
REASONS = {
    "replace_because_tainted": "it is tainted",
    "replace_because_cannot_update": "an argument cannot be changed in place",
    "replace_by_request": "it was asked for with --replace",
    "replace_by_triggers": "its replace_triggered_by names what changes",
    "delete_because_no_resource_config": "its block is not there any more",
    "delete_because_wrong_repetition": "count or for_each does not fit its key any more",
    "delete_because_count_index": "its index is beyond count",
    "delete_because_each_key": "its key is not in for_each any more",
    "delete_because_no_module": "its module call is not there any more",
    "delete_because_no_move_target": "its moved block leads to nothing",
}


def reason_text(reason: str | None, replace_paths: Sequence[str]) -> str:
    """Terraform's reason in plain words, "" when it gives none.

    Args:
        reason: `action_reason` of the plan.
        replace_paths: the arguments that force a replacement.
    """
    paths = ", ".join(replace_paths)
    if reason == "replace_because_cannot_update" and paths:
        return f"{paths} cannot be changed in place"
    word = REASONS.get(reason or "", (reason or "").replace("_", " "))
    return f"{word} ({paths})" if word and paths else word


@dataclass(frozen=True, slots=True)
class Change:
    """What a plan will do to a resource: Terraform's own words.

    Attributes:
        actions: `("create",)`, `("delete", "create")`, `("no-op",)`, …
        reason: `action_reason` of the plan, or None.
        replace_paths: the arguments that force the replacement, as dotted paths.
        before: what exists, as the state has it, everything counting as written; None when nothing does.
    """

    actions: tuple[str, ...]
    reason: str | None = None
    replace_paths: tuple[str, ...] = ()
    before: Block | None = None

    @property
    def destroys(self) -> bool:
        """Whether what exists is gone afterwards, made again or not."""
        return "delete" in self.actions

    @property
    def replaces(self) -> bool:
        """Whether what exists is destroyed and made again."""
        return self.destroys and "create" in self.actions

    def why(self) -> str:
        """Terraform's reason in plain words; "" when it gives none."""
        return reason_text(self.reason, self.replace_paths)


class Resource(Block):
    """One instance of a resource or data source.

    Attributes:
        mode: "managed" for a resource, "data" for a data source.
        type: `google_container_node_pool`.
        name: its label.
        address: with module path and instance key: `module.gpu["a"].google_container_node_pool.p[0]`.
        module: the address of the module instance it stands in, "" for the root.
        provider: source address of its provider: `hashicorp/google`.
        depth: where this view reads.
        change: in a plan, what happens to it.
        exists: None when its `count` or `for_each` (or a module call's around it) is unknown: it is judged once as if it
            existed; but it is neither present nor absent for a rule that asks for presence.
        counted: its own `count` or `for_each` is known.
        ignored_changes: `lifecycle { ignore_changes }` as dotted paths without element numbers, or "all".
        replace_triggers: `lifecycle { replace_triggered_by }` as written, without what follows type and name:
            `google_container_cluster.c`.
        defaults: the provider block that is known to make it, the root's default configuration (no alias, no `providers`); None
            when another one may, or nothing is written.
        constraints: the texts of all constraints on its provider in the tree.
        locked: the version of its provider in the root's lock file, None when it is not there.
    """

    __slots__ = (
        "address",
        "change",
        "constraints",
        "counted",
        "defaults",
        "depth",
        "exists",
        "ignored_changes",
        "locked",
        "mode",
        "module",
        "name",
        "provider",
        "replace_triggers",
        "type",
    )

    def __init__(
        self,
        data: BlockData,
        *,
        type_: str,
        name: str,
        address: str,
        module: str = "",
        provider: str = "hashicorp/google",
        mode: Literal["managed", "data"] = "managed",
        depth: Depth = Depth.TEXT,
        change: Change | None = None,
        exists: Literal[True] | None = True,
        counted: bool = True,
        ignored_changes: tuple[str, ...] | Literal["all"] = (),
        replace_triggers: tuple[str, ...] = (),
        defaults: Block | None = None,
    ) -> None:
        super().__init__(data)
        self.type = type_
        self.name = name
        self.address = address
        self.module = module
        self.provider = provider
        self.mode = mode
        self.depth = depth
        self.change = change
        self.exists = exists
        self.counted = counted
        self.ignored_changes = ignored_changes
        self.replace_triggers = replace_triggers
        self.defaults = defaults
        self.constraints: tuple[str, ...] = ()
        self.locked: str | None = None

    def stands_with(self, other: Resource) -> bool:
        """Whether both are known to be there, or are where their module is, of which nobody knows how often it is called."""
        if self.exists and other.exists:
            return True
        return self.counted and other.counted and self.module == other.module

    def ignores_changes(self, path: str) -> bool:
        """Whether `lifecycle { ignore_changes }` covers the argument or block at `path` (a prefix of it is enough)."""
        ignored = self.ignored_changes
        if ignored == "all":
            return True
        return any(path == i or path.startswith(i + ".") for i in ignored)

    def floors(self) -> Iterator[tuple[str, str]]:
        """What is written in it and came later than the resource itself: its path and the first provider version with it.

        What stands in a listed block without being listed itself is not named again. Null counts as written: a provider that
        does not know an argument refuses it whatever its value is.
        """
        if self.mode == "managed":
            yield from _floors(self, self.type, "")


def _floors(block: Block, type_: str, prefix: str) -> Iterator[tuple[str, str]]:
    outer = provider_schema.since(type_, prefix[:-1]) if prefix else None
    arguments, blocks = block.data.names()
    for name in (*arguments, *blocks):
        version = provider_schema.since(type_, prefix + name)
        if version is not None and version != outer:
            yield prefix + name, version
    for name in blocks:
        for inner in block.data.blocks(name):
            yield from _floors(inner, type_, f"{prefix}{name}.")


PoolKind = Literal["resource", "inline", "default"]

# The default pool of a cluster has only a few of a node pool's arguments, and some under other names.
_DEFAULT_POOL = {
    "node_config": "node_config",
    "node_count": "initial_node_count",
    "node_locations": "node_locations",
    "location": "location",
    "version": "node_version",
    "max_pods_per_node": "default_max_pods_per_node",
}


class NodePool:
    """A node pool: a `google_container_node_pool`, or a `node_pool` or `node_config` block inside a cluster.

    Paths are those of the node pool resource at every kind (`node_config.machine_type`, `network_config`, `autoscaling`);
    what a kind does not have is Absent.

    Attributes:
        kind: "resource", "inline" (a `node_pool` block) or "default" (the cluster's own `node_config`).
        resource: the node pool resource, or the cluster it stands in.
        block: the body that holds its arguments.
    """

    __slots__ = ("_cluster", "block", "kind", "resource")

    def __init__(self, kind: PoolKind, resource: Resource, block: Block, cluster: Cluster | Unknown) -> None:
        self.kind = kind
        self.resource = resource
        self.block = block
        self._cluster = cluster

    @property
    def cluster(self) -> Cluster | Unknown:
        """Its cluster when that is made in the same tree; Unknown when it cannot be found out which one it is."""
        return note(self._cluster)

    @property
    def header(self) -> Span | None:
        """The header to point at when something of the pool itself is missing."""
        return self.block.header

    @property
    def address(self) -> str:
        """The address of its resource."""
        return self.resource.address

    def _path(self, path: str) -> str | None:
        if self.kind != "default":
            return path
        head, dot, rest = path.partition(".")
        mapped = _DEFAULT_POOL.get(head)
        return None if mapped is None else mapped + dot + rest

    def get(self, path: str) -> Answer:
        """See `Block.get`."""
        mapped = self._path(path)
        return Absent(self.header) if mapped is None else self.block.get(mapped)

    def peek(self, path: str) -> Answer:
        """See `Block.peek`."""
        mapped = self._path(path)
        return Absent(self.header) if mapped is None else self.block.peek(mapped)

    def element(self, path: str, key: str) -> Answer:
        """See `Block.element`."""
        mapped = self._path(path)
        return Absent(self.header) if mapped is None else self.block.element(mapped, key)

    def elements(self, path: str) -> Elements | Unknown | Absent:
        """See `Block.elements`."""
        mapped = self._path(path)
        return Absent(self.header) if mapped is None else self.block.elements(mapped)

    def blocks(self, path: str) -> Blocks:
        """See `Block.blocks`."""
        mapped = self._path(path)
        return Blocks((), None, self.header) if mapped is None else self.block.blocks(mapped)

    def has(self, path: str) -> bool | None:
        """See `Block.has`."""
        mapped = self._path(path)
        return False if mapped is None else self.block.has(mapped)

    def argument(self, path: str) -> Argument | None:
        """See `Block.argument`."""
        mapped = self._path(path)
        return None if mapped is None else self.block.argument(mapped)

    def ignores_changes(self, path: str) -> bool:
        """Whether the resource's `ignore_changes` covers the pool's argument at `path`."""
        mapped = self._path(path)
        if mapped is None:
            return False
        return self.resource.ignores_changes(f"node_pool.{mapped}" if self.kind == "inline" else mapped)


@dataclass(slots=True)
class Cluster:
    """A cluster with its node pools.

    Attributes:
        resource: the `google_container_cluster`.
        pools: every pool that is known to be its own: inline ones first, then the default pool, then node pool resources.
        pools_known: False when there may be more: a pool whose cluster is unknown, or `node_pool` blocks of unknown number.
    """

    resource: Resource
    pools: list[NodePool] = field(default_factory=list)
    pools_known: bool = True
