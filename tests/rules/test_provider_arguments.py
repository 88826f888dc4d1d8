"""The rules about the provider's argument tree. What they say was compared with `terraform validate` under 7.45.0."""

from __future__ import annotations

from pathlib import Path

import pytest
from good_folder import Says

from generator.lint.configuration import Flags
from generator.lint.engine import lint
from generator.lint.request import Request

OPEN = (
    'terraform {\n  required_providers {\n    google = { source = "hashicorp/google", version = ">= 7.34.0" }\n  }\n}\n'
)
CLOSED = OPEN.replace(">= 7.34.0", "~> 7.34.0")
UNKNOWN = 'variable "u" { type = string }\nvariable "l" { type = list(string) }\n'


def pool(body: str, head: str = OPEN) -> dict[str, str]:
    return {"main.tf": f'{head}{UNKNOWN}resource "google_container_node_pool" "p" {{\n  cluster = "c"\n{body}\n}}\n'}


def cluster(body: str, head: str = OPEN) -> dict[str, str]:
    return {"main.tf": f'{head}{UNKNOWN}resource "google_container_cluster" "c" {{\n  name = "c"\n{body}\n}}\n'}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("nodeCount = 1", "error: nodeCount"),
        ("additionalNodeNetworkConfigs = []", "error: additionalNodeNetworkConfigs"),
        ("gpu_direct_strategy = 1", "error: gpu_direct_strategy"),
        ("num_nodes = 1", "error: num_nodes"),
        ("node_locaton = []", "error: node_locaton"),
        ('machine_type = "x"', "error: machine_type"),
        ("guest_accelerators {\n}", "error: guest_accelerators"),
        ("enable_dataplane_v2 = true", "error: enable_dataplane_v2"),
        ('operation = "x"', "error: operation"),
        ('id = "x"', "error: id"),
        ("node_config = {}", "error: node_config"),
        ("node_config = null", "error: node_config"),
        ("version {\n}", "error: version"),
        ("something_new = 1", "warning: something_new"),
        ("something_new {\n}", "warning: something_new"),
        ("enabled = true", "warning: enabled"),
        ('dynamic "something_new" {\n  for_each = []\n  content {\n  }\n}', 'warning: dynamic "something_new"'),
    ],
)
def test_unknown_arguments(says: Says, line: str, found: str) -> None:
    assert says("unknown-argument", files=pool(line)) == [found]


@pytest.mark.parametrize(
    "line",
    [
        "operation = null",
        'timeouts {\n  create = "1h"\n}',
        "lifecycle {\n  ignore_changes = all\n}",
        'provisioner "local-exec" {\n  command = "x"\n}',
        "connection {\n  whatever = 1\n}",
        "count = 2",
        "for_each = toset(var.l)",
        'dynamic "autoscaling" {\n  for_each = []\n  content {\n    nonsense = 1\n  }\n}',
    ],
)
def test_no_unknown_arguments(says: Says, line: str) -> None:
    assert says("unknown-argument", files=pool(line)) == []


def test_a_name_that_nobody_can_know_is_an_error_when_no_newer_provider_can_come(says: Says) -> None:
    assert says("unknown-argument", files=pool("something_new = 1", CLOSED)) == ["error: something_new"]


def test_the_lock_file_closes_too(says: Says) -> None:
    lock = 'provider "registry.terraform.io/hashicorp/google" {\n  version = "%s"\n}\n'
    files = pool("something_new = 1")
    assert says("unknown-argument", files={**files, ".terraform.lock.hcl": lock % "7.45.0"}) == ["error: something_new"]
    assert says("unknown-argument", files={**files, ".terraform.lock.hcl": lock % "8.1.0"}) == [
        "warning: something_new"
    ]


def test_google_beta_only_warns(says: Says) -> None:
    files = pool("provider = google-beta\nmachine_typ = 1\nnode_locaton = []", CLOSED)
    assert says("unknown-argument", files=files) == ["warning: machine_typ", "warning: node_locaton"]


def test_other_providers_of_the_same_types_are_not_judged(says: Says) -> None:
    head = (
        'terraform {\n  required_providers {\n    google = { source = "example/google", version = "1.0.0" }\n  }\n}\n'
    )
    for rule in ("unknown-argument", "missing-argument", "argument-type", "argument-value"):
        assert says(rule, files=pool('x = 1\nnode_count = "two"\nnode_config {\n  taint {\n  }\n}', head)) == []


@pytest.mark.parametrize(
    ("constraint", "found"), [("~> 4.0", []), (">= 4.0", ["warning: enable_binary_authorization"])]
)
def test_removed_arguments(says: Says, constraint: str, found: list[str]) -> None:
    head = OPEN.replace(">= 7.34.0", constraint)
    assert says("unknown-argument", files=cluster("enable_binary_authorization = true", head)) == found


@pytest.mark.parametrize(("constraint", "found"), [("~> 5.0", []), ("~> 7.0", ["error: guest_accelerator"])])
def test_blocks_as_arguments(says: Says, constraint: str, found: list[str]) -> None:
    body = "node_config {\n  guest_accelerator = []\n}"
    assert says("unknown-argument", files=pool(body, OPEN.replace(">= 7.34.0", constraint))) == found


