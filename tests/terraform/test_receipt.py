"""apply refuses a plan when anything that it was made from has changed, and says what."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.terraform import receipt


def change_main(root: Path) -> None:
    (root / "main.tf").write_text((root / "main.tf").read_text() + "# a comment\n")


def add_file(root: Path) -> None:
    (root / "more.tf").write_text("# nothing\n")


def remove_tfvars(root: Path) -> None:
    (root / "terraform.tfvars").unlink()


def add_automatic_file(root: Path) -> None:
    (root / "zz.auto.tfvars").write_text('zone = "x"\n')


def add_lock(root: Path) -> None:
    (root / ".terraform.lock.hcl").write_text("# another\n")


def change_plan(root: Path) -> None:
    path = root / ".gke-rdma" / "plan"
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut_plan(root: Path) -> None:
    path = root / ".gke-rdma" / "plan"
    path.write_bytes(path.read_bytes()[:100])


def foreign_plan(root: Path) -> None:
    (root / ".gke-rdma" / "plan").write_text("this is no plan")


def no_receipt(root: Path) -> None:
    receipt.path_of(root / ".gke-rdma" / "plan").unlink()


def cut_receipt(root: Path) -> None:
    path = receipt.path_of(root / ".gke-rdma" / "plan")
    path.write_text(path.read_text()[:200])


def edited_receipt(root: Path) -> None:
    path = receipt.path_of(root / ".gke-rdma" / "plan")
    path.write_text(path.read_text().replace('"default"', '"another"'))


def binary_receipt(root: Path) -> None:
    receipt.path_of(root / ".gke-rdma" / "plan").write_bytes(b"\xff\x00\xfe")


def newer_receipt(root: Path) -> None:
    receipt.path_of(root / ".gke-rdma" / "plan").write_text('{"version": 2, "receipt": {}}')


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (change_main, "main.tf has changed"),
        (add_file, "more.tf is new"),
        (remove_tfvars, "terraform.tfvars is gone"),
        (add_automatic_file, "zz.auto.tfvars is new"),
        (add_lock, ".terraform.lock.hcl is new"),
        (change_plan, "not the plan that was checked"),
        (cut_plan, "not the plan that was checked"),
        (foreign_plan, "not the plan that was checked"),
        (no_receipt, "has no receipt"),
        (cut_receipt, "damaged"),
        (edited_receipt, "changed after it was written"),
        (binary_receipt, "damaged"),
        (newer_receipt, "not a receipt that this version"),
    ],
)
def test_what_changed_is_named(run, planned: Path, change, words: str) -> None:
    change(planned)
    result = run("apply", planned)
    assert result.code == 4
    assert words in result.err
    assert "gke-rdma plan" in result.err
    assert not (planned / "terraform.tfstate").exists()


def test_values_count_only_when_they_are_given_again(run, planned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = run("apply", planned, "--var", "zone=elsewhere")
    assert other.code == 4
    assert "variable zone is given another value" in other.err
    monkeypatch.setenv("TF_VAR_password", "another-secret")
    # The environment loses against terraform.tfvars, but at plan time it said nothing about the variable.
    by_environment = run("apply", planned)
    assert by_environment.code == 4
    assert "another-secret" not in by_environment.err + by_environment.out
    monkeypatch.delenv("TF_VAR_password")
    same = run("apply", planned, "--var", "zone=us-central1-a")
    assert same.code == 0, same.err


def test_a_variable_file_that_is_given_again_must_be_the_same(run, planned: Path, tmp_path: Path) -> None:
    (tmp_path / "v.tfvars").write_text('zone = "x"\n')
    result = run("apply", planned, "--var-file", tmp_path / "v.tfvars")
    assert result.code == 4
    assert "v.tfvars" in result.err


def test_a_file_of_a_called_module_counts(run, folder: Path) -> None:
    (folder / "m").mkdir()
    (folder / "m" / "m.tf").write_text('resource "terraform_data" "m" {}\n')
    (folder / "call.tf").write_text('module "m" {\n  source = "./m"\n}\n')
    assert run("plan", folder).code == 0
    (folder / "m" / "m.tf").write_text('resource "terraform_data" "m" { input = 1 }\n')
    result = run("apply", folder)
    assert result.code == 4
    assert "m/m.tf has changed" in result.err


def test_an_old_plan_is_refused(run, planned: Path) -> None:
    result = run("apply", planned, "--max-age", "0s")
    assert result.code == 4
    assert "--max-age" in result.err


def test_a_plan_whose_state_moved_on_is_refused(run, planned: Path) -> None:
    assert run("plan", planned, "--out", planned / "second").code == 0
    assert run("apply", planned).code == 0
    result = run("apply", planned, "--plan", planned / "second")
    assert result.code == 4
    assert "stale" in result.err.lower()


def test_only_one_of_two_applies_goes(run, planned: Path) -> None:
    plan = planned / ".gke-rdma" / "plan"
    held = (
        "import fcntl, os, sys\n"
        f"fcntl.flock(os.open({str(plan)!r}, os.O_RDONLY), fcntl.LOCK_EX)\n"
        "print('held', flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen([sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdin is not None
        other.stdout.readline()
        result = run("apply", planned)
        other.stdin.close()
    assert result.code == 4
    assert "another gke-rdma is at work with this plan" in result.err
    assert run("apply", planned).code == 0


def test_a_plan_of_another_core_is_refused(run, planned: Path) -> None:
    plan = planned / ".gke-rdma" / "plan"
    noted = receipt.read(plan)
    body = {f: getattr(noted, f) for f in noted.__slots__} | {"terraform_version": "1.7.0"}
    receipt.write(receipt.Receipt(**body), plan)
    result = run("apply", planned)
    assert result.code == 4
    assert "made with Terraform 1.7.0" in result.err


def test_a_receipt_holds_no_value_and_no_digest_that_two_receipts_share(run, planned: Path) -> None:
    first = receipt.path_of(planned / ".gke-rdma" / "plan").read_text()
    assert "from-the-tfvars" not in first
    one = json.loads(first)["receipt"]
    assert set(one["variables"]) == {"zone", "password"}
    assert run("plan", planned).code == 0
    two = json.loads(receipt.path_of(planned / ".gke-rdma" / "plan").read_text())["receipt"]
    assert not set(one["variables"].values()) & set(two["variables"].values())


def test_findings_in_the_way_leave_no_receipt(run, planned: Path) -> None:
    (planned / "main.tf").write_text('resource "terraform_data" "a" { input = }\n')
    assert run("plan", planned).code != 0
    if receipt.path_of(planned / ".gke-rdma" / "plan").exists():
        # Lint stopped before Terraform ran: the old plan is still there, and its inputs have changed.
        assert run("apply", planned).code == 4


def test_the_environment_of_tests_is_bare() -> None:
    assert "TF_VAR_zone" not in os.environ


def test_what_a_killed_plan_has_left_is_removed(run, folder: Path) -> None:
    private = folder / ".gke-rdma"
    private.mkdir()
    (private / ".plan-abcdef").write_text("secret")
    held = (private / ".plan-held").open("w")
    fcntl.flock(held, fcntl.LOCK_EX)
    assert run("plan", folder).code == 0
    held.close()
    assert sorted(p.name for p in private.iterdir()) == [".gitignore", ".plan-held", "plan", "plan.receipt.json"]
