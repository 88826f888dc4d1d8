"""Reads and runs cases: folders of configuration that say themselves what is to be found in them (cases/README.md)."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from generator.cli import run

NOT_INPUT = (".case", "want.txt", "args.txt", "columns.txt")
WANT = re.compile(r"(?:#|//)\s*want:\s*(.+?)\s*$")


def cases_in(folder: Path) -> list[str]:
    """The names of the cases in a folder: their paths in it."""
    return sorted(marker.parent.relative_to(folder).as_posix() for marker in folder.rglob(".case"))


@dataclass
class Case:
    """What a case's folder says."""

    folder: Path
    wanted: set[tuple[str, int, str, str]] = field(default_factory=set)
    code: int | None = None
    arguments: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    paths: list[str] = field(default_factory=lambda: ["."])

    @property
    def advice(self) -> set[str]:
        return {rule for _, _, rule, severity in self.wanted if severity == "advice"}

    @property
    def wanted_code(self) -> int:
        if self.code is not None:
            return self.code
        if any(rule == "parse-error" for _, _, rule, _ in self.wanted):
            return 2
        return 1 if any(severity == "error" for *_, severity in self.wanted) else 0


def read(folder: Path) -> Case:
    case = Case(folder)
    for file in sorted(folder.rglob("*")):
        if file.is_file() and file.name not in NOT_INPUT and ".before" not in file.relative_to(folder).parts:
            name = file.relative_to(folder).as_posix()
            for number, line in enumerate(file.read_bytes().decode("utf-8", "replace").split("\n"), 1):
                if found := WANT.search(line.rstrip("\r")):
                    case.wanted |= {(name, number, *part.split()) for part in found[1].split(";")}
    _read_wanted(case)
    _read_arguments(case)
    return case


def _lines(file: Path) -> list[str]:
    return [line.strip() for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def _read_wanted(case: Case) -> None:
    for line in _lines(case.folder / "want.txt"):
        words = line.split("#")[0].split()
        if len(words) == 2:
            case.code = int(words[1])
        elif words:
            path, number = words[0].rsplit(":", 1)
            case.wanted.add((path, int(number), words[1], words[2]))


def _read_arguments(case: Case) -> None:
    for line in _lines(case.folder / "args.txt"):
        if line.startswith("ENV:"):
            name, _, value = line[4:].partition("=")
            case.environment[name] = value
        elif line.startswith("FIRST:"):
            case.first.append(line[6:])
        elif line.startswith("PATHS "):
            case.paths = shlex.split(line[6:])
        elif line and not line.startswith("#"):
            case.arguments.append(line)
    if case.advice and "--pedantic" not in case.arguments:
        case.arguments.append("--pedantic")


def problems(case: Case, work: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is not as the case wants it."""
    shutil.copytree(case.folder, work, ignore=shutil.ignore_patterns(*NOT_INPUT, ".before"), dirs_exist_ok=True)
    if case.first:
        shutil.copytree(case.folder / ".before", work, dirs_exist_ok=True)
        run(["lint", *case.first, *case.paths])
        shutil.copytree(case.folder, work, ignore=shutil.ignore_patterns(*NOT_INPUT, ".before"), dirs_exist_ok=True)
    capsys.readouterr()
    code = run(["lint", "--format", "json", *case.arguments, *case.paths])
    output = capsys.readouterr().out
    found = [] if code == case.wanted_code else [f"exit {code}, wanted {case.wanted_code}"]
    findings = json.loads(output)["findings"]
    got = {
        (f["path"], f["line"], f["rule"], f["severity"])
        for f in findings
        if f["severity"] != "advice" or f["rule"] in case.advice
    }
    places = {f"{f['path']}:{f['line']}:{f['column']} {f['rule']} {f['severity']}" for f in findings}
    found += [f"column {line}" for line in _lines(case.folder / "columns.txt") if line and line not in places]
    found += [f"missing {wanted}" for wanted in sorted(case.wanted - got)]
    found += [f"too much {surplus}" for surplus in sorted(got - case.wanted)]
    return found


def run_case(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """What is not as the case in a folder wants it, run in a folder of its own and without settings of this machine."""
    case = read(folder)
    work = tmp_path / "case"
    work.mkdir()
    monkeypatch.chdir(work)
    for variable in [v for v in os.environ if v.startswith("TF_VAR_") or v == "GITHUB_ACTIONS"]:
        monkeypatch.delenv(variable)
    for variable, value in case.environment.items():
        monkeypatch.setenv(variable, value)
    return problems(case, work, capsys)
