from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from generator.errors import InputError, UserErrors
from generator.findings import Severity
from generator.lint.configuration import Configurations, Flags
from generator.lint.show import shown


def of(folder: Path, **flags: object):
    return Configurations(Flags(**flags)).of(folder)  # type: ignore[arg-type]


def test_nothing_written_means_defaults(write):
    found = of(write({}))
    assert (found.path, found.select, found.ignore, found.fail_on, found.pedantic) == (
        None,
        None,
        (),
        Severity.ERROR,
        False,
    )


def test_nearest_file_alone_counts_but_exclude_adds_up(write):
    root = write(
        {
            ".gke-rdma.toml": 'ignore = ["local-ssd"]\nexclude = ["vendor/"]\nterraform = "tofu"',
            "eu/.gke-rdma.toml": 'fail-on = "warning"\nexclude = ["old"]',
        }
    )
    found = of(root / "eu" / "deep")
    assert (found.ignore, found.terraform, found.fail_on) == ((), None, Severity.WARNING)
    assert [pattern for _, pattern in found.exclude] == ["vendor/", "old"]


def test_own_file_before_pyproject_and_foreign_pyproject_is_none(write):
    root = write(
        {
            ".gke-rdma.toml": 'ignore = ["local-ssd"]',
            "pyproject.toml": '[tool.gke-rdma]\nignore = ["machine-type"]',
            "a/pyproject.toml": '[tool.gke-rdma]\nignore = ["machine-type"]',
            "b/pyproject.toml": "[tool.ruff]\nline-length = 100",
            "c/pyproject.toml": "this = is = no TOML",
        }
    )
    assert of(root).ignore == ("local-ssd",)
    assert of(root / "a").ignore == ("machine-type",)
    assert of(root / "b").path == root / ".gke-rdma.toml"
    assert of(root / "c").path == root / ".gke-rdma.toml"


def test_search_ends_at_the_repository(write, tmp_path):
    (tmp_path / ".gke-rdma.toml").write_text('ignore = ["local-ssd"]')
    root = write({"a/main.tf": ""})
    assert of(root / "a").path is None
    (root / ".git").rmdir()
    assert of(root / "a").path == tmp_path / ".gke-rdma.toml"


def test_paths_are_relative_to_the_file(write):
    root = write({"conf/.gke-rdma.toml": 'baseline = "known.json"\nvar-files = ["a.tfvars", "../b.tfvars"]'})
    found = of(root / "conf" / "deep")
    assert found.baseline == root / "conf" / "known.json"
    assert [p.name for p in found.var_files] == ["a.tfvars", "b.tfvars"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("\nignroe = []", 2, "ignore"),
        ('select = ["local-sdd"]', 1, "local-ssd"),
        ("exclude = 7", 1, "list"),
        ('exclude = ["a", 1]', 1, "list"),
        ('[severity]\nlocal-ssd = "fatal"', 1, "fatal"),
        ('severity = "error"', 1, "table"),
        ('severity.no-such-rule = "error"', 1, "no-such-rule"),
        ('fail-on = "off"', 1, "off"),
        ("baseline = true", 1, "path"),
        ('baseline = ""', 1, "path"),
        ('terraform = "/usr/bin/terraform"', 1, "terraform, tofu, embedded"),
        ("var-files = {}", 1, "list"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(write, text, line, words):
    root = write({".gke-rdma.toml": text})
    with pytest.raises(UserErrors) as raised:
        of(root)
    (error,) = raised.value.errors
    assert error.path == root / ".gke-rdma.toml"
    assert error.line == line
    assert words in f"{error.message} {error.hint}"


def test_all_mistakes_are_told_at_once(write):
    root = write({"pyproject.toml": '[tool.ruff]\n[tool.gke-rdma]\nfail_on = "x"\nselect = "a"\n'})
    with pytest.raises(UserErrors) as raised:
        of(root)
    assert [e.line for e in raised.value.errors] == [3, 4]


@pytest.mark.parametrize("content", [b"a = ", b"\xff\xfe", b'a = "\x00"'])
def test_what_is_no_toml_is_told(write, content):
    root = write({})
    (root / ".gke-rdma.toml").write_bytes(content)
    with pytest.raises(InputError) as raised:
        of(root)
    assert raised.value.path == root / ".gke-rdma.toml"


def test_a_folder_of_that_name_is_told(write):
    root = write({".gke-rdma.toml/x": ""})
    with pytest.raises(InputError, match="cannot be read"):
        of(root)


def test_a_pipe_of_that_name_is_told(write):
    root = write({})
    os.mkfifo(root / "pyproject.toml")
    with pytest.raises(InputError, match="no regular file"):
        of(root)


def test_flags_stand_above_the_file(write):
    root = write(
        {
            ".gke-rdma.toml": 'ignore = ["local-ssd"]\nfail-on = "warning"\nbaseline = "a.json"\n'
            '[severity]\nmachine-type = "off"\naccelerator = "warning"'
        }
    )
    found = of(
        root,
        ignore=("dranet-label",),
        severity={"accelerator": Severity.ADVICE},
        fail_on=Severity.ADVICE,
        baseline=root / "b.json",
    )
    assert set(found.ignore) == {"local-ssd", "dranet-label"}
    assert found.severity == {"machine-type": None, "accelerator": Severity.ADVICE}
    assert found.baseline == root / "b.json"
    assert found.pedantic, "fail-on advice shows advice"


def test_what_is_selected_by_flag_runs_whatever_the_file_says(write):
    root = write({".gke-rdma.toml": 'ignore = ["local-ssd"]\n[severity]\nmachine-type = "off"'})
    found = of(root, select=("local-ssd", "machine-type"))
    assert (found.ignore, found.severity) == ((), {})


def test_exclude_has_the_grammar_of_gitignore(write):
    root = write(
        {
            ".gke-rdma.toml": 'exclude = ["vendor/", "*.gen.tf", "!keep.gen.tf", "/top"]',
            "a/.gke-rdma.toml": 'exclude = ["/only"]',
        }
    )
    configurations = Configurations(Flags())

    def excluded(path: str, folder: bool = True) -> bool:
        return configurations.excludes(root / path, folder=folder)

    assert excluded("x/vendor") and excluded("x/vendor/deep")
    assert excluded("x/a.gen.tf", folder=False) and not excluded("x/keep.gen.tf", folder=False)
    assert excluded("top") and not excluded("x/top")
    assert excluded("a/only") and not excluded("only") and not excluded("a/b/only")
    assert not excluded(".")


def test_show_config_names_the_source_of_each_value(write):
    root = write(
        {".gke-rdma.toml": 'fail-on = "warning"\nexclude = ["old"]\n[severity]\nlocal-ssd = "off"', "old/main.tf": ""}
    )
    text = shown("old", root, Flags(ignore=("machine-type",)), as_json=False)
    assert "which is excluded" in text
    assert 'fail-on = "warning"  # .gke-rdma.toml' in text
    assert 'severity.local-ssd = "off"  # .gke-rdma.toml' in text
    assert 'ignore = ["machine-type"]  # --ignore' in text
    assert "# baseline is not set" in text
    document = json.loads(shown(".", root, Flags(), as_json=True))
    assert document["file"] == ".gke-rdma.toml"
    assert document["values"]["fail-on"] == {"value": "warning", "source": ".gke-rdma.toml"}
    assert document["values"]["select"] == {"value": None, "source": "default"}


def test_show_config_of_nothing(write):
    with pytest.raises(InputError, match="no such"):
        shown("nope", write({}), Flags(), as_json=False)
