"""plan and apply from end to end, with the real core."""

from __future__ import annotations

import json
import shutil
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.errors import RefusedError
from generator.render import busy, journal, record

Run = Callable[..., "object"]


def test_a_plan_is_private_and_applied_once(run, folder: Path) -> None:
    planned = run("plan", folder, "--detailed-exitcode")
    assert planned.code == 5, planned.err
    assert "+ terraform_data.a (create)" in planned.out
    assert "plan: 2 to create" in planned.out
    private = folder / ".gke-rdma"
    assert stat.S_IMODE((private / "plan").stat().st_mode) == 0o600
    assert stat.S_IMODE((private / "plan.receipt.json").stat().st_mode) == 0o600
    assert (private / ".gitignore").read_text() == "*\n"

    applied = run("apply", folder)
    assert applied.code == 0, applied.err
    assert "applied: 2 added, 0 changed, 0 destroyed" in applied.out
    assert not (private / "plan").exists()

    again = run("apply", folder)
    assert again.code == 4
    assert "spent" in again.err
    empty = run("plan", folder, "--detailed-exitcode")
    assert empty.code == 0
    assert "no changes" in empty.out


def test_variables_of_the_command_line_win_over_files_and_the_environment(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "terraform.tfvars").write_text('zone = "of-the-file"\n')
    (folder / "more.tfvars").write_text('zone = "of-more"\n')
    monkeypatch.setenv("TF_VAR_zone", "of-the-environment")
    hostile = 'a"b\\c ${x} %{y} \n\t€ \x07'
    for arguments, wanted in (
        ((), "of-the-file"),
        (("--var", f"zone={hostile}"), hostile),
        (("--var", "zone=come-early", "--var-file", folder / "more.tfvars"), "of-more"),
        (("--var-file", folder / "more.tfvars", "--var", "zone=come-late"), "come-late"),
    ):
        assert run("plan", folder, *arguments).code == 0
        with zipfile.ZipFile(folder / ".gke-rdma" / "plan") as plan:
            # Values in a plan are packed by length and text; JSON escapes do not occur.
            content = plan.read("tfplan")
        assert wanted.encode() in content
        others = {"of-the-file", "of-more", "of-the-environment", "come-early", "come-late"} - {wanted}
        assert not any(other.encode() in content for other in others)


def test_a_variable_that_is_no_text_takes_an_expression(run, folder: Path) -> None:
    (folder / "zones.tf").write_text(
        'variable "zones" { type = list(string) }\nresource "terraform_data" "z" { input = var.zones }\n'
    )
    assert run("plan", folder, "--var", 'zones=["a", "b"]').code == 0
    assert run("apply", folder).code == 0
    assert '"b"' in (folder / "terraform.tfstate").read_text()
    wrong = run("plan", folder, "--var", "zones=[")
    assert wrong.code == 2
    assert "no expression" in wrong.err
    two = run("plan", folder, "--var", 'zones=[]\nzone="x"')
    assert two.code == 2


def test_an_undeclared_variable_is_refused(run, folder: Path) -> None:
    result = run("plan", folder, "--var", "zoen=a")
    assert result.code == 2
    assert "password, zone" in result.err


def test_a_missing_variable_ends_the_plan_instead_of_asking(run, folder: Path) -> None:
    (folder / "more.tf").write_text('variable "needed" {}\n')
    result = run("plan", folder)
    assert result.code == 3
    assert "needed" in result.err
    assert "more.tf:1:1" in result.err
    assert "--var NAME=VALUE" in result.err
    assert not list((folder / ".gke-rdma").glob("*plan*"))


def test_json_is_one_object_a_line_and_ends_with_the_document(run, folder: Path) -> None:
    result = run("plan", folder, "--format", "json")
    assert result.code == 0
    *events, document = [json.loads(line) for line in result.out.splitlines()]
    assert {e["type"] for e in events} >= {"version", "planned_change", "change_summary"}
    assert document["version"] == 1
    assert document["findings"] == []
    assert document["plan"]["counts"]["create"] == 2
    assert document["plan"]["changes"][0] == {
        "address": "terraform_data.a",
        "actions": ["create"],
        "reason": None,
        "paths": [],
        "replace_paths": [],
        "previous_address": None,
        "imported": False,
    }
    applied = run("apply", folder, "--format", "json")
    *events, document = [json.loads(line) for line in applied.out.splitlines()]
    assert "apply_complete" in {e["type"] for e in events}
    assert document["plan"]["counts"]["create"] == 2


