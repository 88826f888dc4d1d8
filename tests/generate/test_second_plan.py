"""What is written so that a second plan has nothing to change: the table of what GKE answers, over every generated folder.

Each row is an answer of the service that makes a lasting difference unless an argument is written, or is not.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from generator.hcl.project import Options, Project
from generator.schema.provider import types_of_interest
from generator.view import Absent, Known, NodePool
from generator.view.text import trees

ROOT = Path(__file__).parents[2]
FOLDERS = [
    folder
    for top in (ROOT / "tests/generate/golden", ROOT / "modules")
    for folder in sorted(top.iterdir())
    if 'resource "google_container_node_pool"' in (folder / "main.tf").read_text()
]

Check = Callable[[NodePool], bool]


@cache
def pools(folder: Path) -> list[NodePool]:
    folders = [folder, *folder.glob("examples/basic")]
    (tree,) = trees(Project(folder, Options(types_of_interest(), folders=folders)), folders)
    return [pool for pool in tree.pools if isinstance(pool, NodePool)]


def value(pool: NodePool, path: str) -> object:
    """A known value, `None` where nothing is written, `...` where it is not known."""
    answer = pool.get(path)
    if isinstance(answer, Known):
        return answer.value
    return None if isinstance(answer, Absent) else ...


def count(pool: NodePool, path: str) -> int | None:
    """How many blocks are written there."""
    return pool.blocks(path).count


def route_is_written(pool: NodePool) -> bool:
    """Without a profile or networks GKE makes none; what a profile makes is Computed, so it is not written."""
    networks = count(pool, "network_config.additional_node_network_configs")
    profile = value(pool, "network_config.accelerator_network_profile")
    return (profile, networks) in (("auto", 0), (None, 9))


def labels_are_gkes(pool: NodePool) -> bool:
    """A map of labels that lacks one of GKE's own would remove it in every plan; no map at all removes nothing."""
    labels = value(pool, "node_config.labels")
    if value(pool, "network_config.accelerator_network_profile") is None:
        return labels is None
    return (
        isinstance(labels, dict)
        and {
            "cloud.google.com/gke-networking-dra-driver": "true",
            "gke.networks.io/accelerator-network-profile": "auto",
        }.items()
        <= labels.items()
    )


def reservation_is_open_or_whole(pool: NodePool) -> bool:
    """Unwritten where GKE reports none; where it reports one, unwritten would replace the pool."""
    queued, flex = count(pool, "queued_provisioning"), value(pool, "node_config.flex_start")
    kind = value(pool, "node_config.reservation_affinity.consume_reservation_type")
    if queued or flex:
        return kind == "NO_RESERVATION"
    if kind is None:
        return True
    values = value(pool, "node_config.reservation_affinity.values")
    return kind == "SPECIFIC_RESERVATION" and isinstance(values, frozenset) and len(values) == 1


def disks_are_written(pool: NodePool) -> bool:
    """GKE reports the 32 disks of the machine type; unwritten, they would replace the pool."""
    block = "node_config.ephemeral_storage_local_ssd_config"
    return (value(pool, f"{block}.local_ssd_count"), value(pool, f"{block}.data_cache_count")) == (32, 0) and not count(
        pool, "node_config.local_nvme_ssd_block_config"
    )


def size_is_said_once(pool: NodePool) -> bool:
    """`node_count` beside autoscaling changes back what the autoscaler does; `initial_node_count` replaces the pool."""
    fixed, scaled = value(pool, "node_count") is not None, count(pool, "autoscaling") == 1
    return fixed != scaled and value(pool, "initial_node_count") is None


ROWS: dict[str, Check] = {
    "route": route_is_written,
    "labels": labels_are_gkes,
    "local SSD": disks_are_written,
    "reservation": reservation_is_open_or_whole,
    "size": size_is_said_once,
    "installer": lambda pool: value(pool, "node_config.gpudirect_strategy") == "RDMA",
    "gvnic": lambda pool: not count(pool, "node_config.gvnic"),
    "taint of GKE": lambda pool: (
        "nvidia.com/gpu" not in [value_of(block.get("key")) for block in pool.blocks("node_config.taint")]
    ),
    "version": lambda pool: value(pool, "version") is None,
    "metadata": lambda pool: value(pool, "node_config.metadata") is None,
    "image type": lambda pool: value(pool, "node_config.image_type") is None,
}


def value_of(answer: object) -> object:
    return answer.value if isinstance(answer, Known) else None


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: f"{p.parent.name}-{p.name}")
@pytest.mark.parametrize("row", ROWS)
def test_every_pool_writes_what_prevents_it(row: str, folder: Path) -> None:
    found = [pool for pool in pools(folder) if pool.kind == "resource"]
    assert found
    for pool in found:
        assert ROWS[row](pool), pool.resource.address


def test_the_folders_hold_every_way_to_capacity() -> None:
    """The table is only as good as what it is asked of."""
    kinds = {
        (value(pool, "network_config.accelerator_network_profile"), key)
        for folder in FOLDERS
        for pool in pools(folder)
        for key in ("spot", "flex_start", "reservation_affinity.consume_reservation_type")
        if value(pool, f"node_config.{key}")
    }
    assert len(kinds) >= 5