def test_a_data_source_takes_few_arguments(says: Says) -> None:
    text = (
        'data "google_container_cluster" "c" {\n  name = "c"\n  initial_node_count = 1\n  zone = "z"\n  mode = "m"\n}\n'
    )
    assert says("unknown-argument", files={"main.tf": OPEN + text}) == [
        "error: initial_node_count",
        "error: zone",
        "warning: mode",
    ]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('node_config {\n  taint {\n    key = "a"\n    value = "b"\n  }\n}', ["error: taint"]),
        ("cluster_ = 1", []),
        ("node_config {\n  reservation_affinity {\n    consume_reservation_type = null\n  }\n}", ["error: null"]),
        ("node_config {\n  guest_accelerator {\n    type  = var.u\n    count = var.u\n  }\n}", []),
        ("upgrade_settings {\n  blue_green_settings {\n  }\n}", ["error: blue_green_settings"]),
        (
            'dynamic "queued_provisioning" {\n  for_each = var.l\n  content {\n  }\n}',
            ['error: dynamic "queued_provisioning"'],
        ),
        ('dynamic "queued_provisioning" {\n  for_each = []\n  content {\n  }\n}', []),
    ],
)
def test_missing_arguments(says: Says, body: str, found: list[str]) -> None:
    assert says("missing-argument", files=pool(body)) == found


def test_one_of_several_is_missing(says: Says) -> None:
    firewall = 'resource "google_compute_firewall" "f" {\n  name = "f"\n  network = "n"\n%s}\n'
    unknown = '  dynamic "allow" {\n    for_each = var.l\n    content {\n      protocol = "tcp"\n    }\n  }\n'
    assert says("missing-argument", files={"main.tf": OPEN + firewall % ""}) == [
        'error: resource "google_compute_firewall" "f"'
    ]
    assert says("missing-argument", files={"main.tf": OPEN + UNKNOWN + firewall % unknown}) == []


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('node_count = "two"', ['error: "two"']),
        ('node_count = "2"', []),
        ("node_count = 1.5", ["error: 1.5"]),
        ("node_count = var.u", []),
        ('node_locations = "us-central1-a"', ['error: "us-central1-a"']),
        ('node_config {\n  spot = "True"\n}', ['error: "True"']),
        ('node_config {\n  spot = "true"\n}', []),
        ("node_config {\n  preemptible = 1\n}", ["error: 1"]),
        ('node_config {\n  labels = { a = ["b"], c = true }\n}', ['error: ["b"]']),
        ('node_config {\n  labels = ["a"]\n}', ['error: ["a"]']),
        ("node_config {\n  tags = [1, true, var.u]\n}", []),
        (
            "upgrade_settings {\n  blue_green_settings {\n    standard_rollout_policy {\n"
            "      batch_percentage = 0.5\n    }\n  }\n}",
            [],
        ),
    ],
)
def test_types(says: Says, body: str, found: list[str]) -> None:
    assert says("argument-type", files=pool(body)) == found


def test_a_value_of_a_wrong_type_is_one_finding(says: Says) -> None:
    body = 'node_config {\n  machine_type = "a3-ultragpu-8g"\n  ephemeral_storage_local_ssd_config {\n'
    body += '    local_ssd_count = "all"\n  }\n}'
    found = [f for f in says("", files=pool(body)) if f.endswith('"all"') and "advice" not in f]
    assert found == ['argument-type error: "all"']


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('node_config {\n  logging_variant = "max-throughput"\n}', ['error: "max-throughput"']),
        ('node_config {\n  logging_variant = "HIGH"\n}', ['warning: "HIGH"']),
        ('node_config {\n  logging_variant = ""\n}', ['warning: ""']),
        ("node_config {\n  logging_variant = null\n}", []),
        ("node_config {\n  logging_variant = var.u\n}", []),
        ("node_config {\n  disk_size_gb = 9\n}", ["error: 9"]),
        ('node_config {\n  disk_size_gb = "10"\n}', []),
        ("node_count = -1", ["error: -1"]),
    ],
)
def test_values(says: Says, body: str, found: list[str]) -> None:
    assert says("argument-value", files=pool(body)) == found


