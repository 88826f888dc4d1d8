"""The facts hold together, and each says where it comes from."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from generator.catalog import (
    gke_version,
    images,
    labels,
    machines,
    nccl,
    networks,
    store,
    values,
    versions,
    zones,
)
from generator.catalog.constraints import parse_version
from generator.schema import provider

DATA = sorted((Path(store.__file__).parent / "data").glob("*.json"))


def test_two_machine_types_are_served() -> None:
    assert [m.name for m in machines.served()] == ["a3-ultragpu-8g", "a4-highgpu-8g"]


@pytest.mark.parametrize("machine", machines.served(), ids=lambda m: m.name)
def test_a_served_machine_type_is_known_in_full(machine: machines.MachineType) -> None:
    assert machine.reason is None
    assert (machine.accelerator_count, machine.local_ssd_count, machine.local_ssd_total_gib) == (8, 32, 12000)
    assert machine.gvnic_nics + machine.rdma_nics == machine.nics
    assert machine.additional_networks == 9
    assert machine.profile_name("us-central1-b") == "us-central1-b-vpc-roce"
    assert zones.zones(machine.name)
    assert nccl.figures(machine.name) is not None
    assert versions.floor("manual", machine_type=machine.name) is not None


def test_every_other_machine_type_says_why_it_is_not_served() -> None:
    others = [m for m in machines.machine_types().values() if not m.served]
    assert {m.name for m in others} >= {
        "a3-ultragpu-8g-nolssd",
        "a4x-highgpu-4g",
        "a4x-maxgpu-4g-metal",
        "a3-megagpu-8g",
    }
    assert all(m.reason for m in others)
    assert machines.served_type("a3-megagpu-8g") is None
    assert machines.machine_type("n2-standard-8") is None


def test_the_disks_of_a4x_are_not_guessed() -> None:
    machine = machines.machine_type("a4x-highgpu-4g")
    assert machine is not None
    assert machine.local_ssd_count is None


@pytest.mark.parametrize(
    ("feature", "mode", "machine", "version"),
    [
        ("installer", "standard", None, "1.34.8-gke.1278000"),
        ("installer", "autopilot", None, "1.36.2-gke.1368000"),
        ("dranet", "standard", "a4-highgpu-8g", "1.34.1-gke.1829001"),
        ("manual", "standard", "a3-ultragpu-8g", "1.31.4-gke.1183000"),
        ("manual", "standard", "a4-highgpu-8g", "1.32.2-gke.1475000"),
        ("manual", "standard", None, "1.31.4-gke.1183000"),
    ],
)
def test_floors(feature: versions.Feature, mode: versions.Mode, machine: str | None, version: str) -> None:
    found = versions.floor(feature, mode=mode, machine_type=machine)
    assert found is not None
    assert found.version == version
    assert found.source.url.startswith("https://")


def test_there_is_no_floor_for_what_nobody_has() -> None:
    assert versions.floor("manual", machine_type="n2-standard-8") is None
    assert versions.highest([]) is None


@pytest.mark.parametrize(
    ("part", "newest"),
    [
        ("1.34", "1.34.8-gke.1278000"),
        ("1.34.8", "1.34.8-gke.1278000"),
        ("1.33", None),
        ("1", "1.36.2-gke.1368000"),
        ("x", None),
    ],
)
def test_newest(part: str, newest: str | None) -> None:
    assert versions.newest(part) == newest


@pytest.mark.parametrize("mode", ["standard", "autopilot"])
def test_the_default_version_reaches_the_floor_of_the_installer(mode: versions.Mode) -> None:
    floor = versions.floor("installer", mode=mode)
    newest = versions.newest(versions.default_version(mode))
    assert floor is not None
    assert newest is not None
    assert not gke_version.is_below(newest, floor.version)


def test_the_argument_tree_is_of_the_version_that_is_known() -> None:
    assert versions.provider_known() == provider.PROVIDER_VERSION


def test_tool_floors_are_versions() -> None:
    for text in (
        versions.provider_floor(),
        versions.provider_known(),
        versions.terraform_floor(),
        versions.opentofu_floor(),
    ):
        assert parse_version(text) is not None
    assert parse_version(versions.gcloud_floor()) is not None


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("r", True),
        ("r/reservationBlocks/b", True),
        ("r/reservationBlocks/b/reservationSubBlocks/s", True),
        ("projects/p/reservations/r", True),
        ("projects/p/reservations/r/reservationBlocks/b/reservationSubBlocks/s", True),
        ("", False),
        ("r/reservationSubBlocks/s", False),
        ("projects/p/zones/z/reservations/r", False),
        ("projects/p/reservations/", False),
        ("r/", False),
        ("r with blanks", False),
        ("https://compute.googleapis.com/projects/p/reservations/r", False),
    ],
)
def test_shapes_of_a_reservation(text: str, known: bool) -> None:
    assert values.is_reservation(text) is known


def test_other_facts() -> None:
    assert re.fullmatch(r"[a-z0-9./-]+:v\d+\.\d+\.\d+", images.nccl_test())
    assert labels.dranet().key == "cloud.google.com/gke-networking-dra-driver"
    assert labels.gpu_taint().effect == "NO_SCHEDULE"
    assert networks.roce_mtu() == 8896
    assert nccl.command()[0].endswith("run_nccl_tests.sh")
    assert nccl.judged_from() == 2**30


def sources(value: object) -> list[str]:
    """The names of all sources in a data file."""
    if isinstance(value, dict):
        named = [value["source"]] if "source" in value else []
        return [*named, *value.get("sources", []), *[s for v in value.values() for s in sources(v)]]
    return [s for v in value for s in sources(v)] if isinstance(value, list) else []


@pytest.mark.parametrize("file", [f for f in DATA if f.stem != "sources"], ids=lambda f: f.stem)
def test_every_fact_has_a_source(file: Path) -> None:
    data = json.loads(file.read_text("utf-8"))
    named = sources(data)
    assert named
    for name in named:
        assert store.source(name).url.startswith("https://")


def test_no_source_is_left_over() -> None:
    named = {name for file in DATA if file.stem != "sources" for name in sources(json.loads(file.read_text("utf-8")))}
    assert named == set(store.load("sources"))


def test_looking_up_a_fact_reads_one_file_and_loads_little() -> None:
    """Lint starts on every commit: a fact must not cost what another one needs."""
    program = (
        "import sys; from generator.catalog import labels; labels.dranet();"
        "from generator.catalog.store import load; print(load.cache_info().currsize, 'tomllib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "False"]
