from __future__ import annotations

import os

import pytest

from generator.hcl.project import RootSettings

CALLED = {
    "main.tf": """\
        module "gpu" {
          source   = "./m"
          for_each = toset(["a", "b"])
          name     = each.key
        }
        module "some" {
          source = "./m"
          count  = var.n
          name   = "s"
        }
        module "none" {
          source = "./m"
          count  = 0
          name   = "n"
        }
        variable "n" {}
        """,
    "m/main.tf": """\
        variable "name" {}
        resource "google_container_node_pool" "p" {
          name = var.name
        }
        """,
}


def test_each_call_has_its_own_resources_with_its_values(tree):
    found = tree(CALLED)
    assert [(r.address, r.module, r.exists) for r in found.resources] == [
        ('module.gpu["a"].google_container_node_pool.p', 'module.gpu["a"]', True),
        ('module.gpu["b"].google_container_node_pool.p', 'module.gpu["b"]', True),
        ("module.some.google_container_node_pool.p", "module.some", None),
    ]
    assert [r.get("name").value for r in found.resources] == ["a", "b", "s"]
    assert {address: span.text for address, span in found.calls.items()} == {
        'module.gpu["a"]': 'module "gpu"',
        'module.gpu["b"]': 'module "gpu"',
        "module.some": 'module "some"',
    }


def test_asking_for_the_module_gives_the_tree_of_its_caller(tree, tmp_path):
    assert tree(CALLED, "m").root == str(tmp_path)


def test_resources_of_other_providers_are_left_out_but_for_manifests(tree):
    found = tree(
        'resource "google_container_node_pool" "p" {}\nresource "random_id" "r" {}\n'
        'resource "kubernetes_manifest" "m" {}\ndata "google_container_cluster" "d" {}\n'
    )
    assert [(r.mode, r.type) for r in found.resources] == [
        ("managed", "google_container_node_pool"),
        ("managed", "kubernetes_manifest"),
        ("data", "google_container_cluster"),
    ]


@pytest.mark.parametrize("source", ["./gone", "terraform-google-modules/network/google", "git::https://example.com/m"])
def test_a_module_that_cannot_be_read_makes_the_tree_incomplete(tree, source):
    pool = 'resource "google_container_node_pool" "p" {}\n'
    assert tree(pool).complete
    assert not tree(pool + f'module "x" {{\n  source = "{source}"\n}}\n').complete


def test_constraints_of_all_modules_are_collected(tree, place):
    found = tree(
        {
            "main.tf": """\
                terraform {
                  required_providers {
                    google = {
                      source  = "registry.terraform.io/hashicorp/google"
                      version = ">= 7.0"
                    }
                    other = { source = "acme/other" }
                    plain = "~> 1.0"
                  }
                }
                provider "google" {
                  version = "< 8"
                  region  = "us-east4"
                }
                provider "google" {
                  alias  = "west"
                  region = "us-west1"
                }
                module "m" { source = "./m" }
                """,
            "m/main.tf": """\
                terraform {
                  required_providers {
                    gcp = {
                      source  = "hashicorp/google"
                      version = ">= 7.34"
                    }
                  }
                }
                resource "google_container_node_pool" "p" { provider = gcp }
                """,
        }
    )
    assert [(r.module, r.local_name, r.source, r.constraint, place(r.span)) for r in found.requirements] == [
        ("", "google", "hashicorp/google", ">= 7.0", "main.tf:5:17-5:25"),
        ("", "other", "acme/other", None, "main.tf:7:5-7:38"),
        ("", "plain", "hashicorp/plain", "~> 1.0", "main.tf:8:13-8:21"),
        ("", "google", "hashicorp/google", "< 8", "main.tf:12:13-12:18"),
        ("module.m", "gcp", "hashicorp/google", ">= 7.34", "main.tf:5:17-5:26"),
    ]
    assert list(found.providers) == ["google"]
    assert found.providers["google"].get("region").value == "us-east4"
    assert [r.provider for r in found.resources] == ["hashicorp/google"]


