"""The local SSD disks of an A3 Ultra or A4 pool are written as the machine has them.

## What it does
The machine types `a3-ultragpu-8g` and `a4-highgpu-8g` come with 32 disks.
error: no local SSD block, another number of disks, a `data_cache_count` other than 0, or two kinds of local SSD at once.
advice: `data_cache_count` is not written, or all disks are raw block devices (`local_nvme_ssd_block_config`), so that Pods get
no ephemeral storage on them.

## Why
GKE gives these machines their disks whether they are written or not. Without the block the provider then wants to replace the
node pool on every plan. A number that does not fit, or two kinds at once, is refused by GKE.

Nothing is said about a missing block when `lifecycle { ignore_changes }` covers it.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  node_config {
    machine_type = "a3-ultragpu-8g"

    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 16
      data_cache_count = 0
    }
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = var.cluster
  node_count = 2

  node_config {
    machine_type = "a3-ultragpu-8g"

    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }
  }
}
```

## Fix
Unsafe: writes the block or the number; on a pool that exists this may replace the pool. Safe: writes `data_cache_count = 0`
where it is not written, which is the same to the provider.

## Source
- [Machine types with bundled SSD, provider issue 17068](https://github.com/hashicorp/terraform-provider-google/issues/17068)
- [Two kinds at once are refused](https://github.com/terraform-google-modules/terraform-google-kubernetes-engine/pull/902)
- [Cluster Toolkit, disk_definitions.tf](https://github.com/GoogleCloudPlatform/cluster-toolkit/blob/main/modules/compute/gke-node-pool/disk_definitions.tf)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from generator.catalog.machines import MachineType
from generator.rules import scope
from generator.rules.base import ADVICE, ERROR, Problem, Rule
from generator.view import Absent, Answer, Block, Known, NodePool, Span, edits

EPHEMERAL = "node_config.ephemeral_storage_local_ssd_config"
EPHEMERAL_NAME = EPHEMERAL.rpartition(".")[2]
RAW = "node_config.local_nvme_ssd_block_config"
OLD = "node_config.local_ssd_count"


def check(pool: NodePool) -> Iterator[Problem]:
    """The local SSD of a pool whose machine type is known."""
    machine = scope.machine(pool)
    if machine is None:
        return
    kinds = _kinds(pool)
    if not kinds and pool.has(EPHEMERAL) is False and pool.has(RAW) is False:
        yield from _missing(pool, machine)
    yield from _mixed(pool, machine, kinds)
    names = [name for name, _ in kinds]
    for block in pool.blocks(EPHEMERAL):
        if not (_is_zero(block.get("local_ssd_count")) and names):
            yield from _ephemeral(pool, machine, block)
    for block in pool.blocks(RAW) if EPHEMERAL_NAME not in names else ():
        if not (_is_zero(block.get("local_ssd_count")) and pool.has(EPHEMERAL) is not False):
            yield from _raw(pool, machine, block)


def _kinds(pool: NodePool) -> list[tuple[str, Span | None]]:
    """The kinds of local SSD that are known to be there, with their places, in order; a kind of 0 disks is none."""
    found: list[tuple[str, Span | None]] = []
    for path in (EPHEMERAL, RAW):
        blocks = pool.blocks(path)
        if scope.present(blocks) and any(not _is_zero(b.get("local_ssd_count")) for b in blocks):
            found.append((path.rpartition(".")[2], blocks.items[0].header))
    old = pool.get(OLD)
    if found and isinstance(old, Known) and old.value:
        found.append((OLD, old.span))
    return scope.in_order(found)


def _mixed(pool: NodePool, machine: MachineType, kinds: list[tuple[str, Span | None]]) -> Iterator[Problem]:
    for (first, first_at), (second, second_at) in pairwise(kinds):
        message = f"two kinds of local SSD at once: {second} beside {first}; GKE takes one"
        help_ = f"Keep ephemeral_storage_local_ssd_config with local_ssd_count = {machine.local_ssd_count}, remove the other."
        yield scope.problem(pool, ERROR, second_at, message, help_, *scope.note(first_at, f"{first} is here"))


def _is_zero(answer: Answer) -> bool:
    return isinstance(answer, Known) and answer.value == 0


def _missing(pool: NodePool, machine: MachineType) -> Iterator[Problem]:
    if pool.ignores_changes(EPHEMERAL):
        return
    message = (
        f"{machine.name} has {machine.local_ssd_count} local SSD disks, but no local SSD block is written: "
        "once GKE reports them, every plan wants to replace the pool"
    )
    arguments = {"local_ssd_count": machine.local_ssd_count, "data_cache_count": 0}
    fix = edits.with_block(edits.block_at(pool, "node_config"), EPHEMERAL_NAME, arguments)
    yield scope.problem(pool, ERROR, scope.node_config(pool), message, _help(machine), fix=fix)


def _ephemeral(pool: NodePool, machine: MachineType, block: Block) -> Iterator[Problem]:
    yield from _count(pool, machine, block.get("local_ssd_count"))
    cache = block.get("data_cache_count")
    if isinstance(cache, Known) and cache.value != 0:
        message = (
            f"data_cache_count is {cache.show()}, so that many disks are taken from ephemeral storage; 0 is needed"
        )
        yield scope.problem(pool, ERROR, cache, message, "Write data_cache_count = 0.", fix=edits.replaced(cache, 0))
    elif isinstance(cache, Absent):
        message = "data_cache_count is not written; 0 says that all disks are ephemeral storage"
        fix = edits.with_argument(block, "data_cache_count", 0, safe=True)
        yield scope.problem(pool, ADVICE, cache, message, "Write data_cache_count = 0.", fix=fix)


def _raw(pool: NodePool, machine: MachineType, block: Block) -> Iterator[Problem]:
    count = block.get("local_ssd_count")
    yield from _count(pool, machine, count)
    if isinstance(count, Known) and count.value == machine.local_ssd_count and scope.present(pool.blocks(RAW)):
        message = f"all {count.show()} local SSD disks are raw block devices: Pods get no ephemeral storage on them"
        yield scope.problem(pool, ADVICE, block.header, message, _help(machine))


def _count(pool: NodePool, machine: MachineType, count: Answer) -> Iterator[Problem]:
    if isinstance(count, Known) and count.value != machine.local_ssd_count:
        message = f"local_ssd_count is {count.show()}, but {machine.name} has {machine.local_ssd_count} disks"
        help_ = f"Write local_ssd_count = {machine.local_ssd_count}."
        yield scope.problem(pool, ERROR, count, message, help_, fix=edits.replaced(count, machine.local_ssd_count))


def _help(machine: MachineType) -> str:
    return f"Write ephemeral_storage_local_ssd_config with local_ssd_count = {machine.local_ssd_count} and data_cache_count = 0."


RULE = Rule(
    name="local-ssd",
    severities=(ERROR, ADVICE),
    seeks=NodePool,
    check=check,
    summary="the local SSD disks are missing or are not those that the machine has",
)
