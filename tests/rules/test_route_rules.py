"""The two routes to RDMA: profile, labels, networks, and what they ask of the cluster."""

from __future__ import annotations

import pytest
from good_folder import DRANET_LABELS, MANUAL, NINE, NO_CLUSTER, PROFILE, Edits, Says

STRATEGY = 'gpudirect_strategy = "RDMA"'
DRANET_KEY = '"cloud.google.com/gke-networking-dra-driver"  = "true"'
PROFILE_KEY = '"gke.networks.io/accelerator-network-profile" = "auto"'
OTHER_MACHINE = {'"a3-ultragpu-8g"': '"a3-megagpu-8g"', STRATEGY: ""}
DATAPATH = 'datapath_provider   = "ADVANCED_DATAPATH"'


@pytest.mark.parametrize("rule", ["", "network-interfaces", "multi-networking", "dataplane-v2"])
def test_the_manual_route_is_right_as_well(says: Says, rule: str) -> None:
    assert says(rule, MANUAL) == []


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({DRANET_KEY: ""}, ["error: node_config"]),
        ({DRANET_KEY: DRANET_KEY.replace('"true"', '"false"')}, ['error: "false"']),
        ({DRANET_KEY: DRANET_KEY.replace('"true"', '"True"')}, ['error: "True"']),
        ({DRANET_KEY: DRANET_KEY.replace('"true"', "true")}, []),
        ({DRANET_KEY: DRANET_KEY.replace('"true"', "var.text")}, []),
        ({DRANET_KEY: DRANET_KEY.replace('"true"', "null")}, ["error: null"]),
        ({DRANET_LABELS: "labels = var.map\n"}, []),
        ({DRANET_LABELS: "labels = merge(var.map, { a = 1 })\n"}, []),
        ({DRANET_LABELS: ""}, ["error: node_config"]),
        ({DRANET_LABELS: "", STRATEGY: ""}, []),
        ({DRANET_LABELS: "", PROFILE: 'accelerator_network_profile = "none"'}, []),
        ({DRANET_LABELS: "", PROFILE: "accelerator_network_profile = var.text"}, []),
        (MANUAL, []),
    ],
)
def test_dranet_label(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("dranet-label", edits) == wanted


IGNORE = "  lifecycle {\n    ignore_changes = [%s]\n  }\n  network_config {"


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({PROFILE_KEY: ""}, ["warning: node_config"]),
        ({PROFILE_KEY: PROFILE_KEY.replace('"auto"', '"other"')}, ['warning: "other"']),
        ({PROFILE_KEY: "", STRATEGY: ""}, ["warning: node_config"]),
        ({DRANET_LABELS: ""}, []),
        ({DRANET_LABELS: "labels = null\n"}, []),
        ({DRANET_LABELS: "labels = {}\n"}, ["warning: node_config"]),
        ({DRANET_LABELS: "labels = var.map\n"}, []),
        ({PROFILE: "accelerator_network_profile = var.text"}, []),
        ({PROFILE: 'accelerator_network_profile = "mine"'}, ['warning: "auto"']),
        ({PROFILE_KEY: "", "  network_config {": IGNORE % "node_config[0].labels"}, []),
        ({PROFILE_KEY: "", "  network_config {": IGNORE % "node_config[0].taint"}, ["warning: node_config"]),
        ({PROFILE_KEY: "", **OTHER_MACHINE}, []),
    ],
)
def test_network_profile_label(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("network-profile-label", edits) == wanted


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("", ["error: network_config"]),
        ("accelerator_network_profile = null", ["error: null"]),
        ('accelerator_network_profile = ""', ['error: ""']),
        ('accelerator_network_profile = "none"', ['error: "none"']),
        ('accelerator_network_profile = "NONE"', ['error: "NONE"']),
        ('accelerator_network_profile = "AUTO"', ['error: "AUTO"']),
        ('accelerator_network_profile = "Auto "', ['error: "Auto "']),
        ('accelerator_network_profile = "auto-b200"', ['advice: "auto-b200"']),
        ("accelerator_network_profile = var.text", []),
        (NINE, []),
        ('dynamic "additional_node_network_configs" {\n for_each = var.list\n content {\n network = "n"\n}\n}', []),
    ],
)
def test_network_profile(says: Says, written: str, wanted: list[str]) -> None:
    assert says("network-profile", {PROFILE: written}) == wanted
    assert says("network-profile", {PROFILE: written, STRATEGY: ""}) == []