@pytest.mark.parametrize(
    ("written", "provider"),
    [
        ("", "hashicorp/google"),
        ("provider = google-beta", "hashicorp/google-beta"),
        ("provider = google-beta.east", "hashicorp/google-beta"),
    ],
)
def test_provider_of_a_resource(tree, written, provider):
    (found,) = tree(f'resource "google_container_node_pool" "p" {{\n{written}\n}}\n').resources
    assert found.provider == provider


def test_locked_versions_come_without_host(tree):
    lock = 'provider "registry.opentofu.org/hashicorp/google" {\n  version = "7.1.0"\n}\n'
    found = tree({"main.tf": 'resource "google_container_node_pool" "p" {}\n', ".terraform.lock.hcl": lock})
    assert [(e.source, e.version) for e in found.locks] == [("hashicorp/google", "7.1.0")]


LIFECYCLE = 'resource "google_container_node_pool" "p" {\n  lifecycle {\n    %s\n  }\n}\n'


@pytest.mark.parametrize(
    ("written", "ignored"),
    [
        ("ignore_changes = all", "all"),
        ("ignore_changes = [version, node_config[0].labels]", ("version", "node_config.labels")),
        ('ignore_changes = [node_config[0].labels["a.b/c"]]', ("node_config.labels.a.b/c",)),
        ("ignore_changes = [node_config.0.taint]", ("node_config.taint",)),
        ('ignore_changes = ["node_config[0].labels", "version"]', ("node_config.labels", "version")),
        ("prevent_destroy = true", ()),
    ],
)
def test_ignored_changes(tree, written, ignored):
    (found,) = tree(LIFECYCLE % written).resources
    assert found.ignored_changes == ignored


def test_ignoring_one_label_does_not_ignore_all(tree):
    (found,) = tree(LIFECYCLE % 'ignore_changes = [node_config[0].labels["a"]]').resources
    assert found.ignores_changes("node_config.labels.a")
    assert not found.ignores_changes("node_config.labels")


def test_replace_triggers_name_type_and_name(tree):
    references = "google_container_cluster.c.id, google_compute_network.n[0], google_compute_network.m[each.key].id"
    written = f"replace_triggered_by = [{references}]"
    (found,) = tree(LIFECYCLE % written).resources
    assert found.replace_triggers == (
        "google_container_cluster.c",
        "google_compute_network.n",
        "google_compute_network.m",
    )


def test_files_with_their_problems_and_repeated_arguments(tree, place):
    found = tree(
        {
            "main.tf": 'resource "google_container_node_pool" "p" {\n  node_config {\n    spot = true\n    spot = false\n  }\n}\n',
            "broken.tf": "locals {\n  a = \n}\n",
            "terraform.tfvars": "x = [\n",
        }
    )
    by_name = {f.source.path.name: f for f in found.files}
    assert [(name, place(span)) for name, span in by_name["main.tf"].repeated] == [("spot", "main.tf:4:5-4:9")]
    assert len(by_name["broken.tf"].problems) == 1
    assert len(by_name["terraform.tfvars"].problems) == 1
    assert not found.complete


def test_both_readings_are_judged_unless_the_settings_say_which(all_trees):
    files = {
        "pool.tf": 'resource "google_container_node_pool" "p" {\n  name = "tf"\n}\n',
        "pool.tofu": 'resource "google_container_node_pool" "p" {\n  name = "tofu"\n}\n',
    }
    assert [t.resources[0].get("name").value for t in all_trees(files)] == ["tf", "tofu"]
    (only,) = all_trees(files, settings=lambda root: RootSettings("tofu"))
    assert only.resources[0].get("name").value == "tofu"


def test_a_module_that_is_never_made_still_has_files_and_constraints(tree):
    found = tree(
        {
            "main.tf": 'module "off" {\n  source = "./m"\n  count = 0\n}\nresource "google_container_node_pool" "p" {}\n',
            "m/versions.tf": 'terraform {\n  required_providers {\n    google = ">= 7.34"\n  }\n}\nlocals {\n  a = [\n',
        }
    )
    assert [(r.module, r.constraint) for r in found.requirements] == [("module.off", ">= 7.34")]
    assert [f.source.path.name for f in found.files if f.problems] == ["versions.tf"]


