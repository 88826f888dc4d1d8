from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.lint.configuration import Configurations, Flags
from generator.lint.discovery import Group, configuration_files, discover


def search(root: Path, *paths: str) -> tuple[list[Group], list[Exception]]:
    errors: list[Exception] = []
    return discover(paths or (".",), root, Configurations(Flags()), errors), errors


def modules(root: Path, *paths: str) -> list[str]:
    groups, errors = search(root, *paths)
    assert not errors
    return [m.relative_to(root).as_posix() for group in groups for m in group.modules]


def test_folders_are_searched_but_hidden_ones(write):
    root = write(
        {
            "main.tf": "",
            "a/x.tofu": "",
            "b/x.tf.json": "{}",
            "c/notes.txt": "",
            "d/.terraform/modules/m/main.tf": "",
            ".hidden/main.tf": "",
            "e/deep/er/main.tf": "",
        }
    )
    assert modules(root) == [".", "a", "b", "e/deep/er"]
    assert modules(root, ".hidden") == [".hidden"], "what is named is checked"


@pytest.mark.parametrize(
    "name",
    ["main.tf", "x.tofu", "x.tf.json", "x.tofu.json", "prod.tfvars", "a.auto.tfvars.json", ".terraform.lock.hcl"],
)
def test_a_file_means_its_module(write, name):
    root = write({"a/main.tf": "", "a/deep/main.tf": "", "b/main.tf": "", f"a/{name}": ""})
    assert modules(root, f"a/{name}") == ["a"]
    assert modules(root, f"a/{name}", "a/main.tf", "a/main.tf") == ["a"]


def test_nothing_there_is_no_error(write):
    assert modules(write({"notes.txt": ""})) == []
    assert modules(write({"x/only.tfvars": ""}), "x/only.tfvars") == []


def test_a_folder_named_like_a_file_is_a_folder(write):
    root = write({"x.tf/main.tf": "", "main.tf": ""})
    assert modules(root, "x.tf") == ["x.tf"]
    assert modules(root) == [".", "x.tf"]


@pytest.mark.parametrize("path", ["nope", "nope/main.tf", "notes.txt", "main.tf/x.tf", "", "a\0b"])
def test_what_cannot_be_used_is_told_and_the_rest_is_found(write, path):
    root = write({"main.tf": "", "notes.txt": ""})
    groups, errors = search(root, path, ".")
    assert len(errors) == 1
    assert [m for group in groups for m in group.modules] == [root]


def test_a_pipe_is_told(write):
    root = write({})
    os.mkfifo(root / "main.tf")
    groups, errors = search(root, "main.tf")
    assert "regular" in str(errors[0])
    assert groups == []


def test_links_to_folders_are_not_followed(write):
    root = write({"a/main.tf": ""})
    (root / "a" / "loop").symlink_to(root)
    assert modules(root) == ["a"]


def test_excluded_folders_are_no_modules_and_no_callers(write):
    root = write({".gke-rdma.toml": 'exclude = ["vendor"]', "a/main.tf": "", "vendor/x/main.tf": ""})
    assert modules(root) == ["a"]
    assert modules(root, "vendor/x/main.tf") == []
    assert modules(root, "vendor") == []
    (group,) = search(root, "a")[0]
    assert group.folders == [root / "a"]


def test_callers_are_sought_from_the_repository(write):
    root = write({"modules/gpu/main.tf": "", "live/main.tf": ""})
    (group,) = search(root, "modules/gpu")[0]
    assert (group.top, group.modules) == (root, [root / "modules/gpu"])
    assert group.folders == [root / "live", root / "modules/gpu"]


def test_without_a_repository_from_the_topmost_configuration(write):
    root = write({".gke-rdma.toml": "", "m/.gke-rdma.toml": "", "m/gpu/main.tf": "", "live/main.tf": ""})
    (root / ".git").rmdir()
    (group,) = search(root, "m/gpu")[0]
    assert group.top == root


def test_without_either_from_the_arguments(write):
    root = write({"m/gpu/main.tf": "", "live/main.tf": "", "other/main.tf": ""})
    (root / ".git").rmdir()
    (group,) = search(root, "m/gpu", "live")[0]
    assert group.folders == [root / "live", root / "m/gpu"]
    assert group.top == root


def test_two_repositories_are_two_groups(write):
    root = write({"main.tf": "", "inner/main.tf": "", "inner/.git/HEAD": ""})
    groups, _ = search(root, "main.tf", "inner")
    assert [g.top for g in groups] == [root, root / "inner"]


def test_a_folder_that_goes_meanwhile_holds_nothing(tmp_path):
    assert list(configuration_files(tmp_path / "gone")) == []
