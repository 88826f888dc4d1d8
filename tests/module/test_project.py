from __future__ import annotations

import pytest

from generator.hcl.lockfile import locked_providers
from generator.hcl.project import Root, RootSettings

POOL = 'resource "google_container_node_pool" "p" {\n}\n'
OTHER = 'resource "random_id" "r" {\n}\n'


def call(source: str) -> str:
    return f'module "m" {{\n  source = "{source}"\n}}\n'


def roots(project, *folders: str) -> list[str]:
    found = project.roots([project.top / f for f in folders])
    return [r.directory.relative_to(project.top).as_posix() for r in found]


def test_a_folder_that_nobody_calls_is_a_root(project):
    assert roots(project({"a/main.tf": POOL}), "a") == ["a"]


def test_a_folder_without_interest_has_no_root(project):
    assert roots(project({"a/main.tf": OTHER, "b/main.tf": call("../a")}), "a", "b") == []


def test_a_longer_type_name_is_of_no_interest(project):
    assert roots(project({"a/main.tf": 'resource "google_container_node_pool_x" "p" {}\n'}), "a") == []


def test_a_called_module_is_judged_through_its_callers(project):
    found = project({"m/main.tf": POOL, "dev/main.tf": call("../m"), "prod/main.tf": call("./../m/")})
    assert roots(found, "m") == ["dev", "prod"]


def test_callers_of_callers_are_followed(project):
    found = project({"pool/main.tf": POOL, "platform/main.tf": call("../pool"), "live/main.tf": call("../platform")})
    assert roots(found, "pool") == ["live"]
    assert roots(found, "live") == ["live"]


@pytest.mark.parametrize(
    "text",
    [
        f"/*\n{call('../m')}*/\n",
        '# source = "../m"\n',
        'locals {\n  source = "../m"\n}\n',
        'module "m" {\n  source = "${"../m"}x"\n}\n',
    ],
)
def test_a_call_that_is_none_makes_no_caller(project, text):
    found = project({"m/main.tf": POOL, "c/main.tf": text})
    assert roots(found, "m") == ["m"]


def test_a_call_in_json_syntax_counts(project):
    found = project({"m/main.tf": POOL, "c/main.tf.json": '{"module": {"m": {"source": "../m"}}}'})
    assert roots(found, "m") == ["c"]


def test_hidden_folders_do_not_call(project):
    found = project({"m/main.tf": POOL, ".old/main.tf": call("../m"), ".terraform/x/main.tf": call("../../m")})
    assert roots(found, "m") == ["m"]


def test_callers_are_sought_in_the_folders_that_are_given(write, project):
    files = {"m/main.tf": POOL, "a/main.tf": call("../m"), "b/main.tf": call("../m")}
    top = write(files)
    assert roots(project(files, folders=(top / "m", top / "b")), "m") == ["b"]


def test_modules_that_call_each_other_are_roots_themselves(project):
    found = project({"a/main.tf": POOL + call("../b"), "b/main.tf": call("../a")})
    assert roots(found, "a") == ["a"]


def test_without_tofu_files_there_is_one_reading(project):
    found = project({"main.tf": POOL})
    assert found.roots([found.top]) == [Root(found.top, "terraform")]


@pytest.mark.parametrize("files", [{"main.tf": POOL, "main.tofu": POOL}, {"main.tf": call("./m"), "m/main.tofu": POOL}])
def test_with_tofu_files_in_the_tree_both_readings_count(project, files):
    found = project(files)
    assert [r.reading for r in found.roots([found.top])] == ["terraform", "tofu"]


@pytest.mark.parametrize("reading", ["terraform", "tofu"])
def test_settings_say_which_reading_counts(project, reading):
    found = project({"main.tf": POOL, "main.tofu": POOL}, settings=lambda root: RootSettings(reading))
    assert [r.reading for r in found.roots([found.top])] == [reading]


def test_a_folder_of_no_interest_is_not_read_beyond_its_own_calls(project, monkeypatch):
    found = project({"a/main.tf": OTHER, "b/main.tf": POOL})
    monkeypatch.setattr(found, "_walk", lambda: pytest.fail("the tree was searched"))
    assert roots(found, "a") == []


def test_locked_versions(write):
    directory = write(
        {
            ".terraform.lock.hcl": """\
                # This file is maintained automatically by "terraform init".
                provider "registry.terraform.io/hashicorp/google" {
                  version     = "7.20.0"
                  constraints = ">= 7.0.0"
                  hashes = [
                    "h1:abc=",
                  ]
                }
                """
        }
    )
    (entry,) = locked_providers(directory)
    assert (entry.address, entry.version) == ("registry.terraform.io/hashicorp/google", "7.20.0")
    assert entry.span.source.position(entry.span.start) == (3, 17)


def test_no_lock_file_no_versions(write):
    assert list(locked_providers(write({"main.tf": POOL}))) == []