def test_replace_target_and_destroy(run, folder: Path) -> None:
    run("plan", folder)
    run("apply", folder)
    replaced = run("plan", folder, "--replace", "terraform_data.a", "--target", "terraform_data.a")
    assert "-/+ terraform_data.a (replace): it was asked for with --replace" in replaced.out
    assert "terraform_data.b" not in replaced.out
    assert replaced.code == 0
    assert "replaces nothing" not in replaced.err and "approves nothing" not in replaced.err
    mistaken = run("plan", folder, "--replace", "terraform_data.typo")
    assert "--replace terraform_data.typo replaces nothing in this plan" in mistaken.err
    assert "--allow-replace" not in mistaken.err + run("apply", folder).err
    changed = run("plan", folder, "--var", "zone=other")
    assert "~ terraform_data.a (update): input.zone, output" in changed.out
    assert "-/+ terraform_data.b (replace): triggers_replace cannot be changed in place" in changed.out
    destroyed = run("plan", folder, "--destroy")
    assert "plan: 2 to destroy" in destroyed.out
    assert run("apply", folder).code == 0
    assert json.loads((folder / "terraform.tfstate").read_text())["resources"] == []


def test_out_puts_plan_and_receipt_elsewhere(run, folder: Path, tmp_path: Path) -> None:
    assert run("plan", folder, "--out", tmp_path / "my.plan").code == 0
    assert stat.S_IMODE((tmp_path / "my.plan").stat().st_mode) == 0o600
    assert (tmp_path / "my.plan.receipt.json").is_file()
    assert run("apply", folder).code == 4
    assert run("apply", folder, "--plan", tmp_path / "my.plan").code == 0
    nowhere = run("plan", folder, "--out", tmp_path / "missing" / "plan")
    assert nowhere.code == 2
    assert "its folder is not there" in nowhere.err
    assert nowhere.err.count("\n") < 4
    onto = run("plan", folder, "--out", tmp_path)
    assert (onto.code, "this is a folder" in onto.err) == (2, True)


def test_an_ephemeral_variable_is_given_again_and_never_in_the_receipt(run, folder: Path) -> None:
    (folder / "token.tf").write_text(
        'variable "token" {\n  type = string\n  ephemeral = true\n}\nprovider "terraform" {}\n'
    )
    assert run("plan", folder, "--var", "token=abcdefgh").code == 0
    receipt = json.loads((folder / ".gke-rdma" / "plan.receipt.json").read_text())["receipt"]
    assert receipt["ephemeral"] == ["token"]
    assert "token" not in receipt["variables"]
    assert "token" not in str(receipt["given"])
    assert run("apply", folder).code == 3
    assert run("apply", folder, "--var", "token=another").code == 0


def test_another_machine_needs_no_init_by_hand(run, planned: Path) -> None:
    shutil.rmtree(planned / ".terraform", ignore_errors=True)
    assert run("apply", planned).code == 0


@pytest.mark.parametrize("left", [True, False])
def test_another_machine_with_another_lock_file_is_refused(run, planned: Path, left: bool) -> None:
    lock = planned / ".terraform.lock.hcl"
    noted = planned / ".gke-rdma" / "plan"
    lock.write_text("# of the plan\n")
    assert run("plan", planned).code == 0
    shutil.rmtree(planned / ".terraform", ignore_errors=True)
    if left:
        lock.write_text("this is no lock file")
    else:
        lock.unlink()
    refused = run("apply", planned)
    assert (refused.code, ".terraform.lock.hcl" in refused.err) == (4, True), refused.err
    assert noted.is_file() and not (planned / ".terraform").exists()


