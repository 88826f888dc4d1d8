"""What a pool asks of its cluster: versions, channel, place, reference, and what stands beside it."""

from __future__ import annotations

import pytest
from good_folder import DRANET_LABELS, MANUAL, NO_CLUSTER, PROFILE, Edits, Says

MASTER = 'min_master_version  = "1.34.8-gke.1278000"'
LOCATION = 'location            = "us-central1-b"'
CLUSTER_OF_POOL = "  cluster    = google_container_cluster.c.id\n"
COUNT = "  node_count = 2\n"
STRATEGY = 'gpudirect_strategy = "RDMA"'
OTHER_MACHINE = {'"a3-ultragpu-8g"': '"a3-megagpu-8g"', STRATEGY: ""}
CLUSTER = 'resource "google_container_cluster" "c"'
POOL = 'resource "google_container_node_pool" "gpu"'
END = DRANET_LABELS + "  }\n}\n"


def asked(version: str, more: str = "") -> Edits:
    return {MASTER: f"min_master_version  = {version}\n{more}"}


def channel(value: str) -> str:
    return f"release_channel {{\n channel = {value}\n}}\n"


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (asked('"1.34.8-gke.1277999"'), ['warning: "1.34.8-gke.1277999"']),
        (asked('"1.34.10-gke.1"'), []),
        (asked('"1.34.8"'), []),
        (asked('"1.34"'), []),
        (asked('"1.33"'), ['warning: "1.33"']),
        (asked('"latest"'), []),
        (asked('"-"'), []),
        (asked("var.text"), []),
        (asked('"nonsense"'), []),
        (asked("null"), ["warning: null"]),
        (asked('""'), ['warning: ""']),
        ({MASTER: ""}, [f"warning: {CLUSTER}"]),
        ({MASTER: channel('"UNSPECIFIED"')}, [f"warning: {CLUSTER}"]),
        ({MASTER: channel('"RAPID"')}, [f"advice: {CLUSTER}"]),
        ({MASTER: channel("var.text")}, []),
        ({MASTER: "", COUNT: 'version = "1.34.8-gke.1278000"\n'}, []),
        ({MASTER: "", COUNT: "version = var.text\n"}, []),
        ({COUNT: 'version = "1.34.7-gke.9999999"\n'}, ['error: "1.34.7-gke.9999999"']),
        ({COUNT: "version = var.text\n"}, []),
        ({**NO_CLUSTER, COUNT: 'version = "1.33"\n'}, ['error: "1.33"']),
        ({**asked('"1.34.1-gke.1829001"'), STRATEGY: ""}, []),
        ({**asked('"1.34.1-gke.1829000"'), STRATEGY: ""}, ['warning: "1.34.1-gke.1829000"']),
        ({**asked('"1.31.4-gke.1183000"'), STRATEGY: "", **MANUAL}, []),
        ({**asked('"1.31.4-gke.1182999"'), STRATEGY: "", **MANUAL}, ['warning: "1.31.4-gke.1182999"']),
        (
            {**asked('"1.31.4-gke.1183000"'), STRATEGY: "", **MANUAL, '"a3-ultragpu-8g"': '"a4-highgpu-8g"'},
            ['warning: "1.31.4-gke.1183000"'],
        ),
        ({**asked('"1.20"'), STRATEGY: "", PROFILE: "", DRANET_LABELS: ""}, []),
        ({**asked('"1.20"'), **OTHER_MACHINE}, []),
        (asked('"1.36.1"', "enable_autopilot = true"), ['warning: "1.36.1"']),
        (asked('"1.36.2"', "enable_autopilot = true"), []),
    ],
)
def test_gke_version(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("gke-version", edits) == wanted


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ('"1.35"', ['warning: "1.35"']),
        ('"1.34.8"', ['warning: "1.34.8"']),
        ('"1.34.8-gke.1278000"', []),
        ('"latest"', []),
        ("null", []),
        ("var.text", []),
    ],
)
def test_pool_version(says: Says, value: str, wanted: list[str]) -> None:
    assert says("pool-version", {COUNT: f"version = {value}\n"}) == wanted
    ignored = f"version = {value}\nlifecycle {{\n ignore_changes = [version]\n}}\n"
    assert says("pool-version", {COUNT: ignored}) == []


