"""The guards over plans that the real core has made (see make_plans.py), and once over plans as they are made."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PLANS = Path(__file__).with_name("plans")
CLUSTER, POOL = "google_container_cluster.main", "google_container_node_pool.gpu"
SITES = [f'module.site["{key}"].{POOL}' for key in "ab"]
CASES: dict[str, tuple[int, list[tuple[str, str]]]] = {
    "create": (0, []),
    "empty": (0, []),
    "noop-update": (1, [("noop-update", POOL)]),
    "noop-update-inline": (1, [("noop-update", CLUSTER)]),
    "replaced-on-request": (4, [("replacement", POOL)]),
    "replacement": (4, [("replacement", POOL)]),
    "cluster-by-name": (4, [("replacement", CLUSTER), ("hidden-destruction", POOL)]),
    "cluster-by-id": (4, [("replacement", CLUSTER), ("replacement", POOL)]),
    "cluster-by-equal-name": (4, [("replacement", CLUSTER), ("hidden-destruction", POOL)]),
    "network-by-equal-name": (4, [("roce-network", "google_compute_network.rdma"), ("hidden-destruction", POOL)]),
    "destroy": (4, [("destruction", CLUSTER), ("destruction", POOL)]),
    "protected": (4, [("destruction", CLUSTER), ("protected-cluster", CLUSTER), ("destruction", POOL)]),
    "nodes-recreated": (1, [("image-type", POOL), ("nodes-recreated", POOL)]),
    "pool-shrink": (0, [("pool-shrink", POOL)]),
    "tainted": (4, [("replacement", POOL)]),
    "moved": (0, []),
    "imported": (0, []),
    "forgotten": (0, []),
    "drifted": (0, []),
    "keys": (4, [("destruction", f"{site}[1]") for site in SITES]),
    "modules": (
        4,
        [("destruction", f'module.site["b"].{CLUSTER}'), ("destruction", f"{SITES[1]}[0]")],
    ),
}


def test_each_stored_plan_is_asked_about() -> None:
    assert {path.stem for path in PLANS.glob("*.json")} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_what_is_found_in_a_plan(run, name: str) -> None:
    result = run("check-plan", PLANS / f"{name}.json", "--format", "json")
    document = json.loads(result.out)
    code, expected = CASES[name]
    found = [(f["rule"], f["resource"]) for f in document["findings"]]
    assert (result.code, sorted(found), document["errors"]) == (code, sorted(expected), [])


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("replacement", ["--allow-replace", POOL]),
        ("tainted", ["--allow-replace", POOL]),
        ("cluster-by-name", ["--allow-replace", CLUSTER, "--allow-destroy", POOL]),
        ("cluster-by-id", ["--allow-replace", CLUSTER, "--allow-replace", POOL]),
        ("destroy", ["--allow-destroy", CLUSTER, "--allow-destroy", POOL]),
        ("keys", ["--allow-destroy", "module.site"]),
        ("keys", [f"--allow-destroy=module.site.{POOL}"]),
        ("keys", [f"--allow-destroy={site}" for site in SITES]),
        ("keys", [f"--allow-destroy={site}[1]" for site in SITES]),
        ("modules", ["--allow-destroy", 'module.site["b"]']),
    ],
)
def test_what_is_approved_passes(run, name: str, allowed: list[str]) -> None:
    result = run("check-plan", PLANS / f"{name}.json", *allowed)
    assert (result.code, result.err) == (0, ""), result.out


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("replacement", ["--allow-destroy", POOL]),
        ("cluster-by-name", ["--allow-replace", CLUSTER, "--allow-replace", POOL]),
        ("protected", ["--allow-destroy", CLUSTER, "--allow-destroy", POOL]),
        ("keys", [f"--allow-destroy={SITES[0]}[1]"]),
        ("keys", [f"--allow-destroy=module.site.{POOL}[0]"]),
        ("modules", ["--allow-destroy", 'module.site["a"]']),
    ],
)
def test_another_approval_does_not_help(run, name: str, allowed: list[str]) -> None:
    assert run("check-plan", PLANS / f"{name}.json", *allowed).code == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("replacement", f"replaces {POOL}: node_config.spot cannot be changed in place"),
        ("tainted", f"replaces {POOL}: it is tainted"),
        ("replaced-on-request", f"replaces {POOL}: it was asked for with --replace"),
        ("cluster-by-name", f"{POOL} goes with {CLUSTER}"),
        ("network-by-equal-name", f"{POOL} goes with google_compute_network.rdma"),
    ],
)
def test_a_refusal_gives_its_reason(run, name: str, words: str) -> None:
    assert words in run("check-plan", PLANS / f"{name}.json").out


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("moved", r"| unchanged | google_container_node_pool.other (moved from google_container_node_pool.gpu) | |"),
        ("forgotten", r"| forget | google_container_node_pool.gpu | |"),
        ("tainted", r"| replace | google_container_node_pool.gpu | it is tainted |"),
        ("keys", r'| destroy | module.site["a"].google_container_node_pool.gpu[1] | its index is beyond count |'),
    ],
)
def test_a_summary_tells_what_happens(run, tmp_path: Path, name: str, row: str) -> None:
    from html import unescape

    run("check-plan", PLANS / f"{name}.json", "--summary", tmp_path / "summary.md")
    told = [" ".join(unescape(line).split()) for line in (tmp_path / "summary.md").read_text().splitlines()]
    assert row.rsplit("|", 2)[0].strip() in "\n".join(told), told


@pytest.fixture
def provided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The stand-in provider at work, with a cloud of its own."""
    command = [sys.executable, str(Path(__file__).with_name("serving.py")), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdin is not None
        monkeypatch.setenv("TF_REATTACH_PROVIDERS", process.stdout.readline().strip())
        yield
        process.stdin.close()


HEAD = """
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}
provider "google" {
  project = "my-project"
  region  = "us-central1"
}
"""


@pytest.mark.usefixtures("provided")
def test_from_the_first_plan_to_a_cluster_that_takes_its_pool_with_it(run, folder: Path) -> None:
    import runpy

    maker = runpy.run_path(str(Path(__file__).with_name("make_plans.py")))
    cluster, pool = maker["cluster"], maker["pool"]

    def write(*blocks: str) -> None:
        (folder / "main.tf").write_text(HEAD + "".join(blocks))

    write(cluster(), pool())
    assert run("plan", folder).code == 0
    assert run("apply", folder).code == 0
    empty = run("plan", folder, "--detailed-exitcode")
    assert (empty.code, "no changes" in empty.out) == (0, True)
    write(cluster(**maker["REPLACED"]), pool())
    refused = run("plan", folder, "--allow-replace", CLUSTER)
    assert (refused.code, "hidden-destruction" in refused.out, "main.tf:" in refused.out) == (4, True, True)
    assert run("apply", folder).code == 4
    assert run("plan", folder, "--allow-replace", CLUSTER, "--allow-destroy", POOL).code == 0
    assert run("apply", folder).code == 0
    assert f"+ {POOL} (create)" in run("plan", folder).out