def test_workspaces_are_kept_apart(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("plan", folder, "--workspace", "blue").code == 0
    monkeypatch.setenv("TF_WORKSPACE", "green")
    other = run("apply", folder)
    assert (other.code, "the plan is for blue" in other.err) == (4, True)
    monkeypatch.delenv("TF_WORKSPACE")
    applied = run("apply", folder)
    assert applied.code == 0, applied.err
    assert (folder / "terraform.tfstate.d" / "blue" / "terraform.tfstate").is_file()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("plan", "nowhere"), 2, "no such folder"),
        (("apply", "nowhere"), 2, "no such folder"),
        (("plan", "{empty}"), 2, "no .tf file"),
        (("plan", "{folder}/main.tf"), 2, "is a file"),
        (("apply", "{folder}/main.tf"), 2, "is a file"),
        (("apply", "{empty}"), 2, "no .tf file"),
        (("plan", "{folder}", "--timeout", "soon"), 2, "no duration"),
        (("plan", "{folder}", "--lock-timeout", "5"), 2, "no duration"),
        (("plan", "{folder}", "--parallelism", "0"), 2, "parallelism"),
        (("plan", "{folder}", "--format", "xml"), 2, "text, json"),
        (("plan", "{folder}", "--var", "zone"), 2, "NAME=VALUE"),
        (("plan", "{folder}", "--var-file", "nowhere.tfvars"), 2, "no such file"),
        (("plan", "{folder}", "--terraform", "no-such-program"), 2, "no such program"),
        (("plan", "{folder}", "--backend-config", "access_key=abc"), 2, "in clear"),
        (("plan", "{folder}", "--backend-config", "nowhere.hcl"), 2, "no such file"),
        (("apply", "{folder}"), 4, "no plan was made"),
        (("apply", "{folder}", "--plan", "nowhere"), 2, "no such plan"),
    ],
)
def test_wrong_use_is_told_without_running_terraform(
    run, folder: Path, tmp_path: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    (tmp_path / "empty").mkdir()
    places = {"folder": folder, "empty": tmp_path / "empty"}
    result = run(*(a.format(**places) for a in arguments))
    assert (result.code, words in result.err) == (code, True), result.err
    assert not (folder / ".gke-rdma" / "plan").exists()


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("cloud.tf", 'terraform {\n  cloud {\n    organization = "o"\n  }\n}\n', "cloud.tf:2:3"),
        ("remote.tf", 'terraform {\n  backend "remote" {}\n}\n', "remote.tf:2:3"),
        ("cloud.tf.json", '{"terraform": {"cloud": {"organization": "o"}}}\n', "cloud.tf.json:1:"),
    ],
)
def test_remote_execution_is_refused_with_the_way_round(run, folder: Path, name: str, text: str, place: str) -> None:
    (folder / name).write_text(text)
    result = run("plan", folder)
    assert result.code == 3
    assert place in result.err
    assert "check-plan" in result.err
    (folder / "local_override.tf").write_text('terraform {\n  backend "local" {}\n}\n')
    assert run("plan", folder).code == 0


def test_a_configuration_that_is_not_valid_keeps_its_place(run, folder: Path) -> None:
    (folder / "wrong.tf").write_text('resource "terraform_data" "w" {\n  inptu = 1\n}\n')
    result = run("plan", folder)
    assert result.code == 3
    assert "wrong.tf:2:3" in result.err
    assert "inptu" in result.err


SLOW = 'resource "terraform_data" "slow" {\n  provisioner "local-exec" {\n    command = "exec /bin/cat gate"\n  }\n}\n'


def test_files_are_not_generated_while_a_plan_of_wherever_is_applied(
    run, start, gate, folder: Path, tmp_path: Path
) -> None:
    (folder / "slow.tf").write_text(SLOW)
    assert run("plan", folder, "--out", tmp_path / "elsewhere").code == 0
    stop = gate(folder / "gate")
    child = start("apply", folder, "--plan", tmp_path / "elsewhere")
    stop.reached(child)
    with pytest.raises(RefusedError, match="at work"), busy.nobody_applies(folder):
        pass
    stop.open()
    assert child.end().code == 0
    with busy.nobody_applies(folder):
        result = run("plan", folder)
        assert (result.code, "writes the files" in result.err) == (4, True)
        assert run("apply", folder).code == 4
    assert run("plan", folder).code == 0


def test_an_update_that_was_cut_short_is_finished_first(run, tmp_path: Path) -> None:
    def contents(text: str) -> dict[str, bytes]:
        files = {"main.tf": f'resource "terraform_data" "{text}" {{}}\n'.encode()}
        return {**files, record.NAME: record.make({}, None, files).text().encode()}

    folder = tmp_path / "made"
    for place, text in ((folder, "old"), (folder / journal.NAME, "new")):
        place.mkdir()
        for name, content in contents(text).items():
            (place / name).write_bytes(content)
    result = run("plan", folder)
    assert result.code == 0, result.err
    assert "finished first" in result.err
    assert "terraform_data.new" in result.out
    assert not (folder / journal.NAME).exists()
