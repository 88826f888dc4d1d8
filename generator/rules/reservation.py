"""A pool that takes a specific reservation names it as GKE wants it.

## What it does
error, in the `reservation_affinity` of a node pool for RDMA: with `SPECIFIC_RESERVATION` a key other than
`compute.googleapis.com/reservation-name`, no value or several; a value of a shape that GKE does not know; values without
`SPECIFIC_RESERVATION`.

A reservation is written `NAME`, `NAME/reservationBlocks/BLOCK` or `NAME/reservationBlocks/BLOCK/reservationSubBlocks/SUB`, and
with `projects/PROJECT/reservations/` before it when it belongs to another project.

## Why
Neither Terraform nor the provider looks at these: GKE refuses the pool after the cluster has been made.

## Bad
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type = "a3-ultragpu-8g"

    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = ["h200/reservationSubBlocks/s1"]
    }
  }
}
```

## Good
```hcl
resource "google_container_node_pool" "gpu" {
  name    = "gpu"
  cluster = var.cluster

  node_config {
    machine_type = "a3-ultragpu-8g"

    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = ["h200/reservationBlocks/b1/reservationSubBlocks/s1"]
    }
  }
}
```

## Fix
Unsafe: writes the key; a change of it replaces the pool.

## Source
- [The key of a specific reservation](https://github.com/GoogleCloudPlatform/magic-modules/pull/6412)
- [Cluster Toolkit, preconditions of a node pool](https://github.com/GoogleCloudPlatform/cluster-toolkit/blob/main/modules/compute/gke-node-pool/main.tf)
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.catalog import labels, values
from generator.rules import scope
from generator.rules.base import ERROR, Problem, Rule
from generator.view import Absent, Answer, Block, Elements, Known, NodePool, Unknown, edits

_SHAPES = "NAME or NAME/reservationBlocks/BLOCK[/reservationSubBlocks/SUB], with projects/PROJECT/reservations/ before it or not"


def check(pool: NodePool) -> Iterator[Problem]:
    """Every reservation block of a pool."""
    if not scope.hardware(pool):
        return
    for block in pool.blocks("node_config.reservation_affinity"):
        kind = block.get("consume_reservation_type")
        written = block.elements("values")
        if isinstance(kind, Known) and kind.value == values.specific_reservation():
            yield from _key(pool, block)
            yield from _number(pool, kind, written)
        elif isinstance(kind, Known) and isinstance(written, Elements) and written.items:
            yield from _contradiction(pool, kind, written)
            continue
        yield from _shapes(pool, written)


def _key(pool: NodePool, block: Block) -> Iterator[Problem]:
    key: Answer = block.get("key")
    wanted = labels.reservation().key
    if isinstance(key, Unknown) or (isinstance(key, Known) and key.value == wanted):
        return
    found = f"is {key.show()}" if isinstance(key, Known) else "is not written"
    message = f'the key of the reservation {found}; a specific reservation needs "{wanted}"'
    fix = edits.with_argument(block, "key", wanted)
    yield scope.problem(pool, ERROR, key, message, f'Write key = "{wanted}".', fix=fix)


def _number(pool: NodePool, kind: Known, written: Elements | Unknown | Absent) -> Iterator[Problem]:
    if isinstance(written, Unknown) or (isinstance(written, Elements) and len(written.items) == 1):
        return
    if isinstance(written, Elements) and len(written.items) > 1 and not written.distinct:
        return
    count = len(written.items) if isinstance(written, Elements) else 0
    message = f"{count or 'no'} reservations are named; {kind.show()} needs exactly one"
    at = written.span if isinstance(written, Elements) else written
    yield scope.problem(pool, ERROR, at, message, "Write the one reservation as values = [NAME].")


def _contradiction(pool: NodePool, kind: Known, written: Elements) -> Iterator[Problem]:
    places = [("consume_reservation_type", kind.span), ("values", written.span)]
    (first, first_at), (second, second_at) = scope.in_order(places)
    message = f"{second} beside {first}: reservations are named, but the type is {kind.show()}, which names none"
    help_ = 'Write consume_reservation_type = "SPECIFIC_RESERVATION", or remove key and values.'
    yield scope.problem(pool, ERROR, second_at, message, help_, *scope.note(first_at, f"{first} is here"))


def _shapes(pool: NodePool, written: Elements | Unknown | Absent) -> Iterator[Problem]:
    for item in written.items if isinstance(written, Elements) else ():
        if isinstance(item, Known) and not values.is_reservation(str(item.value)) and isinstance(written, Elements):
            message = f"{item.show()} is no path of a reservation that GKE knows"
            yield Problem(ERROR, message, f"Write {_SHAPES}.", written.span, pool.address, scope.origins(item))


RULE = Rule(
    name="reservation",
    severities=(ERROR,),
    seeks=NodePool,
    check=check,
    summary="the reservation of a pool is not written as GKE wants it",
)
