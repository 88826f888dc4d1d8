"""A spec to begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.catalog import machines
from generator.cli import run
from generator.spec.load import load


def test_it_generates_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init"]) == 0
    assert "gke-rdma generate rdma.yaml -o DIR" in capsys.readouterr().err
    assert run(["generate", "rdma.yaml", "-o", "out"]) == 0
    assert Path("rdma.yaml").read_text().count("#") > 8


@pytest.mark.parametrize("machine", [m.name for m in machines.served()])
@pytest.mark.parametrize("capacity", ["none", "reservation", "spot", "flex-start"])
@pytest.mark.parametrize("route", [[], ["--networking", "multi-network"], ["--mode", "autopilot"]])
def test_every_choice_is_a_valid_spec(machine: str, capacity: str, route: list[str]) -> None:
    options = ["--machine-type", machine, "--capacity", capacity, "--project", "other-project", "--name", "no", *route]
    assert run(["init", "spec.yaml", "--zone", "europe-west4-b", *options]) == 0
    spec = load("spec.yaml").spec
    assert (spec.name, spec.project, spec.zone) == ("no", "other-project", "europe-west4-b")
    if "autopilot" in route:
        assert spec.compute_class is not None
        assert (spec.compute_class.machine_type, spec.compute_class.capacity.kind) == (machine, capacity)
    else:
        (pool,) = spec.node_pools
        assert (pool.machine_type, pool.capacity.kind) == (machine, capacity)
        assert pool.networking == ("multi-network" if route else "dranet")


@pytest.mark.parametrize(
    "options",
    [
        ["--capacity", "free"],
        ["--mode", "manual"],
        ["--networking", "tcpx"],
        ["--machine-type", "a3-highgpu-8g"],
        ["--zone", "us-central1"],
        ["--name", "Upper"],
        ["--name", 'x"\n  evil: ${x}'],
        ["--project", "#"],
        ["--mode", "autopilot", "--networking", "multi-network"],
    ],
)
def test_a_wrong_value_writes_nothing(options: list[str]) -> None:
    assert run(["init", *options]) == 2
    assert not list(Path().iterdir())


@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_what_exists_is_left(kind: str) -> None:
    path = Path("rdma.yaml")
    if kind == "file":
        path.write_text("mine")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("nowhere")
    assert run(["init"]) == 4
    assert kind != "file" or path.read_text() == "mine"
    assert not Path("nowhere").exists()


def test_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "-"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("# A spec for gke-rdma")
    assert printed.err == ""
    assert not list(Path().iterdir())


def test_a_folder_that_is_not_there() -> None:
    assert run(["init", "nowhere/rdma.yaml"]) == 2


def test_on_a_terminal_it_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    import typer

    from generator.commands import init

    class Terminal:
        def isatty(self) -> bool:
            return True

        def write(self, text: str) -> int:
            return len(text)

    wrong = ["manual", "a3-highgpu-8g", "tcpx", "P", "us-east4", "Upper", "free"]
    right = ["standard", "a4-highgpu-8g", "multi-network", "asked-project", "us-east4-b", "asked", "spot"]
    answers = iter([answer for pair in zip(wrong, right, strict=True) for answer in pair])
    monkeypatch.setattr(typer, "prompt", lambda *_, **__: next(answers))
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stderr", Terminal())
    assert init.run(init.Options()) == 0
    spec = load("rdma.yaml").spec
    assert (spec.project, spec.zone, spec.name) == ("asked-project", "us-east4-b", "asked")
    (pool,) = spec.node_pools
    assert (pool.machine_type, pool.networking, pool.capacity.kind) == ("a4-highgpu-8g", "multi-network", "spot")
    assert not list(answers)


def test_json_takes_no_comments(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "rdma.json"]) == 2
    assert ".yaml" in capsys.readouterr().err
    assert not list(Path().iterdir())
