"""What a cold start loads. Times depend on the machine, lists of modules do not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"hcl2", "lark", "jinja2", "jsonschema", "rich", "yaml", "grpc", "pathspec", "python_terraform", "matplotlib"}
CODE = """
import json, sys
from generator.cli import run
code = run(sys.argv[1:])
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def loaded(folder: Path, *arguments: str) -> tuple[int, set[str]]:
    """Exit code and modules, of this program and of others."""
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    return code, set(modules)


def own(modules: set[str]) -> set[str]:
    return {m for m in modules if m.split(".")[0] == "generator"}


def test_version_loads_next_to_nothing(tmp_path):
    code, modules = loaded(tmp_path, "--version")
    assert code == 0
    assert not modules & HEAVY
    assert len(own(modules)) <= 6, own(modules)


@pytest.mark.parametrize("configured", [False, True])
def test_a_folder_of_no_interest_loads_no_parser_and_no_rule(tmp_path, configured):
    (tmp_path / ".git").mkdir()
    (tmp_path / "main.tf").write_text('resource "aws_s3_bucket" "b" {\n  bucket = "x"\n}\n')
    if configured:
        (tmp_path / ".gke-rdma.toml").write_text('ignore = ["local-ssd"]\n')
    code, modules = loaded(tmp_path, "lint")
    assert code == 0
    assert not modules & HEAVY
    mine = own(modules)
    assert not {m for m in mine if m.startswith(("generator.view", "generator.catalog", "generator.terraform"))}
    assert "generator.hcl.parser" not in mine and "generator.rules.base" not in mine
    assert len(mine) <= 32, mine


def test_a_folder_of_interest_loads_nothing_heavy(tmp_path):
    (tmp_path / "main.tf").write_text('resource "google_container_node_pool" "p" {\n  cluster = "c"\n}\n')
    _, modules = loaded(tmp_path, "lint")
    assert not modules & HEAVY
    assert not {m for m in own(modules) if m.startswith(("generator.render", "generator.terraform", "generator.spec"))}
