"""The Kubernetes files: valid against the published schemas, and what Google's page says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from generator.catalog import images
from generator.cli import run

GOLDEN = Path(__file__).parent / "golden"
MANIFESTS = sorted(GOLDEN.glob("*/kubernetes/*.yaml"))
# What Kubernetes publishes schemas for; the rest are objects that GKE adds.
OWN = ("v1", "batch/v1", "resource.k8s.io/v1")
VERSIONS = ["1.34", "1.35", "1.36"]


class StrictLoader(yaml.SafeLoader):
    """YAML that refuses a key that is written twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(k) for k, _ in node.value]
        assert len(keys) == len(set(keys)), f"a key twice in line {node.start_mark.line + 1}"
        return super().construct_mapping(node, deep)


def documents(text: str) -> list[dict[str, Any]]:
    return [d for d in yaml.load_all(text, Loader=StrictLoader) if d is not None]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: f"{p.parts[-3]}-{p.stem}")
def test_they_are_valid(path: Path, version: str) -> None:
    for document in documents(path.read_text()):
        if document["apiVersion"] not in OWN:
            continue
        kubernetes_validate.validate(document, version, strict=True)


def test_the_claim_is_the_documents() -> None:
    (claim,) = documents((GOLDEN / "a3-ultra-dranet/kubernetes/all-mrdma-template.yaml").read_text())
    assert claim == {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "all-mrdma"},
        "spec": {
            "spec": {
                "devices": {
                    "requests": [
                        {
                            "name": "req-mrdma",
                            "exactly": {"deviceClassName": "mrdma.google.com", "allocationMode": "All"},
                        }
                    ]
                }
            }
        },
    }


def test_the_test_is_the_documents() -> None:
    found = documents((GOLDEN / "a3-ultra-dranet/kubernetes/nccl-test.yaml").read_text())
    assert [(d["kind"], d["metadata"]["name"]) for d in found] == [
        ("Service", "nccl-host-1"),
        ("Service", "nccl-host-2"),
        ("Pod", "nccl-test-host-1"),
        ("Pod", "nccl-test-host-2"),
    ]
    for number, (service, pod) in enumerate(zip(found[:2], found[2:], strict=True), start=1):
        name = f"nccl-host-{number}"
        assert service["spec"] == {"selector": {"name": name}, "clusterIP": "None"}
        assert pod["metadata"]["labels"] == {"name": name}
        spec, (container,) = pod["spec"], pod["spec"]["containers"]
        assert spec["resourceClaims"] == [{"name": "rdma", "resourceClaimTemplateName": "all-mrdma"}]
        assert container["image"] == images.nccl_test()
        assert container["resources"] == {
            "requests": {"cpu": "150m"},
            "limits": {"nvidia.com/gpu": 8},
            "claims": [{"name": "rdma"}],
        }
        assert {m["name"]: m["mountPath"] for m in container["volumeMounts"]} == {
            "library-dir-host": "/usr/local/nvidia",
            "gib": "/usr/local/gib",
            "shared-memory": "/dev/shm",
        }
        volumes = {v["name"]: v for v in spec["volumes"]}
        assert volumes["library-dir-host"]["hostPath"]["path"] == "/home/kubernetes/bin/nvidia"
        assert volumes["gib"]["hostPath"]["path"] == "/home/kubernetes/bin/gib"
        assert volumes["shared-memory"]["emptyDir"] == {"medium": "Memory", "sizeLimit": "250Gi"}
        assert container["env"] == [{"name": "LD_LIBRARY_PATH", "value": "/usr/local/nvidia/lib64"}]
        assert container["command"] == ["/bin/bash", "-c"]
        assert container["args"][0].splitlines() == [
            "/scripts/container_entry.sh shell",
            "source /usr/local/gib/scripts/set_nccl_env.sh",
            "sleep infinity",
        ]


def test_pods_go_to_the_first_pool_and_bear_its_taints() -> None:
    found = documents((GOLDEN / "a3-ultra-spot-private/kubernetes/nccl-test.yaml").read_text())
    for pod in found[2:]:
        assert pod["spec"]["nodeSelector"] == {"cloud.google.com/gke-nodepool": "spot"}
        assert pod["spec"]["tolerations"] == [
            {"key": "team", "operator": "Equal", "value": "research", "effect": "NoSchedule"}
        ]


def test_with_gpu_dra_nobody_asks_for_gpus(spec_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    pool = {"gpu_driver": "disabled", "labels": {"gke-no-default-nvidia-gpu-device-plugin": "true"}}
    assert run(["manifests", str(spec_file(pool)), "-o", "-"]) == 0
    for document in documents(capsys.readouterr().out):
        if document["kind"] == "Pod":
            (container,) = document["spec"]["containers"]
            assert "limits" not in container["resources"]


def test_printed_they_are_one_stream(spec_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]) -> None:
    work = {"name": "w", "image": "i", "command": "c"}
    assert run(["manifests", str(spec_file(workload=work)), "-o", "-"]) == 0
    printed = documents(capsys.readouterr().out)
    assert [d["kind"] for d in printed] == ["ResourceClaimTemplate", "Service", "Service", "Pod", "Pod", "Pod"]


def test_written_they_are_files_and_nothing_is_overwritten(spec_file: Callable[..., Path]) -> None:
    spec = str(spec_file())
    assert run(["manifests", spec, "-o", "k8s"]) == 0
    assert sorted(p.name for p in Path("k8s").iterdir()) == ["all-mrdma-template.yaml", "nccl-test.yaml"]
    assert run(["manifests", spec, "-o", "k8s"]) == 0
    Path("k8s/nccl-test.yaml").write_text("# mine\n")
    assert run(["manifests", spec, "-o", "k8s"]) == 4
    assert Path("k8s/nccl-test.yaml").read_text() == "# mine\n"
    assert run(["manifests", spec, "-o", "rdma.yaml"]) == 2
