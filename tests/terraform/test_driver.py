"""The adapter: each trap of python-terraform that we go around, with the real core or a program that behaves badly."""

from __future__ import annotations

import json
import logging
import os
import shutil
import stat
import sys
import time
from pathlib import Path

import pytest
from python_terraform import IsFlagged

from generator.errors import InputError, ToolError, UserErrors
from generator.terraform import binary, process
from generator.terraform.binary import Binary
from generator.terraform.driver import PlanArguments, Terraform
from generator.terraform.environment import child_environment
from generator.terraform.signals import Signals

PROGRAM = Path(shutil.which("terraform") or "terraform")


def fake(directory: Path, script: str, name: str = "terraform") -> str:
    """A program that stands in for terraform where the real one will not misbehave."""
    path = directory / name
    path.write_text(f"#!{sys.executable}\nimport json, os, signal, sys, time\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def driven(directory: Path, script: str, timeout: float | None = 3000) -> Terraform:
    core = Binary((fake(directory, script),), "Terraform", "1.11.4")
    return Terraform(core, directory, environment=dict(os.environ), signals=Signals(print).__enter__(), timeout=timeout)


def ignore(_event: object) -> None:
    pass


@pytest.fixture
def leaping(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The clock of time limits leaps an hour ahead as soon as the program that stands in for terraform says it is ready."""

    class Clock:
        leaps = 0

        @classmethod
        def monotonic(cls) -> float:
            # Each look leaps further, so that a limit set after the program was ready is passed as well.
            cls.leaps += (tmp_path / "ready").exists()
            return time.monotonic() + 3600 * cls.leaps

    monkeypatch.setattr(process, "time", Clock)


def test_a_saved_plan_is_applied_without_a_variable_file(terraform: Terraform, folder: Path) -> None:
    terraform.init()
    outcome = terraform.plan(folder / "p", PlanArguments(), ignore)
    assert outcome.summary["add"] == 2
    assert terraform.apply(folder / "p", PlanArguments(), ignore).summary["add"] == 2


def test_nothing_but_the_named_commands_can_be_called(terraform: Terraform) -> None:
    for name in ("force_unlock", "plann", "destroy_cmd", "state_cmd"):
        with pytest.raises(AttributeError):
            getattr(terraform, name)


def test_a_dict_would_become_a_file_that_stays_behind(terraform: Terraform) -> None:
    with pytest.raises(TypeError, match="stay behind"):
        terraform.cmd("plan", var={"password": "x"})


def test_inherited_methods_run_our_way_too(terraform: Terraform, folder: Path) -> None:
    code, out, err = terraform.cmd("version", json=IsFlagged, synchronous=False, raise_on_error=True)
    assert code == 0 and err == ""
    assert json.loads(out)["terraform_version"] == terraform.binary.version
    (folder / "terraform.tfstate").write_text("no state")
    assert terraform.cmd("version")[0] == 0


def test_nothing_is_logged(terraform: Terraform, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        terraform.init()
        terraform.plan(folder / "p", PlanArguments(), ignore)
        terraform.show(folder / "p")
    assert "from-the-default" not in caplog.text
    assert not [r for r in caplog.records if r.name.startswith("python_terraform")]


def test_bytes_that_are_no_utf8_do_no_harm(tmp_path: Path) -> None:
    event = json.dumps({"type": "apply_complete", "@message": "done", "hook": {"resource": {"addr": "t.n"}}})
    terraform = driven(tmp_path, f"sys.stdout.buffer.write(b'\\xff\\xfe broken\\n' + {event.encode()!r} + b'\\n')")
    seen = []
    terraform.apply(tmp_path / "p", PlanArguments(), seen.append)
    assert [(e.type, e.address) for e in seen] == [("apply_complete", "t.n")]


def test_events_arrive_while_terraform_runs(tmp_path: Path) -> None:
    line = json.dumps({"type": "apply_progress", "@message": "still creating"})
    terraform = driven(tmp_path, f"print('''{line}''', flush=True)\nwhile not os.path.exists('seen'): time.sleep(0.01)")

    def on_event(_event: object) -> None:
        (tmp_path / "seen").touch()

    terraform.apply(tmp_path / "p", PlanArguments(), on_event)


def test_standard_input_is_closed(tmp_path: Path) -> None:
    terraform = driven(tmp_path, "sys.exit(0 if sys.stdin.read() == '' else 1)")
    assert terraform.cmd("plan")[0] == 0


@pytest.mark.usefixtures("leaping")
def test_too_long_is_interrupted_and_told(tmp_path: Path) -> None:
    script = (
        "signal.signal(signal.SIGINT, lambda *_: (open('told', 'w').close(), sys.exit(1)))\n"
        "open('ready', 'w').close()\ntime.sleep(600)"
    )
    terraform = driven(tmp_path, script, timeout=1800)
    with pytest.raises(UserErrors, match="longer than --timeout"):
        terraform.apply(tmp_path / "p", PlanArguments(), ignore)
    assert (tmp_path / "told").exists()


@pytest.mark.usefixtures("leaping")
def test_what_does_not_stop_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    script = (
        "import subprocess\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "open('pid', 'w').write(str(p.pid))\nopen('ready', 'w').close()\ntime.sleep(600)"
    )
    with Signals(print) as signals:
        done = process.run(
            [fake(tmp_path, script)],
            directory=tmp_path,
            environment=os.environ,
            signals=signals,
            timeout=1800,
            grace=0.1,
        )
    assert done.timed_out and done.returncode < 0
    left = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and is_running(left):
        time.sleep(0.02)
    assert not is_running(left)


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_an_end_of_output_is_not_waited_for_when_terraform_is_gone(tmp_path: Path) -> None:
    script = (
        "import subprocess\np = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\nprint(p.pid)"
    )
    code, out, _ = driven(tmp_path, script, timeout=None).cmd("version")
    assert code == 0
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline and is_running(int(out)):
        time.sleep(0.02)
    assert not is_running(int(out))


def test_a_reader_that_fails_stops_terraform_first(tmp_path: Path) -> None:
    script = (
        "signal.signal(signal.SIGINT, lambda *_: (open('told', 'w').close(), sys.exit(1)))\n"
        """print('{"type": "version"}', flush=True)\ntime.sleep(600)"""
    )
    terraform = driven(tmp_path, script)

    def on_event(_event: object) -> None:
        raise RuntimeError("a defect")

    with pytest.raises(RuntimeError, match="a defect"):
        terraform.apply(tmp_path / "p", PlanArguments(), on_event)
    assert (tmp_path / "told").exists()


def test_a_closed_output_of_ours_does_not_stop_an_apply(tmp_path: Path) -> None:
    done = json.dumps(
        {"type": "apply_complete", "@message": "", "hook": {"action": "create", "resource": {"addr": "t.n"}}}
    )
    script = f"""print('{{"type": "version"}}', flush=True)\nprint({done!r}, flush=True)\nopen('whole', 'w').close()"""
    terraform = driven(tmp_path, script)
    heard = []

    def on_event(event: object) -> None:
        heard.append(event)
        raise BrokenPipeError

    outcome = terraform.apply(tmp_path / "p", PlanArguments(), on_event)
    assert outcome.done == [("t.n", "create")]
    assert len(heard) == 1
    assert (tmp_path / "whole").exists()


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("sys.stderr.write('\\u2577\\n\\u2502 Error: no disk\\n'); sys.exit(1)", "Error: no disk"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "killed by signal 9"),
        ("print('no json')", "no json"),
        ("print('[]')", "terraform show"),
    ],
)
def test_failures_say_what_terraform_said(tmp_path: Path, script: str, words: str) -> None:
    with pytest.raises(UserErrors, match=words) as caught:
        driven(tmp_path, script).show(tmp_path / "p")
    assert caught.value.code == 3


def test_the_environment_is_settled() -> None:
    said: list[str] = []
    base = {
        "TF_CLI_ARGS": "-no-color",
        "TF_LOG": "trace",
        "TF_INPUT": "1",
        "TF_VAR_zone": "z",
        "TF_DATA_DIR": "d",
        "TF_WORKSPACE": "w",
    }
    made = child_environment(base, workspace=None, say=said.append)
    assert made == {
        "TF_VAR_zone": "z",
        "TF_DATA_DIR": "d",
        "TF_WORKSPACE": "w",
        "TF_INPUT": "0",
        "TF_IN_AUTOMATION": "1",
        "CHECKPOINT_DISABLE": "1",
    }
    assert "TF_LOG" in said[0]
    with_path = child_environment({"TF_LOG": "trace", "TF_LOG_PATH": "l"}, workspace="other", say=said.append)
    assert (with_path["TF_LOG"], with_path["TF_WORKSPACE"]) == ("trace", "other")
    for name in ("TF_CLI_ARGS", "TF_CLI_ARGS_plan"):
        with pytest.raises(InputError, match=name):
            child_environment({name: "-no-color -destroy"}, workspace=None, say=said.append)


@pytest.mark.parametrize(
    ("says", "error", "words"),
    [
        ("Terraform v1.6.6", ToolError, "1.7 or newer"),
        ("OpenTofu v1.7.3", ToolError, "1.8 or newer"),
        ("something else", ToolError, "does not say that it is Terraform"),
        ("OpenTofu v1.8.0", None, "OpenTofu 1.8.0"),
        ("Terraform v1.7.0-rc1", None, "Terraform 1.7.0-rc1"),
        ("There are problems\nTerraform v2.0.0", None, "Terraform 2.0.0"),
    ],
)
def test_versions(tmp_path: Path, says: str, error: type[Exception] | None, words: str) -> None:
    program = fake(tmp_path, f"print({says!r})")
    with Signals(print) as signals:
        if error is None:
            assert str(binary.find(program, None, environment=os.environ, signals=signals)) == words
        else:
            with pytest.raises(error, match=words):
                binary.find(program, None, environment=os.environ, signals=signals)


def test_the_first_of_terraform_tofu_and_embedded_is_taken(tmp_path: Path) -> None:
    def found(configured: binary.Kind | None = None) -> str:
        with Signals(print) as signals:
            environment = {**os.environ, "PATH": f"relative{os.pathsep}{tmp_path}"}
            return str(binary.find(None, configured, environment=environment, signals=signals))

    assert found().endswith("(embedded)")
    with pytest.raises(ToolError, match="tofu"):
        found("tofu")
    fake(tmp_path, "print('OpenTofu v1.9.0')", "tofu")
    assert found() == "OpenTofu 1.9.0"
    fake(tmp_path, "print('Terraform v1.12.0')")
    assert found() == "Terraform 1.12.0"
    assert found("tofu") == "OpenTofu 1.9.0"
    assert found("embedded").endswith("(embedded)")


@pytest.mark.skipif(not PROGRAM.is_absolute(), reason="no terraform on this machine")
def test_the_program_on_path_is_driven_alike(run, folder: Path) -> None:
    assert run("plan", folder, "--terraform", PROGRAM).code == 0
    assert run("apply", folder).code == 4
    assert run("apply", folder, "--terraform", PROGRAM).code == 0