def frozen(flag: str = "false") -> Edits:
    return {COUNT: f"management {{\n auto_upgrade = {flag}\n}}\n"}


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({}, []),
        (frozen(), ["warning: false"]),
        (frozen("true"), []),
        (frozen("var.flag"), []),
        ({**frozen(), MASTER: channel('"STABLE"')}, ["error: false"]),
        ({**frozen(), MASTER: channel("var.text")}, []),
        ({**frozen(), MASTER: channel('"UNSPECIFIED"')}, ['warning: "UNSPECIFIED"']),
        ({MASTER: channel('"UNSPECIFIED"')}, ['warning: "UNSPECIFIED"']),
        (
            {
                **frozen(),
                MASTER: 'dynamic "release_channel" {\n for_each = var.list\n content {\n channel = "STABLE"\n}\n}\n',
            },
            [],
        ),
        ({**frozen(), **NO_CLUSTER}, []),
        ({**frozen(), **OTHER_MACHINE}, []),
    ],
)
def test_release_channel(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("release-channel", edits) == wanted


def placed(pool: str, cluster: str = '"us-central1"', more: str = "", reference: str = "id") -> Edits:
    """A pool with a location (or without) beside a cluster with one."""
    return {
        LOCATION: f"location = {cluster}\n{more}" if cluster else more,
        CLUSTER_OF_POOL: f"cluster = google_container_cluster.c.{reference}\n{pool}\n",
    }


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (placed(""), [f"error: {POOL}"]),
        (placed('location = "us-central1"'), [f"error: {POOL}"]),
        (placed('node_locations = ["us-central1-b"]'), []),
        (placed('node_locations = ["us-central1-b", "us-central1-b"]'), []),
        (placed('node_locations = ["us-central1-b", "us-central1-c"]'), ['error: ["us-central1-b", "us-central1-c"]']),
        (placed('node_locations = ["us-central1-b", var.text]'), []),
        (placed("node_locations = var.list"), []),
        (placed("node_locations = []"), [f"error: {POOL}"]),
        (placed("", more='node_locations = ["us-central1-b"]\n'), []),
        (placed("", more='node_locations = ["us-central1-b", "us-central1-c"]\n'), [f"error: {POOL}"]),
        (placed("", more="node_locations = var.list\n"), []),
        (placed("", cluster="var.text"), []),
        (placed("", cluster='"us-central1-b"', more='node_locations = ["us-central1-c"]\n'), [f"error: {POOL}"]),
        ({}, []),
        ({**placed(""), PROFILE: 'accelerator_network_profile = "mine"'}, []),
        ({**placed(""), **OTHER_MACHINE}, []),
        ({CLUSTER_OF_POOL: 'cluster = var.text\nlocation = "us-central1"\n'}, []),
        ({CLUSTER_OF_POOL: 'cluster = var.text\nlocation = "us-central1-ai1a"\n'}, []),
    ],
)
def test_single_zone(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("single-zone", edits) == wanted


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({LOCATION: 'location = "europe-west3-a"'}, ['advice: "europe-west3-a"']),
        (placed('node_locations = ["us-central1-f"]'), ['advice: ["us-central1-f"]']),
        (placed('node_locations = ["us-central1-b"]'), []),
        (placed("node_locations = [var.text]"), []),
        (placed("node_locations = [var.hidden]"), ["advice: [var.hidden]"]),
        ({LOCATION: 'location = "europe-west3-a"', '"a3-ultragpu-8g"': "var.text"}, []),
        ({LOCATION: 'location = "us-west3-b"', '"a3-ultragpu-8g"': '"a4-highgpu-8g"'}, []),
    ],
)
def test_zone_offer(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("zone-offer", edits) == wanted


REGION = '  region  = "us-central1"\n'
ZONE = '  zone = "us-central1-b"\n'


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (placed('location = "us-central1-b"'), ['error: "us-central1-b"']),
        (placed('location = "us-central1"'), []),
        (placed("location = var.text"), []),
        (placed('location = "us-central1-b"', cluster="var.text"), []),
        (placed("", reference="name"), []),
        (placed("", cluster='"us-east4"', reference="name"), [f"error: {POOL}"]),
        (placed("", cluster='"us-central1-b"', reference="name"), [f"error: {POOL}"]),
        ({**placed("", cluster='"us-central1-b"', reference="name"), REGION: ZONE}, []),
        ({**placed("", cluster='"us-central1-b"', reference="name"), REGION: REGION + ZONE}, [f"error: {POOL}"]),
        ({**placed("", cluster='"us-central1-b"', reference="name"), REGION: "region = var.text\n"}, []),
        ({**placed("", cluster='"us-central1-b"', reference="name"), REGION: ""}, []),
        (placed("provider = google.east", cluster='"us-central1-b"', reference="name"), []),
        (placed("", cluster='"us-east4"'), []),
        (placed('location = "us-east4"', cluster=""), ['error: "us-east4"']),
        (placed('location = "us-central1"', cluster=""), []),
        ({**placed('location = "us-central1-b"'), **OTHER_MACHINE}, []),
    ],
)
def test_pool_location(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("pool-location", edits) == wanted


TRIGGER = "\nlifecycle {\n replace_triggered_by = [%s]\n}"


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({}, []),
        (placed("", reference="name"), ["advice: google_container_cluster.c.name"]),
        (
            {**placed("", reference="name"), 'name                = "c"': "name = var.text"},
            ["advice: google_container_cluster.c.name"],
        ),
        (placed(TRIGGER % "google_container_cluster.c.id", reference="name"), []),
        (placed(TRIGGER % "google_container_cluster.c", reference="name"), []),
        (placed(TRIGGER % "terraform_data.x.id", reference="name"), ["advice: google_container_cluster.c.name"]),
        ({CLUSTER_OF_POOL: 'cluster = "c"\n'}, []),
        ({CLUSTER_OF_POOL: "cluster = var.text\n"}, []),
        ({**placed("", reference="name"), **OTHER_MACHINE}, []),
    ],
)
def test_cluster_reference(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("cluster-reference", edits) == wanted


def inside(block: str = 'node_pool {\n name = "cpu"\n node_count = 1\n}\n') -> Edits:
    return {"  initial_node_count  = 1\n": block}


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (inside(), [f"error: {POOL}"]),
        (inside('dynamic "node_pool" {\n for_each = var.list\n content {\n name = "cpu"\n}\n}\n'), []),
        ({**inside(), **NO_CLUSTER}, []),
        ({**inside(), CLUSTER_OF_POOL: CLUSTER_OF_POOL + "count = var.number\n"}, []),
        ({**inside(), MASTER: f"{MASTER}\nlifecycle {{\n ignore_changes = [node_pool]\n}}\n"}, []),
        ({**inside(), **OTHER_MACHINE}, []),
        ({}, []),
    ],
)
def test_inline_node_pool(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("inline-node-pool", edits) == wanted


PROTECTION = "  deletion_protection = false\n"


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({PROTECTION: ""}, [f"advice: {CLUSTER}"]),
        ({PROTECTION: "deletion_protection = null\n"}, ["advice: null"]),
        ({PROTECTION: "deletion_protection = var.flag\n"}, []),
        ({PROTECTION: "", **OTHER_MACHINE}, []),
    ],
)
def test_deletion_protection(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("deletion-protection", edits) == wanted


ALONE = {PROTECTION: PROTECTION + "remove_default_node_pool = true\n"}
TAINT = 'taint {\n key = %s\n value = "present"\n effect = "NO_SCHEDULE"\n}\n'
CPU = 'resource "google_container_node_pool" "cpu" {\n %s\n name = "cpu"\n cluster = %s\n}\n'


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (ALONE, ["advice: node_config"]),
        ({}, []),
        ({PROTECTION: PROTECTION + "remove_default_node_pool = var.flag\n"}, []),
        ({**ALONE, DRANET_LABELS: DRANET_LABELS + TAINT % '"nvidia.com/gpu"'}, []),
        ({**ALONE, DRANET_LABELS: DRANET_LABELS + TAINT % '"team"'}, ["advice: node_config"]),
        ({**ALONE, DRANET_LABELS: DRANET_LABELS + TAINT % "var.text"}, []),
        ({**ALONE, POOL: CPU % ("", "google_container_cluster.c.id") + POOL}, []),
        ({**ALONE, POOL: CPU % ("count = 0", "google_container_cluster.c.id") + POOL}, ["advice: node_config"]),
        ({**ALONE, POOL: CPU % ("count = var.number", "google_container_cluster.c.id") + POOL}, []),
        ({**ALONE, POOL: CPU % ("", "var.text") + POOL}, []),
        ({**ALONE, **OTHER_MACHINE}, []),
    ],
)
def test_gpu_taint(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("gpu-taint", edits) == wanted


MANIFEST = 'resource "kubernetes_manifest" "m" {\n  manifest = {}\n}\n'


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({POOL: MANIFEST + POOL}, ['advice: resource "kubernetes_manifest" "m"']),
        ({POOL: MANIFEST + POOL, **NO_CLUSTER}, []),
        ({POOL: MANIFEST + POOL, **OTHER_MACHINE}, []),
        ({}, []),
    ],
)
def test_kubernetes_manifest(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("kubernetes-manifest", edits) == wanted


def network(profile: str, more: str = "") -> dict[str, str]:
    return {
        "main.tf": 'variable "text" { type = string }\nvariable "number" { type = number }\n'
        f'resource "google_compute_network" "n" {{\n name = "n"\n network_profile = {profile}\n {more}\n}}\n'
    }


PROFILE_B = "projects/p/global/networkProfiles/us-central1-b-vpc-roce"


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        (network(f'"{PROFILE_B}"'), []),
        (network(f'"https://www.googleapis.com/compute/v1/{PROFILE_B}"'), []),
        (network('"us-central1-b-vpc-roce"'), ['error: "us-central1-b-vpc-roce"']),
        (
            network('"global/networkProfiles/us-central1-b-vpc-roce"'),
            ['error: "global/networkProfiles/us-central1-b-vpc-roce"'],
        ),
        (network("var.text"), []),
        (network("null"), []),
        (network(f'"{PROFILE_B}"', "mtu = 1500"), ["warning: 1500"]),
        (network(f'"{PROFILE_B}"', "mtu = 8896"), []),
        (network(f'"{PROFILE_B}"', "mtu = var.number"), []),
        (network("null", "mtu = 1500"), []),
    ],
)
def test_roce_network(says: Says, files: dict[str, str], wanted: list[str]) -> None:
    assert says("roce-network", files=files) == wanted


