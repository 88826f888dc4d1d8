"""A secret that goes in comes out nowhere: argv, output, files, receipt."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

SECRET = "Zauberwort-7c1f"
CONFIG = """
variable "password" {
  type      = string
  sensitive = true
}
variable "named" {
  type      = string
  sensitive = true
  validation {
    condition     = length(var.named) > 3
    error_message = "Too short."
  }
}
resource "terraform_data" "a" {
  input = [var.password, var.named]
  lifecycle {
    postcondition {
      condition     = self.output[0] == "another"
      error_message = "The value does not fit."
    }
  }
}
output "it" {
  value     = var.password
  sensitive = true
}
"""
LOUD = """
variable "zone" {
  default = "z"
}
resource "terraform_data" "loud" {
  lifecycle {
    precondition {
      condition     = var.zone == "no"
      error_message = "The word is SECRET."
    }
  }
}
"""


def command_lines() -> str:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes().decode(errors="replace"))
        except OSError:
            continue
    return "\n".join(found)


@pytest.fixture
def watched():
    """What is seen in argv of all processes meanwhile."""
    seen: list[str] = []
    ended = threading.Event()

    def watch() -> None:
        while not ended.is_set():
            seen.append(command_lines())
            time.sleep(0.005)

    thread = threading.Thread(target=watch)
    thread.start()
    yield seen
    ended.set()
    thread.join()


def test_a_secret_is_nowhere(run, start, folder: Path, tmp_path: Path, watched: list[str], monkeypatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    (folder / "main.tf").write_text(CONFIG)
    (folder / "secret.tfvars").write_text(f'named = "{SECRET}"\n')
    monkeypatch.setenv("TF_VAR_password", SECRET)
    outputs = []
    for arguments in (
        ("plan", folder, "--var-file", folder / "secret.tfvars"),
        ("plan", folder, "--var-file", folder / "secret.tfvars", "--format", "json"),
        ("apply", folder),
        ("apply", folder, "--format", "json"),
    ):
        result = start(*arguments).end()
        outputs.append(result.out + result.err)
    assert "The value does not fit" in outputs[2]
    assert SECRET not in "".join(outputs)
    assert any("embedded.py" in seen for seen in watched)
    assert not any(SECRET in seen for seen in watched)
    # Terraform's own: the state and the plan; ours: everything else.
    own = {"terraform.tfstate", "terraform.tfstate.backup", "plan", "secret.tfvars"}
    for path in [*folder.rglob("*"), *(tmp_path / "tmp").rglob("*")]:
        if path.is_file() and path.name not in own:
            assert SECRET.encode() not in path.read_bytes(), path
    assert not list((tmp_path / "tmp").iterdir())


def test_a_secret_in_the_words_of_terraform_is_taken_out(run, folder: Path) -> None:
    (folder / "main.tf").write_text(CONFIG)
    (folder / "loud.tf").write_text(LOUD.replace("SECRET", SECRET))
    result = run("plan", folder, "--var", f"password={SECRET}", "--var", "named=longer")
    assert result.code == 3
    assert "The word is (sensitive value)" in result.err
    assert SECRET not in result.err + result.out
