"""Reservations, Spot, flex-start, placement, size and upgrades."""

from __future__ import annotations

import pytest
from good_folder import Edits, Says

SPOT = "    spot               = true\n"
COUNT = "  node_count = 2\n"
OTHER_MACHINE = {'"a3-ultragpu-8g"': '"a3-megagpu-8g"', 'gpudirect_strategy = "RDMA"': ""}
KEY = 'key = "compute.googleapis.com/reservation-name"\n'
POOL = 'resource "google_container_node_pool" "gpu"'


def affinity(kind: str = '"SPECIFIC_RESERVATION"', key: str = KEY, values: str = 'values = ["h200"]') -> Edits:
    return {SPOT: f"reservation_affinity {{\n consume_reservation_type = {kind}\n {key} {values}\n}}\n"}


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (affinity(), []),
        (affinity(key='key = "googleapis.com/reservation-name"\n'), ['error: "googleapis.com/reservation-name"']),
        (affinity(key=""), ["error: reservation_affinity"]),
        (affinity(key="key = var.text\n"), []),
        (affinity(values=""), ["error: reservation_affinity"]),
        (affinity(values="values = []"), ["error: []"]),
        (affinity(values="values = null"), ["error: null"]),
        (affinity(values='values = ["a", "b"]'), ['error: ["a", "b"]']),
        (affinity(values='values = ["a", "a"]'), []),
        (affinity(values='values = ["a", var.text]'), []),
        (affinity(values="values = var.list"), []),
        (affinity(values='values = ["projects/p/reservations/r/reservationBlocks/b/reservationSubBlocks/s"]'), []),
        (
            affinity(values='values = ["projects/p/reservations/r/reservationSubBlocks/s"]'),
            ['error: ["projects/p/reservations/r/reservationSubBlocks/s"]'],
        ),
        (affinity(values='values = [""]'), ['error: [""]']),
        (
            affinity(values='values = ["projects/p/zones/z/reservations/r"]'),
            ['error: ["projects/p/zones/z/reservations/r"]'],
        ),
        (affinity('"NO_RESERVATION"', "", ""), []),
        (affinity('"NO_RESERVATION"', KEY), ['error: ["h200"]']),
        (affinity('"ANY_RESERVATION"', KEY, "values = []"), []),
        (affinity("var.text"), []),
        (affinity("var.text", values='values = ["a/b"]'), ['error: ["a/b"]']),
        ({**affinity(values=""), **OTHER_MACHINE}, []),
    ],
)
def test_reservation(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("reservation", edits) == wanted


def queued(flag: str = "true") -> Edits:
    return {"  network_config {": f"  queued_provisioning {{\n enabled = {flag}\n}}\n  network_config {{"}


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({SPOT: ""}, ["advice: node_config"]),
        ({SPOT: "spot = false\n"}, ["advice: node_config"]),
        ({SPOT: "spot = var.flag\n"}, []),
        ({SPOT: "preemptible = true\n"}, []),
        ({SPOT: "flex_start = true\n"}, []),
        (affinity(), []),
        (affinity('"ANY_RESERVATION"', "", ""), []),
        (affinity('"NO_RESERVATION"', "", ""), ["advice: node_config"]),
        (affinity("var.text", "", ""), []),
        (
            {
                SPOT: 'dynamic "reservation_affinity" {\n for_each = var.list\n content {\n consume_reservation_type = "X"\n}\n}\n'
            },
            [],
        ),
        ({SPOT: SPOT + affinity()[SPOT]}, ['error: "SPECIFIC_RESERVATION"']),
        ({SPOT: affinity()[SPOT] + SPOT}, ["error: true"]),
        ({SPOT: SPOT + affinity('"NO_RESERVATION"', "", "")[SPOT]}, []),
        ({SPOT: SPOT + "flex_start = true\n"}, ["error: true"]),
        ({SPOT: SPOT + "preemptible = true\n"}, []),
        ({SPOT: SPOT + "flex_start = var.flag\n"}, []),
        ({SPOT: "flex_start = true\n", **queued()}, []),
        (queued(), ["error: true"]),
        (queued("var.flag"), []),
        ({**affinity(), **queued()}, ['error: "SPECIFIC_RESERVATION"']),
        ({SPOT: "", **OTHER_MACHINE}, []),
    ],
)
def test_capacity(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("capacity", edits) == wanted


AUTOSCALING = "  autoscaling {\n    min_node_count = 0\n    max_node_count = 4\n  }\n"
REPAIR_OFF = "  management {\n    auto_repair = false\n  }\n"
FLEX = {SPOT: "flex_start = true\n", COUNT: AUTOSCALING + REPAIR_OFF}


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (FLEX, []),
        ({**FLEX, COUNT: AUTOSCALING}, [f"warning: {POOL}"]),
        ({**FLEX, COUNT: REPAIR_OFF}, [f"error: {POOL}"]),
        ({**FLEX, COUNT: COUNT + REPAIR_OFF}, [f"error: {POOL}", "error: 2"]),
        ({**FLEX, COUNT: AUTOSCALING + REPAIR_OFF + "node_count = null\n"}, []),
        ({**FLEX, COUNT: AUTOSCALING + REPAIR_OFF + "node_count = var.number\n"}, []),
        ({**FLEX, COUNT: AUTOSCALING + REPAIR_OFF.replace("false", "true")}, ["error: true"]),
        ({**FLEX, COUNT: AUTOSCALING + REPAIR_OFF.replace("false", "null")}, ["error: null"]),
        ({**FLEX, COUNT: AUTOSCALING + REPAIR_OFF.replace("false", "var.flag")}, []),
        ({**FLEX, COUNT: AUTOSCALING + "  management {\n    auto_upgrade = true\n  }\n"}, ["error: management"]),
        ({SPOT: "flex_start = var.flag\n"}, []),
        ({SPOT: "flex_start = false\n"}, []),
        ({SPOT: "flex_start = true\n", COUNT: COUNT + AUTOSCALING, **OTHER_MACHINE}, []),
    ],
)
def test_flex_start(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("flex-start", edits) == wanted


COMPACT = '  placement_policy {\n    type = "COMPACT"\n  }\n'
TWO_ZONES = '  node_locations = ["us-central1-b", "us-central1-c"]\n'
BLUE_GREEN = '  upgrade_settings {\n    strategy = "BLUE_GREEN"\n  }\n'


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({COUNT: COMPACT}, []),
        ({COUNT: COMPACT.replace("COMPACT", "SPREAD")}, ['error: "SPREAD"']),
        ({COUNT: COMPACT.replace('"COMPACT"', "var.text")}, []),
        ({COUNT: TWO_ZONES + COMPACT}, ['error: "COMPACT"']),
        ({COUNT: COMPACT + TWO_ZONES}, ['error: ["us-central1-b", "us-central1-c"]']),
        ({COUNT: COMPACT + "node_locations = var.list\n"}, []),
        ({COUNT: BLUE_GREEN + COMPACT}, ['error: "COMPACT"']),
        ({COUNT: COMPACT + BLUE_GREEN}, ['error: "BLUE_GREEN"']),
        ({COUNT: COMPACT, SPOT: "flex_start = true\n", **queued()}, ["error: true"]),
        ({COUNT: COMPACT, **affinity()}, ['warning: "SPECIFIC_RESERVATION"']),
        ({COUNT: COMPACT, **affinity('"ANY_RESERVATION"', "", "")}, []),
        ({COUNT: COMPACT.replace("type", 'policy_name = "of-the-reservation"\n    type'), **affinity()}, []),
        ({COUNT: COMPACT.replace("COMPACT", "SPREAD"), **OTHER_MACHINE}, []),
    ],
)
def test_placement(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("placement", edits) == wanted


def limits(*lines: str, around: str = "%s") -> Edits:
    return {COUNT: around % ("autoscaling {\n" + "\n".join(lines) + "\n}\n")}


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (limits("min_node_count = 1", "max_node_count = 4"), []),
        (limits("min_node_count = 4", "max_node_count = 4"), []),
        (limits("min_node_count = 5", "max_node_count = 4"), ["error: 4"]),
        (limits("max_node_count = 4", "min_node_count = 5"), ["error: 5"]),
        (limits("total_min_node_count = 5", "total_max_node_count = 4"), ["error: 4"]),
        (limits("min_node_count = 5", "max_node_count = var.number"), []),
        (limits("max_node_count = 4", "total_max_node_count = 8"), ["error: 8"]),
        (limits("total_max_node_count = 8", "max_node_count = 4"), ["error: 4"]),
        (limits("min_node_count = 0", "total_max_node_count = 8"), []),
        (limits("max_node_count = null", "total_max_node_count = 8"), []),
        (limits("max_node_count = 4", around="%snode_count = 2\n"), ["warning: 2"]),
        (limits("max_node_count = 4", around="node_count = 2\n%s"), ["warning: autoscaling"]),
        (limits("max_node_count = 4", around="node_count = null\n%s"), []),
        (limits("max_node_count = 4", around="node_count = var.number\n%s"), []),
        (limits("max_node_count = 4", around="%snode_count = 2\nignore_node_count_changes = true\n"), []),
        (limits("max_node_count = 4", around="%snode_count = 2\nlifecycle {\n ignore_changes = [node_count]\n}\n"), []),
        (
            limits("max_node_count = 4", around="%slifecycle {\n ignore_changes = [version]\n}\nnode_count = 2\n"),
            ["warning: 2"],
        ),
        ({COUNT: COUNT + 'dynamic "autoscaling" {\n for_each = var.list\n content {\n max_node_count = 4\n}\n}\n'}, []),
        ({**limits("min_node_count = 5", "max_node_count = 4"), **OTHER_MACHINE}, []),
    ],
)
def test_autoscaling(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("autoscaling", edits) == wanted


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("node_count = 2\ninitial_node_count = 3\n", ["error: 3"]),
        ("initial_node_count = 3\nnode_count = 2\n", ["error: 2"]),
        ("initial_node_count = 0\nnode_count = 2\n", []),
        ("initial_node_count = null\nnode_count = 2\n", []),
        ("initial_node_count = var.number\nnode_count = 2\n", []),
        ("initial_node_count = 2\n", []),
    ],
)
def test_initial_node_count(says: Says, lines: str, wanted: list[str]) -> None:
    assert says("initial-node-count", {COUNT: lines}) == wanted
    assert says("initial-node-count", {COUNT: lines, **OTHER_MACHINE}) == []


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("max_surge = 0\nmax_unavailable = 0", ["error: 0"]),
        ("max_surge = 0\nmax_unavailable = 1", []),
        ("max_surge = 0", []),
        ("max_surge = 0\nmax_unavailable = var.number", []),
        ('strategy = "BLUE_GREEN"\nmax_surge = 1', ["error: 1"]),
        ('max_surge = 1\nstrategy = "BLUE_GREEN"', ['error: "BLUE_GREEN"']),
        ('strategy = "BLUE_GREEN"\nmax_surge = 1\nmax_unavailable = 2', ["error: 1", "error: 2"]),
        ('strategy = "BLUE_GREEN"\nmax_surge = 0', []),
        ("strategy = var.text\nmax_surge = 1", []),
    ],
)
def test_upgrade_settings(says: Says, lines: str, wanted: list[str]) -> None:
    assert says("upgrade-settings", {COUNT: f"upgrade_settings {{\n{lines}\n}}\n"}) == wanted
    assert says("upgrade-settings", {COUNT: f"upgrade_settings {{\n{lines}\n}}\n", **OTHER_MACHINE}) == []


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("", [f"advice: {POOL}"]),
        ("upgrade_settings {\n max_surge = 1\n}\n", ["advice: 1"]),
        ("upgrade_settings {\n max_unavailable = 1\n}\n", ["advice: upgrade_settings"]),
        ("upgrade_settings {\n max_surge = 0\n max_unavailable = 1\n}\n", []),
        ("upgrade_settings {\n max_surge = var.number\n}\n", []),
        ('upgrade_settings {\n strategy = "BLUE_GREEN"\n}\n', []),
    ],
)
def test_upgrade_surge(says: Says, lines: str, wanted: list[str]) -> None:
    assert says("upgrade-surge", {COUNT: lines, **affinity()}) == wanted
    assert says("upgrade-surge", {COUNT: lines}) == []


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ({COUNT: "node_count = 1\n"}, ["advice: 1"]),
        ({COUNT: "node_count = 0\n"}, ["advice: 0"]),
        ({COUNT: "node_count = var.number\n"}, []),
        ({COUNT: "initial_node_count = 1\n"}, ["advice: 1"]),
        ({COUNT: "node_count = 1\n" + TWO_ZONES}, []),
        ({COUNT: "node_count = 1\nnode_locations = var.list\n"}, []),
        (limits("min_node_count = 0", "max_node_count = 1"), ["advice: 1"]),
        (limits("total_max_node_count = 1"), ["advice: 1"]),
        (limits("max_node_count = 8"), []),
        ({COUNT: "node_count = 1\n", **OTHER_MACHINE}, []),
    ],
)
def test_node_count(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("node-count", edits) == wanted
