"""Machine type, accelerator, disks, image and driver."""

from __future__ import annotations

import pytest
from good_folder import DRANET_LABELS, NO_CLUSTER, Edits, Says

MACHINE = '"a3-ultragpu-8g"'
STRATEGY = 'gpudirect_strategy = "RDMA"'
GPU = """    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
      gpu_driver_installation_config {
        gpu_driver_version = "LATEST"
      }
    }
"""
SSD = """    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }
"""
DRIVER = '"LATEST"'
NO_INSTALLER = {STRATEGY: ""}
OTHER_MACHINE = {MACHINE: '"a3-megagpu-8g"', STRATEGY: ""}


def test_the_good_folder_gives_no_finding_at_all(says: Says) -> None:
    assert says("") == []


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({MACHINE: '"a4-highgpu-8g"'}, []),
        ({MACHINE: '"a3-ultragpu-8g-nolssd"'}, ['error: "a3-ultragpu-8g-nolssd"']),
        ({MACHINE: '"n2-standard-8"'}, ['error: "n2-standard-8"']),
        ({MACHINE: "var.text"}, []),
        ({MACHINE: "var.hidden"}, ["error: var.hidden"]),
        ({MACHINE: "null"}, ["error: null"]),
        ({f"machine_type       = {MACHINE}": ""}, ["error: node_config"]),
        ({MACHINE: '"n2-standard-8"', STRATEGY: ""}, []),
        ({MACHINE: '"n2-standard-8"', '"RDMA"': '""'}, []),
        ({MACHINE: '"n2-standard-8"', '"RDMA"': "var.text"}, []),
    ],
)
def test_machine_type(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("machine-type", edits) == wanted


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({'"nvidia-h200-141gb"': '"nvidia-b200"'}, ['error: "nvidia-b200"']),
        ({MACHINE: '"a4-highgpu-8g"'}, ['error: "nvidia-h200-141gb"']),
        ({"count = 8": "count = 4"}, ["error: 4"]),
        ({"count = 8": 'count = "8"'}, []),
        ({"count = 8": "count = var.number"}, []),
        ({'"nvidia-h200-141gb"': '"projects/p/zones/z/acceleratorTypes/nvidia-h200-141gb"'}, []),
        ({GPU: ""}, ["error: node_config"]),
        ({GPU: "", **NO_INSTALLER}, ["error: node_config"]),
        ({GPU: "", **OTHER_MACHINE}, []),
        ({GPU: "", MACHINE: "var.text"}, []),
        (
            {GPU: 'dynamic "guest_accelerator" {\n for_each = var.list\n content {\n type = "x"\n count = 8\n}\n}\n'},
            ['error: "x"'],
        ),
        (
            {GPU: 'dynamic "guest_accelerator" {\n for_each = []\n content {\n type = "x"\n count = 8\n}\n}\n'},
            ["error: node_config"],
        ),
    ],
)
def test_accelerator(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("accelerator", edits) == wanted


def ssd(kind: str, count: str, more: str = "") -> str:
    return f"    {kind} {{\n      local_ssd_count = {count}\n{more}    }}\n"


def dynamic(count: int, kind: str = "ephemeral_storage_local_ssd_config") -> str:
    content = f"local_ssd_count = {count}" + ("\n data_cache_count = 0" if kind.startswith("ephemeral") else "")
    return f'    dynamic "{kind}" {{\n for_each = var.list\n content {{\n {content}\n}}\n}}\n'


EPHEMERAL, RAW = "ephemeral_storage_local_ssd_config", "local_nvme_ssd_block_config"
CACHE = "      data_cache_count = 0\n"
IGNORED = {"  network_config {": "  lifecycle {\n    ignore_changes = [%s]\n  }\n  network_config {"}


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        (ssd(EPHEMERAL, "16", CACHE), ["error: 16"]),
        (ssd(EPHEMERAL, '"32"', CACHE), []),
        (ssd(EPHEMERAL, "var.number", CACHE), []),
        (ssd(EPHEMERAL, "32", "      data_cache_count = 4\n"), ["error: 4"]),
        (ssd(EPHEMERAL, "32"), [f"advice: {EPHEMERAL}"]),
        (ssd(EPHEMERAL, "32", "      data_cache_count = null\n"), ["advice: null"]),
        (ssd(EPHEMERAL, "32", "      data_cache_count = var.number\n"), []),
        (ssd(RAW, "32"), [f"advice: {RAW}"]),
        (ssd(RAW, "16"), ["error: 16"]),
        (ssd(RAW, "0"), ["error: 0"]),
        (ssd(EPHEMERAL, "0", CACHE), ["error: 0"]),
        ("", ["error: node_config"]),
        (ssd(EPHEMERAL, "32", CACHE) + ssd(RAW, "32"), [f"error: {RAW}"]),
        (ssd(RAW, "32") + ssd(EPHEMERAL, "32", CACHE), [f"error: {EPHEMERAL}"]),
        (ssd(EPHEMERAL, "32", CACHE) + ssd(RAW, "0"), []),
        (ssd(EPHEMERAL, "0", CACHE) + ssd(RAW, "32"), [f"advice: {RAW}"]),
        (ssd(EPHEMERAL, "32", CACHE) + "    local_ssd_count = 32\n", ["error: 32"]),
        (ssd(EPHEMERAL, "32", CACHE) + "    local_ssd_count = 0\n", []),
        ("    local_ssd_count = 32\n", ["error: node_config"]),
        (
            dynamic(32),
            [],
        ),
        (
            dynamic(8),
            ["error: 8"],
        ),
    ],
)
def test_local_ssd(says: Says, block: str, wanted: list[str]) -> None:
    assert says("local-ssd", {SSD: block}) == wanted


