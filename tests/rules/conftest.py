"""What the rules say about small folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from good_folder import Edits, Says, edited

from generator.lint.configuration import Flags
from generator.lint.engine import lint
from generator.lint.request import Request


@pytest.fixture
def says(tmp_path: Path) -> Says:
    """What a rule says about files, as `severity: the text it points to`, in the order of the text."""

    def run(rule: str, edits: Edits | None = None, files: dict[str, str] | None = None) -> list[str]:
        contents = {"main.tf": edited(edits or {})} if files is None else files
        for name, text in contents.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        outcome = lint(Request((".",), tmp_path, Flags(pedantic=True)))
        assert not outcome.report.errors, outcome.report.errors
        found = []
        for finding in outcome.report.findings:
            assert "hush-hush" not in finding.message + finding.help
            if finding.rule == rule or rule == "":
                at = finding.location
                assert at is not None
                lines = at.path.read_text(encoding="utf-8").split("\n")
                end = at.end_column - 1 if at.end_line == at.line else None
                name = "" if rule else f"{finding.rule} "
                found.append(f"{name}{finding.severity}: {lines[at.line - 1][at.column - 1 : end]}")
        return found

    return run