def test_network_profile_without_network_config(says: Says) -> None:
    block = f"  network_config {{\n    {PROFILE}\n  }}\n"
    assert says("network-profile", {block: ""}) == ['error: resource "google_container_node_pool" "gpu"']


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({PROFILE: PROFILE + "\n" + NINE}, ["error: additional_node_network_configs"]),
        ({PROFILE: NINE + "\n" + PROFILE}, ['error: "auto"']),
        ({PROFILE: NINE}, ['error: "true"']),
        ({PROFILE: NINE, DRANET_KEY: DRANET_KEY.replace('"true"', '"false"')}, []),
        ({PROFILE: 'accelerator_network_profile = "none"\n' + NINE, DRANET_LABELS: ""}, []),
        ({PROFILE: NINE + "\n" + PROFILE, **OTHER_MACHINE}, []),
        ({PROFILE: NINE + "\naccelerator_network_profile = var.text", DRANET_LABELS: ""}, []),
    ],
)
def test_network_route_of_a_pool(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("network-route", edits) == wanted


def other_pool(network: str, *, count: str = "", cluster: str = "google_container_cluster.c.id") -> str:
    return f"""
resource "google_container_node_pool" "other" {{
  {count}
  name    = "other"
  cluster = {cluster}
  network_config {{
    {network}
  }}
  node_config {{
    machine_type = "a4-highgpu-8g"
  }}
}}
"""


@pytest.mark.parametrize(
    ("pool", "wanted"),
    [
        (other_pool(NINE), ['advice: "auto"']),
        (other_pool(PROFILE), []),
        (other_pool(NINE, count="count = var.number"), []),
        (other_pool(NINE, cluster="var.text"), []),
        (other_pool(NINE).replace("a4-highgpu-8g", "n2-standard-8"), []),
    ],
)
def test_network_route_of_a_cluster(says: Says, pool: str, wanted: list[str]) -> None:
    assert says("network-route", {DRANET_LABELS + "  }\n}\n": DRANET_LABELS + "  }\n}\n" + pool}) == wanted


def networks(*pairs: tuple[str, str]) -> Edits:
    blocks = [f"additional_node_network_configs {{\n network = {n}\n subnetwork = {s}\n}}\n" for n, s in pairs]
    return {**MANUAL, PROFILE: "".join(blocks)}


HOST = ('"host"', '"host-0"')
RDMA = [('"rdma"', f'"rdma-{n}"') for n in range(8)]
COMPUTED = [("var.text", f"var.list[{n}]") for n in range(8)]


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (networks(HOST, *RDMA), []),
        (networks(*RDMA), ["error: network_config"]),
        (networks(HOST, *RDMA, ('"storage"', '"storage-0"')), ["error: network_config"]),
        (networks(*RDMA, HOST), ['error: "rdma"']),
        (networks(RDMA[0], HOST, *RDMA[1:]), ['error: "rdma"']),
        (networks(HOST, *RDMA[:7], RDMA[0]), ['error: "rdma-0"']),
        (
            networks(HOST, *RDMA[:7], ('"rdma"', '"projects/p/regions/r/subnetworks/rdma-0"')),
            ['error: "projects/p/regions/r/subnetworks/rdma-0"'],
        ),
        (networks(('"a"', '"same"'), *RDMA[:7], ('"rdma"', '"same"')), []),
        (networks(("var.text", "var.list[9]"), *COMPUTED), []),
        (networks(*COMPUTED), ["error: network_config"]),
        ({**MANUAL, "range(8)": "var.list"}, []),
        ({**networks(*RDMA), **{'"a3-ultragpu-8g"': "var.text"}}, ["error: network_config"]),
        ({**networks(*RDMA), **OTHER_MACHINE}, []),
    ],
)
def test_network_interfaces(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("network-interfaces", edits) == wanted


NETWORKS = """
resource "google_compute_network" "host" {
  name = "host"
}
resource "google_compute_network" "rdma" {
  name = "rdma"
}
resource "google_compute_subnetwork" "rdma" {
  count         = 8
  name          = "rdma-${count.index}"
  network       = google_compute_network.rdma.id
  ip_cidr_range = "10.0.${count.index}.0/24"
}
"""
BY_ID = [("google_compute_network.rdma.id", f"google_compute_subnetwork.rdma[{n}].id") for n in range(8)]
HOST_BY_ID = ("google_compute_network.host.id", '"host-0"')


@pytest.mark.parametrize(
    ("pairs", "wanted"),
    [
        ([HOST_BY_ID, *BY_ID], []),
        ([*BY_ID, HOST_BY_ID], ["error: google_compute_network.rdma.id"]),
        ([HOST_BY_ID, *BY_ID[:7], BY_ID[3]], ["error: google_compute_subnetwork.rdma[3].id"]),
    ],
)
def test_network_interfaces_by_reference(says: Says, pairs: list[tuple[str, str]], wanted: list[str]) -> None:
    edits = networks(*pairs)
    assert says("network-interfaces", {**edits, 'variable "flag"': NETWORKS + 'variable "flag"'}) == wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", ['error: resource "google_container_cluster" "c"']),
        ("  enable_multi_networking = false\n", ["error: false"]),
        ("  enable_multi_networking = null\n", ["error: null"]),
        ("  enable_multi_networking = var.flag\n", []),
        (
            '  enable_multi_networking = true\n  ip_allocation_policy {\n    stack_type = "IPV4_IPV6"\n  }\n',
            ['error: "IPV4_IPV6"'],
        ),
        ('  enable_multi_networking = true\n  ip_allocation_policy {\n    stack_type = "IPV4"\n  }\n', []),
    ],
)
def test_multi_networking(says: Says, line: str, wanted: list[str]) -> None:
    assert says("multi-networking", {**MANUAL, "  datapath_provider   =": f"{line}  datapath_provider   ="}) == wanted