@pytest.mark.parametrize(
    ("ignored", "wanted"),
    [
        (f"node_config[0].{EPHEMERAL}", []),
        ("node_config", []),
        (f"node_config[0].{RAW}", ["error: node_config"]),
        ("version", ["error: node_config"]),
    ],
)
def test_local_ssd_that_is_missing_may_be_ignored(says: Says, ignored: str, wanted: list[str]) -> None:
    (old, new), *_ = IGNORED.items()
    assert says("local-ssd", {SSD: "", old: new % ignored}) == wanted


def test_local_ssd_of_other_machines_is_theirs(says: Says) -> None:
    assert says("local-ssd", {SSD: "", **OTHER_MACHINE}) == []


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ('"rdma"', ['error: "rdma"']),
        ('"TCPX"', ['error: "TCPX"']),
        ('" RDMA"', ['error: " RDMA"']),
        ('""', ['error: ""']),
        ("null", []),
        ("var.text", []),
        ("var.hidden", ["error: var.hidden"]),
        ('upper("rdma")', []),
        ('var.flag ? "rdma" : "RDMA"', []),
    ],
)
def test_gpudirect_strategy(says: Says, value: str, wanted: list[str]) -> None:
    assert says("gpudirect-strategy", {'"RDMA"': value}) == wanted


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ('"COS_CONTAINERD"', []),
        ('"cos_containerd"', []),
        ('"COS"', ['error: "COS"']),
        ('"UBUNTU_CONTAINERD"', ['error: "UBUNTU_CONTAINERD"']),
        ('""', []),
        ("null", []),
        ("var.text", []),
    ],
)
def test_image_type(says: Says, written: str, wanted: list[str]) -> None:
    assert says("image-type", {STRATEGY: f"{STRATEGY}\n    image_type = {written}"}) == wanted
    assert says("image-type", {STRATEGY: f"image_type = {written}"}) == []


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ('disk_type = "pd-ssd"', ['error: "pd-ssd"']),
        ('disk_type = "PD-SSD"', ['error: "PD-SSD"']),
        ('disk_type = "hyperdisk-balanced"', []),
        ("disk_type = var.text", []),
        ('boot_disk {\n disk_type = "pd-balanced"\n}', ['error: "pd-balanced"']),
        ('boot_disk {\n disk_type = "hyperdisk-balanced"\n}', []),
    ],
)
def test_boot_disk(says: Says, written: str, wanted: list[str]) -> None:
    assert says("boot-disk", {"    spot ": f"{written}\n    spot "}) == wanted
    assert says("boot-disk", {"    spot ": f"{written}\n    spot ", **OTHER_MACHINE}) == []


OFF = '"INSTALLATION_DISABLED"'
WITH_LABEL = DRANET_LABELS.replace("labels = {", 'labels = {\n      "%s" = %s')


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({DRIVER: '"DEFAULT"'}, []),
        ({DRIVER: '"GPU_DRIVER_VERSION_UNSPECIFIED"'}, []),
        ({DRIVER: '"latest"'}, ['error: "latest"']),
        ({DRIVER: "var.text"}, []),
        ({DRIVER: OFF}, [f"warning: {OFF}"]),
        ({DRIVER: OFF, **NO_INSTALLER}, []),
        ({DRIVER: OFF, DRANET_LABELS: WITH_LABEL % ("gke-no-default-nvidia-gpu-device-plugin", '"true"')}, []),
        ({DRIVER: OFF, DRANET_LABELS: WITH_LABEL % ("cloud.google.com/gke-nvidia-gpu-dra-driver", "true")}, []),
        (
            {DRIVER: OFF, DRANET_LABELS: WITH_LABEL % ("cloud.google.com/gke-nvidia-gpu-dra-driver", '"false"')},
            [f"warning: {OFF}"],
        ),
        ({DRIVER: OFF, DRANET_LABELS: "labels = var.map\n"}, []),
        ({GPU: GPU[: GPU.index("      gpu_driver")] + "    }\n"}, ["advice: guest_accelerator"]),
        ({GPU: ""}, []),
    ],
)
def test_gpu_driver(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("gpu-driver", edits) == wanted


def test_a_pool_of_an_unknown_cluster_is_judged_too(says: Says) -> None:
    assert says("accelerator", {**NO_CLUSTER, "count = 8": "count = 1"}) == ["error: 1"]
