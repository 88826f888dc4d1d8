"""Text of a spec never becomes HCL, YAML or Markdown of its own: whatever it holds, it arrives as that text."""

from __future__ import annotations

import copy
import tempfile
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from generator.hcl import hcl2_reader
from generator.hcl.project import Options, Project
from generator.render import readback
from generator.render.files import folder_files
from generator.schema.provider import types_of_interest
from generator.spec.build import build
from generator.view import Known, Resource
from generator.view.text import trees

SPEC: dict[str, Any] = {
    "version": 1,
    "name": "train",
    "project": "my-project",
    "zone": "us-central1-b",
    "backend": {"kind": "gcs", "bucket": "bucket", "prefix": "T"},
    "cluster": {
        "location": "us-central1",
        "default_pool": {"machine_type": "T"},
        "resource_labels": {"a": "T"},
        "service_account": "T",
        "private": {"authorized_networks": [{"cidr_block": "10.0.0.0/8", "display_name": "T"}]},
        "maintenance": {
            "window": {"start_time": "2026-01-03T01:00:00Z", "end_time": "2026-01-03T09:00:00Z", "recurrence": "T"},
            "exclusions": [{"name": "T", "start_time": "2026-01-03T01:00:00Z", "end_time": "2026-01-03T09:00:00Z"}],
        },
    },
    "node_pools": [
        {
            "name": "pool",
            "machine_type": "a3-ultragpu-8g",
            "node_count": 2,
            "capacity": {"kind": "none"},
            "disk_type": "T",
            "oauth_scopes": ["T"],
            "labels": {"a": "T"},
            "taints": [{"key": "T", "value": "T", "effect": "NO_EXECUTE"}],
        }
    ],
    "workload": {"name": "w", "image": "T", "command": "T"},
}

CLUSTER_PATHS = {
    "node_config.machine_type": ("cluster", "default_pool", "machine_type"),
    "node_config.service_account": ("cluster", "service_account"),
    "resource_labels": ("cluster", "resource_labels"),
    "master_authorized_networks_config.cidr_blocks.display_name": (
        "cluster",
        "private",
        "authorized_networks",
        0,
        "display_name",
    ),
    "maintenance_policy.recurring_window.recurrence": ("cluster", "maintenance", "window", "recurrence"),
    "maintenance_policy.maintenance_exclusion.exclusion_name": ("cluster", "maintenance", "exclusions", 0, "name"),
}
POOL_PATHS = {
    "node_config.disk_type": ("node_pools", 0, "disk_type"),
    "node_config.oauth_scopes": ("node_pools", 0, "oauth_scopes"),
    "node_config.taint.key": ("node_pools", 0, "taints", 0, "key"),
    "node_config.taint.value": ("node_pools", 0, "taints", 0, "value"),
}

PIECES = [
    '"', "'", '\\', '${', '%{', '$${', '$', '%', '{', '}', '~}', '\n', '\r\n', '\t', '\x00', '\x1b[31m', '\x7f',
    '\x85', '`', '$(id)', '<<EOT', 'EOT', '#', '//', '/*', '*/', '---', '...', ': ', '- ', '&a', '*a',
    '!!python/object', '|', '>', '{{ 7 * 7 }}', '{% raw %}', '{#', '#}', '\u2028', '\u202e', '\ufeff', '\xe9',
    'e\u0301', '\u6771\u4eac', '\U0001f600', ' ', 'x', 'null', '~', '0123', '1.30', 'no', '](javascript:0)',
    '<script>',
]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20
)


def filled(part: Any, text: str) -> Any:
    if isinstance(part, dict):
        made = {k: filled(v, text) for k, v in part.items()}
        return {(text if k == "a" else k): v for k, v in made.items()}
    if isinstance(part, list):
        return [filled(v, text) for v in part]
    return text if part == "T" else part


def at(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def nfc(value: Any) -> Any:
    """Terraform normalizes every string that it reads."""
    if isinstance(value, dict):
        return {nfc(k): nfc(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return sorted(nfc(v) for v in value)
    return unicodedata.normalize("NFC", value)


def check_resource(resource: Resource, paths: dict[str, tuple[str | int, ...]], data: dict[str, Any]) -> None:
    for path, where in paths.items():
        answer = resource.get(path)
        assert isinstance(answer, Known), (path, answer)
        assert nfc(answer.value) == nfc(at(data, where)), path


def written(text: str, folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    data = filled(copy.deepcopy(SPEC), text)
    # Unchecked: the files have to hold whatever text the checks may let through some day.
    files = folder_files(build(data))
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode("utf-8"))
    return data, files


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@example("\U00018cd6")
@given(HOSTILE)
def test_it_arrives_as_text_in_hcl_and_yaml(text: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        data, files = written(text, folder)
        options = Options(types_of_interest(), folders=[folder], reader=hcl2_reader.read)
        (tree,) = trees(Project(folder, options), [folder])
        cluster = next(r for r in tree.resources if r.type == "google_container_cluster")
        pool = next(r for r in tree.resources if r.type == "google_container_node_pool")
        assert len(tree.resources) == 2
        check_resource(cluster, CLUSTER_PATHS, data)
        check_resource(pool, POOL_PATHS, data)
        labels = pool.get("node_config.labels")
        assert isinstance(labels, Known) and nfc(text) in nfc(labels.value)
    (workload,) = yaml.safe_load_all(files["kubernetes/workload.yaml"])
    container = workload["spec"]["containers"][0]
    assert container["image"] == text
    assert container["args"] == [f"source /usr/local/gib/scripts/set_nccl_env.sh\n{text}"]
    (toleration,) = workload["spec"]["tolerations"]
    assert (toleration["key"], toleration["value"]) == (text, text)
    assert set(workload) == {"apiVersion", "kind", "metadata", "spec"}


@settings(deadline=None, max_examples=8, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE)
def test_it_passes_the_read_back(text: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        _, files = written(text, Path(name).resolve())
        readback.check(Path(name).resolve(), {n: c.encode("utf-8") for n, c in files.items()})


@settings(deadline=None, max_examples=60)
@given(HOSTILE)
def test_the_shape_of_the_files_does_not_depend_on_it(text: str) -> None:
    plain = folder_files(build(filled(copy.deepcopy(SPEC), "x") | {"cluster": {"location": "us-central1"}}))
    data = filled(copy.deepcopy(SPEC), text) | {"cluster": {"location": "us-central1"}}
    made = folder_files(build(data))
    assert list(made) == list(plain)
    for name in made:
        if name != "README.md":
            assert made[name].count("\n") == plain[name].count("\n"), name
    assert "<script>" not in made["README.md"]


def test_a_template_that_forgets_a_filter_fails() -> None:
    from generator.render.environment import environment

    with pytest.raises(TypeError, match="unfiltered"):
        environment().from_string("{{ text }}").render(text="x")
    with pytest.raises(Exception, match="undefined"):
        environment().from_string("{{ nothing }}").render()
    with pytest.raises(Exception, match="unsafe"):
        environment().from_string("{{ text.__class__.__mro__ }}").render(text="x")