def firewall(reference: str) -> str:
    return f'resource "google_compute_firewall" "f" {{\n name = "f"\n network = {reference}\n}}\n'


@pytest.mark.parametrize(
    ("reference", "profile", "wanted"),
    [
        ("google_compute_network.n.id", f'"{PROFILE_B}"', ["error: google_compute_network.n.id"]),
        ("google_compute_network.n.self_link", f'"{PROFILE_B}"', ["error: google_compute_network.n.self_link"]),
        ('"n"', f'"{PROFILE_B}"', ['error: "n"']),
        ('"projects/p/global/networks/n"', f'"{PROFILE_B}"', ['error: "projects/p/global/networks/n"']),
        ('"other"', f'"{PROFILE_B}"', []),
        ("var.text", f'"{PROFILE_B}"', []),
        ("google_compute_network.n.id", "null", []),
        ("google_compute_network.n.id", "var.text", []),
        ("google_compute_network.n.id", '"projects/p/global/networkProfiles/us-central1-b-vpc-falcon"', []),
    ],
)
def test_roce_network_takes_no_firewall_rules(says: Says, reference: str, profile: str, wanted: list[str]) -> None:
    files = network(profile)
    assert says("roce-network", files={"main.tf": files["main.tf"] + firewall(reference)}) == wanted


@pytest.mark.parametrize(
    ("zone", "edits", "wanted"),
    [
        ("us-central1-b", {}, False),
        ("us-central1-f", {}, True),
        ("us-central1-f", {LOCATION: "location = var.text"}, False),
        ("us-central1-f", {'"rdma"': '"another"'}, False),
    ],
)
def test_roce_network_stands_in_the_zone_of_its_pools(says: Says, zone: str, edits: Edits, wanted: bool) -> None:
    profile = f'"projects/p/global/networkProfiles/{zone}-vpc-roce"'
    made = f'resource "google_compute_network" "n" {{\n name = "rdma"\n network_profile = {profile}\n}}\n'
    pool = {k: v.replace('"rdma"', edits.get('"rdma"', '"rdma"')) for k, v in MANUAL.items()}
    others = {k: v for k, v in edits.items() if k != '"rdma"'}
    found = says("roce-network", {**pool, POOL: made + POOL, **others})
    assert found == ([f"error: {profile}"] if wanted else [])
