"""What cannot be rehearsed, with its line."""

import json

import pytest

from generator.rehearsal.refusals import other_versions, refusals
from generator.rehearsal.tree import read_tree

GOOGLE = 'terraform {\n  required_providers {\n    google = {\n      source = "hashicorp/google"\n    }\n  }\n}\n'


def refused(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_tf", ".tf")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return [(e.path.name, e.line, e.message) for e in refusals(read_tree(folder, "terraform"))]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('resource "random_bytes" "x" {\n}\n', 1, "does not serve the resource random_bytes"),
        ('data "null_data_source" "x" {\n}\n', 1, "does not serve the data source null_data_source"),
        (GOOGLE.replace("google", "aws"), 3, "the provider hashicorp/aws has no stand-in"),
        ('provider "kubernetes" {\n}\n', 1, "the provider hashicorp/kubernetes has no stand-in"),
        ('data "http" "x" {\n  url = "http://x"\n}\n', 1, "the provider hashicorp/http has no stand-in"),
        (
            'terraform {\n  required_providers {\n    google = {\n      source = "evil/google"\n    }\n  }\n}\n',
            3,
            "evil/google",
        ),
        ('\nresource "google_sql_database" "x" {\n}\n', 2, "does not serve the resource google_sql_database"),
        ('data "google_sql_database" "x" {\n}\n', 1, "does not serve the data source google_sql_database"),
        ('data "terraform_remote_state" "x" {\n  backend = "gcs"\n}\n', 1, "reads a state outside of the rehearsal"),
        ('module "m" {\n  source = "terraform-google-modules/network/google"\n}\n', 2, "is not on this machine"),
        ('module "m" {\n  source = "git::https://example.com/x.git"\n}\n', 2, "is not on this machine"),
        ('module "m" {\n  source = "./nowhere"\n}\n', 2, "the module './nowhere' is not on this machine"),
        ('module "m" {\n}\n', 1, "this module is not on this machine"),
        (
            'resource "terraform_data" "x" {\n  provisioner "local-exec" {\n    command = "id"\n  }\n}\n',
            2,
            "a provisioner",
        ),
        ('provider "google" {\n  project     = "p"\n  credentials = "key.json"\n}\n', 3, "sets credentials"),
        ('provider "google" {\n  access_token = var.t\n}\n', 2, "sets access_token"),
        ('provider "google" {\n  impersonate_service_account = "x"\n}\n', 2, "sets impersonate_service_account"),
        ('provider "google" {\n  container_custom_endpoint = "http://x/"\n}\n', 2, "sets container_custom_endpoint"),
        ('provider "google" {\n  external_credentials {\n    audience = "a"\n  }\n}\n', 2, "sets external_credentials"),
        ('check "c" {\n  data "http" "x" {\n    url = "http://x"\n  }\n}\n', 2, "hashicorp/http"),
        ('ephemeral "google_service_account_access_token" "x" {\n}\n', 1, "does not serve the ephemeral resource"),
    ],
)
def test_the_line_is_named(tmp_path, text, line, message):
    found = refused(tmp_path, main_tf=text)
    assert len(found) == 1, found
    assert found[0][:2] == ("main.tf", line)
    assert message in found[0][2]


@pytest.mark.parametrize(
    "text",
    [
        GOOGLE,
        GOOGLE.replace('"hashicorp/google"', '"registry.terraform.io/hashicorp/google"'),
        GOOGLE.replace('"hashicorp/google"', '"HashiCorp/Google"'),
        'terraform {\n  required_providers {\n    google = "~> 7.0"\n    google-beta = ">= 7.34"\n  }\n}\n',
        'terraform {\n  required_providers {\n    google = { version = ">= 7.34" }\n  }\n}\n',
        'resource "terraform_data" "x" {\n}\n',
        'resource "random_id" "x" {\n  byte_length = 2\n}\nresource "null_resource" "n" {\n}\nprovider "time" {}\n',
        'resource "google_compute_network" "n" {\n  provider = google-beta\n  name     = "n"\n}\n',
        'provider "google" {\n  project = "p"\n  region  = "r"\n  user_project_override = true\n}\n',
        'variable "x" {}\noutput "y" {\n  value = var.x\n}\n',
    ],
)
def test_what_can_be_rehearsed(tmp_path, text):
    assert refused(tmp_path, main_tf=text) == []


def test_a_provider_under_another_name_is_known_by_its_source(tmp_path):
    text = (
        GOOGLE.replace("    google = {", "    gcp = {")
        + 'resource "google_compute_network" "n" {\n  provider = gcp\n}\n'
    )
    assert refused(tmp_path, main_tf=text) == []


def test_called_modules_are_looked_into(tmp_path):
    found = refused(
        tmp_path,
        main_tf='module "a" {\n  source = "./a"\n}\n',
        a__main_tf='module "b" {\n  source = "../b"\n}\n',
        b__main_tf='\n\nresource "aws_vpc" "x" {\n}\n',
    )
    assert [(name, line) for name, line, _ in found] == [("main.tf", 3)]


def test_fetched_modules_are_looked_into(tmp_path):
    (tmp_path / ".terraform/modules/m").mkdir(parents=True)
    (tmp_path / ".terraform/modules/m/main.tf").write_text('resource "google_compute_network" "n" {\n  name = "n"\n}\n')
    manifest = {
        "Modules": [{"Key": "", "Source": "", "Dir": "."}, {"Key": "m", "Source": "x", "Dir": ".terraform/modules/m"}]
    }
    (tmp_path / ".terraform/modules/modules.json").write_text(json.dumps(manifest))
    assert refused(tmp_path, main_tf='module "m" {\n  source = "x/y/google"\n}\n') == []
    (tmp_path / ".terraform/modules/m/more.tf").write_text('resource "aws_vpc" "n" {\n}\n')
    assert [name for name, _, _ in refused(tmp_path)] == ["more.tf"]


def test_a_module_that_calls_itself_ends(tmp_path):
    assert refused(tmp_path, main_tf='module "m" {\n  source = "./"\n}\n') == []


def test_everything_is_said_at_once(tmp_path):
    found = refused(tmp_path, main_tf='resource "aws_vpc" "x" {\n}\nresource "helm_release" "x" {\n}\n')
    assert [line for _, line, _ in found] == [1, 3]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('google = { source = "hashicorp/google", version = "~> 6.0" }', ["google ~> 6.0"]),
        ('google = "< 7.45.0"', ["google < 7.45.0"]),
        ('google = { version = ">= 7.34.0" }', []),
        ('google = { source = "hashicorp/google" }', []),
        ('google = { version = "not a version" }', []),
        ('gcp = { source = "hashicorp/google-beta", version = "8.0.0" }', ["gcp 8.0.0"]),
    ],
)
def test_a_folder_that_asks_for_another_version_is_told(tmp_path, entry, said):
    (tmp_path / "main.tf").write_text(f"terraform {{\n  required_providers {{\n    {entry}\n  }}\n}}\n")
    tree = read_tree(tmp_path, "terraform")
    assert refusals(tree) == []
    assert other_versions(tree) == said
