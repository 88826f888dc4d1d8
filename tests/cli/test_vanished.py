"""What vanishes while a command is at work is told, not traced."""

from pathlib import Path

import pytest

from generator import cli
from generator.commands import schema
from generator.errors import ExitCode


def test_a_file_that_vanishes_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def gone(*_: object) -> None:
        (tmp_path / "gone").read_text()

    monkeypatch.setattr(schema, "run", gone)
    assert cli.run(["schema"]) == ExitCode.INPUT
    told = capsys.readouterr().err
    assert "gone" in told
    assert "No such file" in told
    assert "Traceback" not in told
