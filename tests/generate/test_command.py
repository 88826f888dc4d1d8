"""The command as a user meets it: wrong files, routes that are not generated yet, help, killed runs."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.cli import run
from generator.spec.validate import schema

Spec = Callable[..., Path]
Run = Callable[..., int]
Contents = Callable[[Path], dict[str, bytes]]

POOL: dict[str, Any] = {"name": "p", "machine_type": "a3-ultragpu-8g", "capacity": {"kind": "none"}}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "no such file"),
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"version: 1\0", "binary"),
        (bytes(range(1, 256)), "UTF-8"),
        (b"\x7fELF" + bytes(200), "binary"),
        ("version: 1".encode("utf-16"), "binary"),
        (b"version: 1\nname: \xff\n", "UTF-8"),
        (os.urandom(5_000_000), "larger than"),
        (b"a: [" * 1_250_000, "larger than"),
        (b"[" * 200_000, "nested"),
        (b"{" * 200_000, "nested"),
        (b"- " * 100_000, "nested"),
        (b"a: " * 50_000, "not valid YAML"),
        (b"?" * 100_000, "mapping of keys"),
        (b"&a " * 50_000, "not valid YAML"),
        (b"'" * 200_001, "not valid YAML"),
        (b"# x\n" * 60_000, "mapping of keys"),
        (b"x\n" * 100_000, "mapping of keys"),
        (b"a: 1\n" * 40_000, "values"),
        (b"a: 1\n" * 9_000, "more problems are not shown"),
        (b"\n".join(b"k%d: 1" % n for n in range(3_000)), "not known"),
        (b"version: 1\n!!binary x: y\n", "tag"),
    ],
)
def test_files_that_are_no_specs(
    content: bytes | None, told: str, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is not None:
        Path("rdma.yaml").write_bytes(content)
    start = time.perf_counter()
    assert generate("rdma.yaml", "-o", "out") == 2
    assert time.perf_counter() - start < 8
    shown = capsys.readouterr().err
    assert told in shown
    assert len(shown) < 20_000
    assert not Path("out").exists()


def test_a_folder_for_a_file(generate: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path("rdma.yaml").mkdir()
    assert generate("rdma.yaml", "-o", "out") == 2
    assert "a folder" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read(spec_file: Spec, generate: Run) -> None:
    spec_file().chmod(0)
    assert generate("rdma.yaml", "-o", "out") == 2


def test_standard_input(spec_file: Spec, generate: Run, contents: Contents) -> None:
    text = spec_file().read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "generator", "generate", "-", "-o", "piped"], input=text, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, b"")
    record = json.loads(Path("piped/.gke-rdma.json").read_text())
    assert record["spec_path"] is None
    generate("rdma.yaml", "-o", "filed")
    piped, filed = contents(Path("piped")), contents(Path("filed"))
    assert {n: c for n, c in piped.items() if n != ".gke-rdma.json"} == {
        n: c for n, c in filed.items() if n != ".gke-rdma.json"
    }
    bad = subprocess.run(
        [sys.executable, "-m", "generator", "generate", "-", "-o", "bad"],
        input=b"version: 2\n",
        capture_output=True,
        timeout=60,
    )
    assert bad.returncode == 2
    assert b"<stdin>:1:10" in bad.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["rdma.yaml"],
        ["-o", "out"],
        ["rdma.yaml", "-o", "-"],
        ["rdma.yaml", "-o", "out", "--nonsense"],
        ["rdma.yaml", "--check"],
    ],
)
def test_a_command_line_that_lacks_something(arguments: list[str], spec_file: Spec, generate: Run) -> None:
    spec_file()
    assert generate(*arguments) == 2
    assert not Path("out").exists()


def test_eight_mistakes_give_eight_messages_and_no_file(generate: Run, capsys: pytest.CaptureFixture[str]) -> None:
    Path("rdma.yaml").write_text("""\
version: 1
name: Train_1
project: my-project
zone: us-central1
cluster:
  version: 1.34
  deletion_protection: "no"
node_pools:
  - name: pool
    machine_type: a3-megagpu-8g
    node_count: 3
    autoscaling: {min_node_count: 0, max_node_count: 2}
    capacity: {kind: spot, name: r1}
    gpu_drivers: latest
    disk_type: 5
""")
    assert generate("rdma.yaml", "-o", "out") == 2
    shown = capsys.readouterr().err
    lines = [line.split(": ")[1] for line in shown.splitlines() if line.startswith("error: ")]
    assert lines == [
        f"rdma.yaml:{place}" for place in ("2:7", "4:7", "6:12", "7:24", "10:19", "12:5", "13:28", "14:5", "15:16")
    ]
    assert [p.name for p in Path().iterdir()] == ["rdma.yaml"]


def test_schema_prints_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    from jsonschema import Draft202012Validator

    assert run(["schema"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == schema()
    assert printed["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(printed)


def test_kill_9_leaves_nothing_or_the_whole(spec_file: Spec, contents: Contents) -> None:
    """Real processes, killed at moments spread over the whole run."""
    spec_file()
    command = [sys.executable, "-m", "generator", "generate", "rdma.yaml", "-o"]
    start = time.perf_counter()
    subprocess.run([*command, "whole"], check=True, capture_output=True, timeout=60)
    length = time.perf_counter() - start
    whole = contents(Path("whole"))
    moments = random.Random(7)
    killed = 0
    deadline = time.monotonic() + 6
    for attempt in range(14):
        if attempt > 4 and time.monotonic() > deadline:
            break
        target = Path(f"out{attempt}")
        process = subprocess.Popen([*command, str(target)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(length * (0.3 + 0.7 * moments.random()))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        assert not target.exists() or contents(target) == whole
    assert killed > 1
    run(["generate", "rdma.yaml", "-o", "out0"])
    assert contents(Path("out0")) == whole
    assert not list(Path().glob(".out0.*"))
