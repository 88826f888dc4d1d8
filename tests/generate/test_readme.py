"""The README of a generated folder: commands that exist, costs that the provider's own argument tree agrees with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.schema import provider
from generator.schema.tree import BlockSchema

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"
FOLDERS = [*sorted(GOLDEN.iterdir()), *sorted((ROOT / "modules").iterdir())]

every_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: f"{p.parent.name}-{p.name}")


def readme(folder: Path) -> str:
    return (folder / "README.md").read_text()


def rows(folder: Path) -> dict[str, list[str]]:
    """What is named in each row of the table of costs, by the row's effect."""
    table = readme(folder).split("## What a change costs\n")[1].split("\n## ")[0]
    found = re.findall(r"^\| (`.*) \| (.*) \|$", table, re.MULTILINE)
    return {effect: re.findall(r"`(\w+)`", names) for names, effect in found}


def replaces(schema: BlockSchema, name: str) -> Iterator[bool]:
    """Whether a change of an argument or block of that name replaces the resource, wherever it stands outside of others' blocks."""
    if name in schema.arguments:
        yield schema.arguments[name].force_new
    for block, inner in schema.blocks.items():
        if block == name:
            yield inner.force_new
        if block not in ("node_pool", "cluster_autoscaling", "node_config" if "node_pool" in schema.blocks else ""):
            yield from replaces(inner, name)


# The provider decides these in code of its own, or they are variables with names of their own.
NOT_IN_THE_TREE = {"cluster_name", "project_id", "kubernetes_version", "default_pool_node_count"}


@every_folder
def test_the_costs_are_the_providers(folder: Path) -> None:
    pool, cluster = (provider.resource(f"google_container_{kind}") for kind in ("node_pool", "cluster"))
    assert pool is not None and cluster is not None
    for effect, names in rows(folder).items():
        schema = cluster if "cluster" in effect else pool
        for name in set(names) - NOT_IN_THE_TREE:
            answers = list(replaces(schema, name))
            variable = f'variable "{name}"' in (folder / "variables.tf").read_text()
            assert answers or variable or name == "resource_limits", name
            if "networks" not in effect:
                assert not answers or any(answers) == ("replaced" in effect), (name, effect)


@every_folder
def test_a_picture_shows_every_pool_and_network(folder: Path) -> None:
    text = readme(folder)
    picture = text.split("```mermaid\n")[1].split("```")[0]
    assert picture.startswith("flowchart LR\n")
    assert picture.count("subgraph") == picture.count("    end\n") + picture.count("\n  end\n")
    main = (folder / "main.tf").read_text()
    pools = re.findall(r'resource "google_container_node_pool" "\w+" \{\n  name += "(.*)"', main)
    assert all(f"node pool {name}: " in picture for name in pools)
    assert ("RoCE VPC" in picture) == (folder / "network.tf").exists()
    assert ("networks that GKE makes" in picture) == ("accelerator_network_profile" in main or not pools)
    defined = set(re.findall(r"^\s*(\w+)\[", picture, re.MULTILINE)) | set(re.findall(r"--- (\w+)\[", picture))
    for line in picture.splitlines():
        if "---" in line and '["' not in line:
            ends = line.replace("|eth0|", "").replace("|eth1|", "").split("---")
            assert {end.strip() for end in ends} <= defined, line


@every_folder
def test_its_commands_name_files_that_are_there(folder: Path) -> None:
    text = readme(folder)
    there = folder / "examples/basic" if (folder / "examples").is_dir() else folder
    named = re.findall(r"kubectl (?:apply|delete) -f (\S+\.yaml)", text)
    assert len(named) >= 3
    assert all((there / name).is_file() for name in named)
    applied = re.findall(r"^kubectl apply -f \S+/(\S+)", text, re.MULTILINE)
    assert applied.index("nccl-test.yaml") == len([name for name in applied if name != "workload.yaml"]) - 1
    assert "run_nccl_tests.sh -t all_gather -b 1K -e 8G nccl-host-1 nccl-host-2" in text
    assert set(re.findall(r"^- `(.*?)`", text.split("## Files\n")[1], re.MULTILINE)) == {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file() and path.name != "README.md"
    }


@every_folder
def test_it_tells_what_is_left_behind(folder: Path) -> None:
    text = readme(folder)
    makes = 'resource "google_container_cluster"' in (folder / "main.tf").read_text()
    route = (folder / "main.tf").read_text() + "".join(
        p.read_text() for p in folder.glob("kubernetes/compute-class.yaml")
    )
    outside = "accelerator_network_profile" in route or "acceleratorNetworkProfile" in route
    assert ("in no state of Terraform" in text) == outside
    assert ("deletion_protection" in text.split("## Taking it down")[1].split("\n## ")[0]) == makes
    assert "`gvnic` to remove" in text or "google_container_node_pool" not in (folder / "main.tf").read_text()
