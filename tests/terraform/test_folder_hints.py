"""Folders that cannot be planned: which folder was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.terraform.events import Diagnostic
from generator.terraform.failures import error_of
from generator.terraform.folder import root_folder


def test_roots_below_are_named(tmp_path: Path) -> None:
    for name in ("a/one", "b/two", ".hidden/three"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "main.tf").write_text("")
    with pytest.raises(InputError) as caught:
        root_folder(tmp_path)
    assert caught.value.message == "the folder holds no .tf file"
    assert caught.value.hint == f"name one of its folders: {tmp_path / 'a/one'}, {tmp_path / 'b/two'}"


def test_an_empty_folder_can_be_generated(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        root_folder(tmp_path)
    assert caught.value.hint == "gke-rdma generate SPEC -o DIR makes one"


@pytest.mark.parametrize(("name", "message"), [("none", "no such folder"), ("file", "is a file")])
def test_no_folder_is_named_once(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError) as caught:
        root_folder(tmp_path / name)
    assert message in caught.value.message and name not in caught.value.message.split()


def test_a_module_without_values_names_its_example(tmp_path: Path) -> None:
    def hint() -> str:
        found = Diagnostic(
            "error", "No value for required variable", "It is not set.", path=tmp_path / "variables.tf", line=1
        )
        return error_of(found).hint or ""

    assert hint() == "give it with --var NAME=VALUE, --var-file FILE or TF_VAR_NAME"
    (tmp_path / "examples" / "basic").mkdir(parents=True)
    assert "take the folder examples/basic in it" in hint() and "--var NAME=VALUE" in hint()
