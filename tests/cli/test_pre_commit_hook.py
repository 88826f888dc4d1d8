"""The hook, run by the real pre-commit in a git repository; only the installation of the program is left out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

MANIFEST = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
POOL = """\
resource "google_container_node_pool" "gpu" {
  name     = "gpu"
  cluster  = "projects/p/locations/us-central1-b/clusters/c"
  location = "us-central1-b"

  node_config {
    machine_type       = var.type
    gpudirect_strategy = "RDMA"
  }
}

variable "type" {
  type    = string
  default = "a3-ultragpu-8g"
}
"""


def call(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "TF_VAR_"))}
    environment |= {"PRE_COMMIT_HOME": str(folder.parent / "home"), "HOME": str(folder.parent), "GITHUB_ACTIONS": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    hook = next(h for h in yaml.safe_load(MANIFEST.read_text()) if h["id"] == "gke-rdma-lint")
    assert hook["entry"] == "gke-rdma lint"
    # The program that is under test stands in for the one that pre-commit would install.
    hook |= {"language": "system", "entry": f"{sys.executable} -m generator lint --select machine-type"}
    hook.pop("minimum_pre_commit_version")
    root = tmp_path / "repository"
    (root / "gpu").mkdir(parents=True)
    (root / "gpu" / "main.tf").write_text(POOL)
    (root / "notes.md").write_text("nothing\n")
    config = {"repos": [{"repo": "local", "hooks": [hook]}]}
    (root / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    assert call(root, "git", "init", "-q").returncode == 0
    assert call(root, "git", "add", ".").returncode == 0
    return root


def hook(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return call(root, sys.executable, "-m", "pre_commit", "run", *arguments)


def test_the_manifest_is_valid():
    done = call(MANIFEST.parent, sys.executable, "-m", "pre_commit", "validate-manifest", str(MANIFEST))
    assert done.returncode == 0, done.stdout


def test_good_and_bad_commits(repository):
    done = hook(repository, "--all-files")
    assert done.returncode == 0, done.stdout + done.stderr
    (repository / "gpu" / "terraform.tfvars").write_text('type = "n1-standard-1"\n')
    call(repository, "git", "add", "gpu/terraform.tfvars")
    done = hook(repository, "--files", "gpu/terraform.tfvars")
    assert done.returncode == 1
    assert "error[machine-type]" in done.stdout and "gpu/main.tf:7:" in done.stdout


def test_other_files_do_not_start_it(repository):
    assert "no files to check" in hook(repository, "--files", "notes.md").stdout


def test_a_changed_file_of_a_child_is_judged_through_its_callers(repository):
    (repository / "main.tf").write_text('module "gpu" {\n  source = "./gpu"\n  type   = "n1-standard-1"\n}\n')
    call(repository, "git", "add", ".")
    whole = hook(repository, "--all-files")
    for name in ("gpu/main.tf", "main.tf"):
        alone = hook(repository, "--files", name)
        assert alone.returncode == whole.returncode == 1
        assert findings(alone.stdout) == findings(whole.stdout) != []


def findings(output: str) -> list[str]:
    return re.findall(r"error\[.*\n.*--> .*", output)
