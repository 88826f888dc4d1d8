"""Constraints and lock file against what the tree uses."""

from __future__ import annotations

import pytest
from good_folder import GOOD, Edits, Says, edited

OTHER_MACHINE = {'"a3-ultragpu-8g"': '"a3-megagpu-8g"', 'gpudirect_strategy = "RDMA"': ""}
VERSION = '      version = ">= 7.34.0"\n'
POOL = 'resource "google_container_node_pool" "gpu"'


def constraint(text: str) -> Edits:
    return {VERSION: f'      version = "{text}"\n'}


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        (constraint(">= 7.34"), []),
        (constraint("~> 7.33"), ['error: "~> 7.33"']),
        (constraint("= 7.34.0-rc.1"), ['error: "= 7.34.0-rc.1"']),
        (constraint("not a version"), []),
        ({VERSION: ""}, [f"error: {POOL}"]),
        ({VERSION: "", '"hashicorp/google"': '"example.com/mirror/hashicorp/google"'}, [f"error: {POOL}"]),
        ({**constraint(">= 7.31"), 'gpudirect_strategy = "RDMA"': ""}, []),
        ({**constraint(">= 7.30"), 'gpudirect_strategy = "RDMA"': ""}, ['error: ">= 7.30"']),
        # Null is refused by a provider that does not know the argument, like any other value.
        ({**constraint(">= 7.31"), '"RDMA"': "null"}, ['error: ">= 7.31"']),
        ({VERSION: "", 'gpudirect_strategy = "RDMA"': ""}, []),
        ({**constraint(">= 7.30"), **OTHER_MACHINE}, ['advice: ">= 7.30"']),
        (
            {**constraint(">= 6.0"), "network_config {": 'timeouts {\n create = "2h"\n}\nnetwork_config {'},
            ['error: ">= 6.0"'],
        ),
        (
            {
                **constraint(">= 7.34"),
                POOL: 'module "vpc" {\n source = "terraform-google-modules/network/google"\n}\n' + POOL,
            },
            [],
        ),
        (
            {
                **constraint(">= 7.0"),
                POOL: 'module "vpc" {\n source = "terraform-google-modules/network/google"\n}\n' + POOL,
            },
            [],
        ),
        (
            {VERSION: "", 'provider "google" {': 'provider "google" {\n  version = "~> 7.20"'},
            ['error: "~> 7.20"'],
        ),
    ],
)
def test_provider_version(says: Says, edits: Edits, wanted: list[str]) -> None:
    assert says("provider-version", edits) == wanted


def in_modules(*constraints: str) -> dict[str, str]:
    """The good pool in a module within a module; one constraint for each level, "" for none."""
    versions = [
        f'terraform {{\n required_providers {{\n google = {{\n source = "hashicorp/google"\n version = "{c}"\n}}\n}}\n}}\n'
        if c
        else ""
        for c in constraints
    ]
    pool = GOOD[GOOD.index(POOL) :].replace("google_container_cluster.c.id", "var.cluster")
    return {
        "main.tf": versions[0] + 'module "a" {\n source = "./a"\n}\n',
        "a/main.tf": versions[1] + 'module "b" {\n source = "./b"\n}\n',
        "a/b/main.tf": versions[2] + 'variable "cluster" {\n default = "c"\n}\n' + pool,
    }


@pytest.mark.parametrize(
    ("levels", "wanted"),
    [
        (("", "", ">= 7.0"), ['error: ">= 7.0"']),
        ((">= 6.0", "", ">= 7.0"), ['error: ">= 7.0"']),
        ((">= 6.0", ">= 6.5", ""), ['error: ">= 6.5"']),
        ((">= 6.0", "", ""), ['error: ">= 6.0"']),
        ((">= 7.34", ">= 6.5", ">= 7.0"), []),
        (("< 7.34", ">= 7.33.5, != 7.33.5", ""), ['error: ">= 7.33.5, != 7.33.5"']),
        (("", "", ""), [f"error: {POOL}"]),
    ],
)
def test_constraints_of_all_modules_hold_together(says: Says, levels: tuple[str, ...], wanted: list[str]) -> None:
    assert says("provider-version", files=in_modules(*levels)) == wanted


BETA = """    google-beta = {
      source  = "hashicorp/google-beta"
      version = "%s"
    }
  }
}
provider "google" {"""
BETA_POOL = {"  node_count = 2\n": "  node_count = 2\n  provider = google-beta\n"}
NO_STRATEGY = {'gpudirect_strategy = "RDMA"': ""}


@pytest.mark.parametrize(
    ("version", "edits", "wanted"),
    [
        (">= 7.34", BETA_POOL, []),
        (">= 7.24", BETA_POOL, ['error: ">= 7.24"']),
        (">= 6.0", {**BETA_POOL, **NO_STRATEGY}, []),
        (">= 6.0", {}, []),
    ],
)
def test_google_beta(says: Says, version: str, edits: Edits, wanted: list[str]) -> None:
    beta = {'  }\n}\n\nprovider "google" {': BETA % version}
    assert says("provider-version", {**beta, **edits}) == wanted


LOCK = 'provider "%s" {\n  version = "%s"\n}\n'


@pytest.mark.parametrize(
    ("lock", "edits", "wanted"),
    [
        (LOCK % ("registry.terraform.io/hashicorp/google", "7.34.0"), {}, []),
        (LOCK % ("registry.terraform.io/hashicorp/google", "7.102.0"), {}, []),
        (LOCK % ("registry.terraform.io/hashicorp/google", "7.9.0"), {}, ['error: "7.9.0"']),
        (LOCK % ("registry.opentofu.org/hashicorp/google", "7.33.9"), {}, ['error: "7.33.9"']),
        (LOCK % ("registry.terraform.io/hashicorp/google", "7.34.0-rc.1"), {}, ['error: "7.34.0-rc.1"']),
        (LOCK % ("registry.terraform.io/hashicorp/google-beta", "6.0.0"), {}, []),
        (LOCK % ("registry.terraform.io/hashicorp/random", "3.0.0"), {}, []),
        (LOCK % ("registry.terraform.io/hashicorp/google", "7.9.0"), OTHER_MACHINE, []),
    ],
)
def test_provider_lock(says: Says, lock: str, edits: Edits, wanted: list[str]) -> None:
    assert says("provider-lock", files={"main.tf": edited(edits), ".terraform.lock.hcl": lock}) == wanted
