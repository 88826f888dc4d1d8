"""What is told while Terraform runs: a live table on a terminal, lines in a log, JSON lines for machines."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generator.commands import progress
from generator.commands.live import LiveTable, duration
from generator.commands.progress import Progress
from generator.terraform import events

TWO = """
resource "terraform_data" "quick" {
  input = "quick"
}

resource "terraform_data" "slow" {
  input = terraform_data.quick.output
  provisioner "local-exec" {
    command = "exec /bin/cat gate"
  }
}
"""


class Terminal:
    """A terminal of 80 columns that understands what the table writes: lines, the cursor up, and clearing."""

    def __init__(self, height: int = 24) -> None:
        self.lines: list[str] = [""]
        self.row = 0
        self.height = height

    def write(self, text: str) -> int:
        for part in re.findall(r"\x1b\[(?:\d+A|J)|\r|\n|[^\x1b\r\n]+|\x1b", text):
            if part == "\n":
                self.row += 1
                if self.row == len(self.lines):
                    self.lines.append("")
            elif part.endswith("A") and part.startswith("\x1b"):
                self.row -= int(part[2:-1])
                assert self.row >= 0
            elif part == "\x1b[J":
                del self.lines[self.row :]
                self.lines.append("")
            elif part != "\r":
                assert "\x1b" not in part
                self.lines[self.row] += part
        return len(text)

    def flush(self) -> None:
        pass

    def shown(self) -> list[str]:
        return [line for line in self.lines if line]


def event(kind: str, address: str | None = None, **further: object) -> events.Event:
    hook = {"resource": {"addr": address}, **further} if address else None
    made = events.parse(
        json.dumps({"type": kind, "@message": kind, **({"hook": hook} if hook else further)}), Path("/")
    )
    assert made is not None
    return made


def test_a_table_shows_what_is_at_work_and_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: os.terminal_size((60, 8)))
    terminal, clock = Terminal(), [0.0]
    table = LiveTable(terminal, lambda: clock[0])  # type: ignore[arg-type]
    table.begins("apply")
    assert terminal.shown() == ["terraform apply: 0s"]
    for action in ("create", "replace", "noop", "read"):
        table.take(event("planned_change", "t.x", action=action))
    clock[0] = 5
    table.take(event("apply_start", "t.a", action="create"))
    clock[0] = 10
    table.take(event("apply_start", "t.b", action="delete"))
    assert terminal.shown() == ["  t.a  creating  5s", "  t.b  destroying  0s", "terraform apply: 10s, 0 of 3 done"]
    clock[0] = 75
    table.say("a warning\x1b[31m")
    assert terminal.shown()[0].startswith("a warning") and "\x1b" not in terminal.shown()[0]
    assert terminal.shown()[1:] == [
        "  t.a  creating  1m10s",
        "  t.b  destroying  1m05s",
        "terraform apply: 1m15s, 0 of 3 done",
    ]
    clock[0] = 80
    table.take(event("apply_complete", "t.a", action="create"))
    assert terminal.shown()[1:] == ["  t.b  destroying  1m10s", "terraform apply: 1m20s, 1 of 3 done"]
    for n in range(20):
        table.take(event("apply_start", f"t.long-{n}" + "x" * 200, action="create"))
    clock[0] = 90
    table.tick()
    assert len(terminal.shown()) == 1 + 7 and "… and 16 more" in terminal.shown()[-2]
    assert max(map(len, terminal.shown()[1:])) < 60
    table.erase()
    assert len(terminal.shown()) == 1


@pytest.mark.parametrize(("seconds", "text"), [(0, "0s"), (59.9, "59s"), (61, "1m01s"), (7380, "2h03m")])
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_a_terminal_shows_the_table_and_is_left_clean(plan_in_module, gate, tmp_path: Path) -> None:
    folder = plan_in_module(tmp_path / "root", TWO)
    stop = gate(folder / "gate")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "apply", str(folder)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "20"},
    )
    os.close(slave)
    seen = b""
    try:
        while b"terraform_data.slow  creating" not in seen:
            seen += os.read(master, 4096)
        os.close(os.open(stop.path, os.O_WRONLY))
        while True:
            seen += os.read(master, 4096)
    except OSError:
        pass  # the end of a terminal on Linux
    finally:
        os.close(master)
    assert process.wait() == 0
    terminal = Terminal()
    terminal.write(seen.decode())
    assert not any(line.startswith("terraform apply:") or "  creating  " in line for line in terminal.shown())
    assert any(re.match(r"terraform_data\.quick: Creation complete", line) for line in terminal.shown())
    assert "applied: 2 added, 0 changed, 0 destroyed" in terminal.shown()
    assert re.search(rb"terraform apply: \d+s, 1 of 2 done", seen)


def test_a_terminal_that_goes_away_does_not_harm_what_is_made(plan_in_module, gate, alone, tmp_path: Path) -> None:
    folder = plan_in_module(tmp_path / "root", TWO)
    stop = gate(folder / "gate")
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "generator", "apply", str(folder)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env=os.environ | {"TERM": "xterm"},
    )
    os.close(slave)
    seen = b""
    while b"terraform_data.slow  creating" not in seen:
        seen += os.read(master, 4096)
    os.close(master)
    process.send_signal(signal.SIGHUP)
    assert process.wait() == 143
    assert alone(folder)
    assert "quick" in (folder / "terraform.tfstate").read_text()
    assert stop.path.exists()


def test_a_log_hears_of_long_operations_now_and_then(capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    with Progress(as_json=False) as told:
        told.begins("plan")
        for _ in range(130):
            now[0] += 1
            told.tick()
        assert [line.rpartition(" after ")[2] for line in capsys.readouterr().err.splitlines()] == [
            "60 seconds",
            "120 seconds",
        ]
        for elapsed in range(10, 200, 10):
            told.event(event("apply_progress", "t.a", action="create", elapsed_seconds=elapsed))
        assert len(capsys.readouterr().err.splitlines()) == 6


def test_a_warning_is_told_once_and_with_its_place(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = json.dumps(
        {
            "type": "diagnostic",
            "@message": "Warning: old",
            "diagnostic": {
                "severity": "warning",
                "summary": "old",
                "detail": "It goes.\n\nWrite  the new one.",
                "range": {"filename": "main.tf", "start": {"line": 3}},
            },
        }
    )
    with Progress(as_json=False) as told:
        for _ in range(2):
            warning = events.parse(line, tmp_path)
            assert warning is not None
            told.event(warning)
    assert capsys.readouterr().err == "warning: main.tf:3: old: It goes. Write the new one.\n"
