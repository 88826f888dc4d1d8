"""Text of a spec stays text in YAML, in every kind of manifest."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from manifest_stage import MULTI, WORKLOADS, all_of, pod_templates, pool, scaled, standard, with_class

PIECES = [
    '"', "'", "\\", "${", "%{", "{{ 7 * 7 }}", "{% raw %}", "{#", "\n", "\r\n", "\t", "\x00", "\x1b[31m", "\x85", "`", "$(id)",
    "YAML", "---", "...", ": ", "- ", "#", "&a", "*a", "!!python/object", "|", ">", "\u2028", "\u202e", "\ufeff", "é", "東京",
    "\U0001f600", " ", "x", "null", "~", "0123", "1.30", "no", "true", "=", "<<", "?", "[", "]", "{", "}", ",", "@", "%",
]  # fmt: skip
HOSTILE = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20
)


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [s for k, v in value.items() for s in [*strings(k), *strings(v)]]
    if isinstance(value, list):
        return [s for v in value for s in strings(v)]
    return [value] if isinstance(value, str) else []


@settings(deadline=None, max_examples=60)
@given(HOSTILE, st.sampled_from(["claims", "annotations", "queued"]), st.sampled_from([1, 3]))
def test_it_arrives_as_text(text: str, route: str, hosts: int) -> None:
    taints = [{"key": text, "value": text, "effect": "PREFER_NO_SCHEDULE"}]
    made = {
        "claims": pool(taints=taints),
        "annotations": pool(taints=taints, **MULTI),
        "queued": scaled(taints=taints, queued_provisioning=True),
    }[route]
    found = all_of(standard(made), {"name": "w", "image": text, "command": text, "hosts": hosts})
    named = {**taints[0], "key": "k", "value": "v"}
    plain = all_of(standard({**made, "taints": [named]}), {"name": "w", "image": "i", "command": "c", "hosts": hosts})
    assert [(d["kind"], d["metadata"]["name"], sorted(d)) for d in found] == [
        (d["kind"], d["metadata"]["name"], sorted(d)) for d in plain
    ]
    *_, (name, _, spec) = pod_templates(found)
    (container,) = spec["containers"]
    assert name == "w"
    assert container["image"] == text
    assert container["args"] == [f"source /usr/local/gib/scripts/set_nccl_env.sh\n{text}"]
    for _, _, pod in pod_templates(found):
        assert {"key": text, "operator": "Equal", "value": text, "effect": "PreferNoSchedule"} in pod["tolerations"]


@pytest.mark.parametrize("name", ["true", "null", "no", "on", "y", "nan", "inf", "e1", "x0123"])
def test_names_that_yaml_would_take_for_something_else(name: str) -> None:
    found = all_of(
        with_class({"name": name, "capacity": {"kind": "reservation", "name": name, "block": name}}, mode="autopilot"),
        {"name": name, "image": "1.30", "command": "true", "hosts": 2},
    )
    assert strings(found).count(name) >= 8
    for _, _, spec in pod_templates(found):
        assert spec["nodeSelector"] == {"cloud.google.com/compute-class": name}


def test_a_document_is_not_cut_short_by_its_text() -> None:
    workload = {"name": "w", "image": "a\n---\nkind: Secret", "command": "x\n...\n---\nkind: Secret\n"}
    assert "Secret" not in [d["kind"] for d in all_of(standard(pool()), workload)]


def test_booleans_and_numbers_are_what_kubernetes_wants() -> None:
    text = yaml.safe_dump(all_of(standard(pool()), WORKLOADS["four"]))
    assert "'29500'" in text
    assert "nvidia.com/gpu: 8" in text