def test_multi_networking_is_for_the_manual_route(says: Says) -> None:
    assert says("multi-networking") == []


@pytest.mark.parametrize("route", [{}, MANUAL])
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("", ['error: resource "google_container_cluster" "c"']),
        ("datapath_provider   = null", ["error: null"]),
        ('datapath_provider   = "LEGACY_DATAPATH"', ['error: "LEGACY_DATAPATH"']),
        ("datapath_provider   = var.text", []),
        (DATAPATH + "\n network_policy {\n enabled = true\n}", ["error: true"]),
        ("network_policy {\n enabled = true\n}\n" + DATAPATH, ['error: "ADVANCED_DATAPATH"']),
        (DATAPATH + "\n network_policy {\n enabled = var.flag\n}", []),
        ("enable_autopilot = true", []),
        ("enable_autopilot = var.flag", []),
    ],
)
def test_dataplane_v2(says: Says, route: Edits, line: str, wanted: list[str]) -> None:
    edits = {k: v for k, v in route.items() if "datapath" not in k}
    assert says("dataplane-v2", {**edits, DATAPATH: line}) == wanted


def test_dataplane_v2_asks_nothing_of_a_cluster_without_a_route(says: Says) -> None:
    assert says("dataplane-v2", {DATAPATH: "", PROFILE: "", DRANET_LABELS: ""}) == []
    assert says("dataplane-v2", {DATAPATH: "", **NO_CLUSTER}) == []


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({STRATEGY: ""}, ["warning: node_config"]),
        ({'"RDMA"': "null"}, ["warning: null"]),
        ({'"RDMA"': "var.text"}, []),
        ({'"RDMA"': '""'}, []),
        ({STRATEGY: "", PROFILE: ""}, ["warning: node_config"]),
        ({STRATEGY: "", PROFILE: "", DRANET_LABELS: ""}, []),
        ({STRATEGY: "", **MANUAL}, ["advice: node_config"]),
        ({STRATEGY: "", PROFILE: "", DRANET_LABELS: "labels = var.map\n"}, []),
        (OTHER_MACHINE, []),
        ({STRATEGY: "", '"a3-ultragpu-8g"': "var.text"}, []),
    ],
)
def test_installer_off(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("installer-off", edits) == wanted


CLUSTER = 'resource "google_container_cluster" "c" {\n'
POOL = ['error: resource "google_container_node_pool" "gpu"']


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({CLUSTER: CLUSTER + "  enable_autopilot = true\n"}, POOL),
        ({CLUSTER: CLUSTER + "  enable_autopilot = false\n"}, []),
        ({CLUSTER: CLUSTER + "  enable_autopilot = var.flag\n"}, []),
        ({CLUSTER: CLUSTER + "  enable_autopilot = true\n", **OTHER_MACHINE}, []),
    ],
)
def test_autopilot_node_pool(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("autopilot-node-pool", edits) == wanted