def test_a_called_module_without_interest_is_not_parsed(tree):
    found = tree(
        {
            "main.tf": 'module "x" {\n  source = "./m"\n}\nresource "google_container_node_pool" "p" {}\n',
            "m/main.tf": "locals {\n  broken = [\n",
        }
    )
    assert [f.source.path.parent.name for f in found.files if f.problems] == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{"locals": {"a": 1, "a": 2}}', ["a"]),
        ('{"resource": {"google_container_node_pool": {"p": {"name": "a", "name": "b"}}}}', ["name"]),
        ('{"resource": {"google_container_node_pool": {"p": {"node_config": {}, "node_config": {}}}}}', []),
    ],
)
def test_properties_that_occur_twice_in_json(tree, text, names):
    pool = 'resource "google_container_node_pool" "q" {}\n'
    found = tree({"main.tf": pool, "x.tf.json": text})
    assert [name for f in found.files for name, _ in f.repeated] == names


def test_blocks_given_twice_in_json_are_two(tree):
    text = '{"resource": {"google_container_node_pool": {"p": {"node_config": {"spot": true}, "node_config": {"spot": false}}}}}'
    (pool,) = tree({"main.tf.json": text}).resources
    assert [b.get("spot").value for b in pool.blocks("node_config")] == [True, False]


def test_keys_that_were_read_from_a_file_are_not_in_addresses(tree):
    text = """\
        resource "google_container_node_pool" "p" {
          for_each = yamldecode(file("secret.yaml"))
          name     = each.key
          version  = each.value
        }
        """
    found = tree({"main.tf": text, "secret.yaml": "token-a: one\ntoken-b: two\n"}).resources
    assert [r.address for r in found] == [
        'google_container_node_pool.p["(hidden key 1)"]',
        'google_container_node_pool.p["(hidden key 2)"]',
    ]
    assert [r.get("name").value for r in found] == ["token-a", "token-b"]
    assert all(r.get(name).show() == "(sensitive value)" for r in found for name in ("name", "version"))


def test_sensitive_variables_stay_hidden_in_dynamic_blocks(tree):
    text = """\
        variable "limits" {
          default   = { a = 3 }
          sensitive = true
        }
        resource "google_container_node_pool" "p" {
          dynamic "autoscaling" {
            for_each = var.limits
            content {
              max_node_count = autoscaling.value
            }
          }
        }
        """
    (pool,) = tree(text).resources
    assert pool.get("autoscaling.max_node_count").sensitive


def test_what_is_no_regular_file_is_a_problem_and_not_read(tree, tmp_path):
    (tmp_path / "folder.tf").mkdir()
    (tmp_path / "gone.tf").symlink_to(tmp_path / "nowhere.tf")
    os.mkfifo(tmp_path / "pipe.tf")
    found = tree({"main.tf": 'resource "google_container_node_pool" "p" {}\n'})
    assert {f.source.path.name: len(f.problems) for f in found.files} == {"gone.tf": 1, "main.tf": 0, "pipe.tf": 1}


def test_a_file_that_is_far_too_large_is_a_limit_of_ours(tree, tmp_path, monkeypatch):
    monkeypatch.setattr("generator.hcl.files.BYTES_LIMIT", 100)
    found = tree({"main.tf": 'resource "google_container_node_pool" "p" {}\n', "large.tf": "#" * 101})
    (problem,) = [p for f in found.files for p in f.problems]
    assert problem.limit
    assert not found.complete


def test_modules_that_call_two_of_the_next_kind_end(tree):
    files = {
        f"m{i}/main.tf": f'module "a" {{\n  source = "../m{i + 1}"\n}}\nmodule "b" {{\n  source = "../m{i + 1}"\n}}\n'
        for i in range(30)
    }
    files["m30/main.tf"] = 'resource "google_container_node_pool" "p" {\n  count = 0\n}\n'
    found = tree(files, "m0")
    assert not found.complete
    assert len(found.files) == 31


def test_a_resource_in_two_files_counts_once(tree):
    pool = 'resource "google_container_node_pool" "p" {\n  name = "%s"\n}\n'
    found = tree({"a.tf": pool % "a", "b.tf": pool % "b"})
    assert [r.get("name").value for r in found.resources] == ["a"]
