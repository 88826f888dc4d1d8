"""What `generate` says: next steps, advice, other clusters, edits by hand, specs that are gone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

Spec = Callable[..., Path]
Run = Callable[..., int]


def test_next_steps_of_a_module_name_its_example(
    spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    spec_file(layout="module")
    assert generate("rdma.yaml", "-o", "out") == 0
    assert "gke-rdma plan out/examples/basic" in capsys.readouterr().err


def test_advice_is_told_unless_the_spec_asks_for_it(
    spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = {"name": "p", "machine_type": "a3-ultragpu-8g", "node_count": 1, "capacity": {"kind": "spot"}}
    spec_file(node_pools=[pool], zone="us-central1-f", cluster={"location": "us-central1-f"})
    assert generate("rdma.yaml", "-o", "out") == 0
    notes = [line for line in capsys.readouterr().err.splitlines() if line.startswith("note: ")]
    assert {n.rpartition("(")[2] for n in notes} == {"gpu-driver)", "node-count)", "zone-offer)"}
    spec_file(node_pools=[{**pool, "gpu_driver": None}], zone="us-central1-f", cluster={"location": "us-central1-f"})
    assert generate("rdma.yaml", "-o", "other") == 0
    assert "gpu-driver" not in capsys.readouterr().err
    assert generate("rdma.yaml", "-o", "third", "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_another_cluster_over_a_folder_is_told(
    spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    spec_file(name="one")
    assert generate("rdma.yaml", "-o", "out") == 0
    spec_file(name="two")
    capsys.readouterr()
    assert generate("--check", "out") == 1
    assert "warning: rdma.yaml describes another cluster than the folder was made for: name was one, and is two" in (
        capsys.readouterr().err
    )
    assert generate("rdma.yaml", "-o", "out") == 0
    assert "name was one, and is two" in capsys.readouterr().err


def test_a_spec_that_is_gone_is_told(spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]) -> None:
    path = spec_file()
    assert generate("rdma.yaml", "-o", "out") == 0
    path.rename("else.yaml")
    capsys.readouterr()
    assert generate("--check", "out") == 0
    assert "rdma.yaml is gone" in capsys.readouterr().err


def test_differences_come_in_order_and_name_edits_by_hand(
    spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    spec_file()
    assert generate("rdma.yaml", "-o", "out") == 0
    main = Path("out/main.tf")
    main.write_text(main.read_text() + "# mine\n")
    Path("out/outputs.tf").unlink()
    spec_file(zone="us-central1-c", cluster={"location": "us-central1-c"})
    capsys.readouterr()
    assert generate("--check", "out") == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "out/terraform.tfvars: would change"
    assert told[1] == "out/main.tf: was edited by hand, so an update would be refused"
    assert "out/outputs.tf: is missing, and would be written" in told
    assert told[-1] == "out/.gke-rdma.json: would change with the others"


@pytest.mark.parametrize("given", [("out",), ("rdma.yaml",), ("-o", "out"), ()])
def test_half_a_command_line_says_what_to_write(
    given: tuple[str, ...], spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    spec_file()
    assert generate("rdma.yaml", "-o", "out") == 0
    capsys.readouterr()
    assert generate(*given) == 2
    hint = {"out": "generate rdma.yaml -o out", "rdma.yaml": "generate rdma.yaml -o DIR"}.get("".join(given))
    assert (hint or "gke-rdma generate SPEC -o") in capsys.readouterr().err


def test_temporary_names_are_not_told(spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]) -> None:
    spec_file()
    assert generate("rdma.yaml", "-o", "/proc/x") == 2
    told = capsys.readouterr().err
    assert "error: /proc/x: The folder cannot be written" in told
    assert ".gke-rdma-" not in told


def test_a_folder_that_is_not_there(generate: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate("--check", "nope") == 2
    assert "nope: There is no such folder." in capsys.readouterr().err


def test_text_that_google_will_refuse_arrives_with_a_warning(
    spec_file: Spec, generate: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    pool = {"name": "p", "machine_type": "a3-ultragpu-8g", "node_count": 2, "capacity": {"kind": "spot"}}
    spec_file(node_pools=[{**pool, "labels": {"team": "${x} `y`"}}])
    assert generate("rdma.yaml", "-o", "out") == 0
    (line,) = (line for line in capsys.readouterr().err.splitlines() if line.startswith("warning: "))
    assert line.startswith("warning: rdma.yaml:") and "no label with the value" in line
    assert any("$${x} `y`" in path.read_text() for path in Path("out").glob("*.tf*"))