def test_enumerations_are_closed_by_constraints(says: Says) -> None:
    body = 'node_config {\n  logging_variant = "HIGH"\n}'
    assert says("argument-value", files=pool(body, CLOSED)) == ['error: "HIGH"']


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('cluster_ipv4_cidr = "/14"', ['error: "/14"']),
        ('cluster_ipv4_cidr = ""', []),
        ('cluster_ipv4_cidr = "10.0.0.0/14"', []),
        ('cluster_ipv4_cidr = "8.0.0.0/14"', ['error: "8.0.0.0/14"']),
        ('private_cluster_config {\n  master_ipv4_cidr_block = "10.0.0.0/27"\n}', ['error: "10.0.0.0/27"']),
        (
            'master_authorized_networks_config {\n  cidr_blocks {\n    cidr_block = "10.0.0.1/24"\n  }\n}',
            ['error: "10.0.0.1/24"'],
        ),
        ('master_authorized_networks_config {\n  cidr_blocks {\n    cidr_block = "10.0.0.0/24"\n  }\n}', []),
        ('maintenance_policy {\n  daily_maintenance_window {\n    start_time = "3:00"\n  }\n}', ['error: "3:00"']),
        ('maintenance_policy {\n  daily_maintenance_window {\n    start_time = "03:00"\n  }\n}', []),
        ('logging_config {\n  enable_components = ["SYSTEM_COMPONENTS", "workloads"]\n}', ['error: "workloads"']),
        ("enable_autopilot = true\nremove_default_node_pool = true", ["error: true"]),
        ("enable_autopilot = null\nremove_default_node_pool = true", []),
        ('ip_allocation_policy {\n}\ncluster_ipv4_cidr = "10.0.0.0/14"', ['error: "10.0.0.0/14"']),
        (
            'dynamic "ip_allocation_policy" {\n  for_each = var.l\n  content {\n  }\n}\ncluster_ipv4_cidr = "10.0.0.0/14"',
            [],
        ),
    ],
)
def test_forms_and_conflicts(says: Says, body: str, found: list[str]) -> None:
    assert says("argument-value", files=cluster(body)) == found


def test_where_another_rule_speaks_this_one_is_silent(says: Says) -> None:
    body = 'node_config {\n  machine_type = "%s"\n  guest_accelerator {\n    type  = "x"\n    count = 8\n'
    body += '    gpu_driver_installation_config {\n      gpu_driver_version = "latest"\n    }\n  }\n}'
    assert says("argument-value", files=pool(body % "a3-ultragpu-8g")) == []
    assert says("gpu-driver", files=pool(body % "a3-ultragpu-8g")) == ['error: "latest"']
    assert says("argument-value", files=pool(body % "g2-standard-4")) == ['error: "latest"']


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("node_count = 1\nnode_count = 2", ["error: node_count"]),
        ("node_config {\n}\nnode_config {\n}", ["error: node_config"]),
        (
            'autoscaling {\n}\ndynamic "autoscaling" {\n  for_each = [1]\n  content {\n  }\n}',
            ['error: dynamic "autoscaling"'],
        ),
        ('autoscaling {\n}\ndynamic "autoscaling" {\n  for_each = var.l\n  content {\n  }\n}', []),
        ("count = var.u\nautoscaling {\n}\nautoscaling {\n}\nautoscaling {\n}", ["error: autoscaling"]),
        ('node_config {\n  labels = { a = "b", a = "c" }\n}', []),
    ],
)
def test_duplicates(says: Says, body: str, found: list[str]) -> None:
    assert says("duplicate-argument", files=pool(body)) == found


def test_duplicates_in_files_that_are_of_no_interest_are_left_alone(says: Says) -> None:
    assert says("duplicate-argument", files={"main.tf": "locals {\n  a = 1\n  a = 2\n}\n"}) == []
    assert says("duplicate-argument", files={**pool(""), "l.tf": "locals {\n  a = 1\n  a = 2\n}\n"}) == ["error: a"]


def test_json_syntax(says: Says) -> None:
    text = """{"resource": {"google_container_node_pool": {"p": {
      "cluster": "c", "//": "a comment", "node_count": "two", "machine_type": "x",
      "autoscaling": [{"min_node_count": -1}, {}],
      "node_config": {"labels": {"a": "b"}, "taint": [{"key": "a", "value": "b"}], "spot": "true"}
    }}}}"""
    files = {"main.tf.json": text, "versions.tf": OPEN}
    assert [f for f in says("", files=files) if " advice" not in f] == [
        'argument-type error: "two"',
        'unknown-argument error: "machine_type"',
        'duplicate-argument error: "autoscaling"',
        "argument-value error: -1",
        'missing-argument error: "taint"',
    ]


def test_nothing_that_was_made_of_a_secret_is_told(tmp_path: Path) -> None:
    secret = 'variable "{}" {{\n  default   = "{}"\n  sensitive = true\n}}\n'
    text = secret.format("range", "10.77.3.0/16") + secret.format("mode", "vpc-native")
    block = "master_authorized_networks_config {\n  cidr_blocks {\n    cidr_block = var.range\n  }\n}\n"
    text += f'resource "google_container_cluster" "c" {{\n  name = "c"\n  networking_mode = var.mode\n{block}}}\n'
    (tmp_path / "main.tf").write_text(text, encoding="utf-8")
    outcome = lint(Request((".",), tmp_path, Flags(select=("argument-value",))))
    told = {finding.message.split(" is ")[0]: finding for finding in outcome.report.findings}
    assert told.keys() == {"cidr_block", "networking_mode"}
    assert "10.77" not in told["cidr_block"].message + told["cidr_block"].help
    assert told["networking_mode"].help.startswith("Write one of ")
