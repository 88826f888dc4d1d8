"""A hook gives the changed files alone: for their module it finds what a run over everything finds there."""

from __future__ import annotations

import json
import shutil
from pathlib import Path, PurePosixPath

import pytest
from test_cases import CASES, HERE, NOT_INPUT, Case, read

from generator.cli import run

SUFFIXES = (".tf", ".tofu", ".tf.json", ".tofu.json", ".tfvars", ".tfvars.json")


def module_files(folder: Path) -> dict[str, list[str]]:
    """The files that a hook would give, by module folder; hidden folders left out."""
    found: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*")):
        path = file.relative_to(folder)
        if file.is_file() and file.name.endswith(SUFFIXES) and not any(part.startswith(".") for part in path.parts):
            found.setdefault(path.parent.as_posix(), []).append(path.as_posix())
    return found


SEVERAL = [name for name in CASES if len(module_files(HERE / name)) > 1]


def findings(case: Case, capsys: pytest.CaptureFixture[str], path: str) -> dict[str, dict[str, object]]:
    capsys.readouterr()
    run(["lint", "--format", "json", "--pedantic", *case.arguments, path])
    return {json.dumps(f, sort_keys=True): f for f in json.loads(capsys.readouterr().out)["findings"]}


def within(found: dict[str, dict[str, object]], module: str) -> set[str]:
    return {key for key, f in found.items() if PurePosixPath(str(f["path"])).parent.as_posix() == module}


def places(found: dict[str, dict[str, object]]) -> set[tuple[object, ...]]:
    return {(f["rule"], f["path"], f["line"], f["column"]) for f in found.values()}


@pytest.mark.parametrize("name", SEVERAL)
def test_each_file_alone(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case = read(HERE / name)
    work = tmp_path / "case"
    shutil.copytree(case.folder, work, ignore=shutil.ignore_patterns(*NOT_INPUT, ".before"))
    (work / ".git").mkdir(exist_ok=True)
    monkeypatch.chdir(work)
    for variable, value in case.environment.items():
        monkeypatch.setenv(variable, value)
    whole = findings(case, capsys, ".")
    for module, files in module_files(work).items():
        for file in files:
            alone = findings(case, capsys, file)
            assert within(alone, module) == within(whole, module), file
            # Elsewhere it tells what comes about through a call that is written here, of all the calls that lead there.
            assert places(alone) <= places(whole), file
