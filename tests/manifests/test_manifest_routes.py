"""The manifests of every route: valid against the published schemas, whole, and fitting together."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import compute_class_rules
import pytest
import yaml
from jsonschema import Draft202012Validator
from kubernetes_validate.utils import all_versions
from manifest_stage import ROUTES, WORKLOADS, Documents, all_of, documents, files_of, pod_templates, spec_of
from packaging.version import Version
from referencing import Registry, Resource

from generator.cli import run

VERSIONS = [v for v in all_versions() if Version(v) >= Version("1.34")]
CASES = [pytest.param(r, w, id=f"{name}-{hosts}") for name, r in ROUTES.items() for hosts, w in WORKLOADS.items()]

# Kinds that are no part of Kubernetes, with the fields that they have to have.
CUSTOM = {
    "ComputeClass": compute_class_rules.COMPUTE_CLASS,
    "GKENetworkParamSet": compute_class_rules.record(
        ("apiVersion", "kind", "metadata", "spec"),
        apiVersion={"const": "networking.gke.io/v1"},
        kind={},
        metadata={},
        spec=compute_class_rules.record(
            ("vpc", "vpcSubnet", "deviceMode"),
            vpc={"type": "string", "minLength": 1},
            vpcSubnet={"type": "string", "minLength": 1},
            deviceMode={"enum": ["NetDevice", "DPDK-VFIO", "RDMA"]},
        ),
    ),
    "Network": compute_class_rules.record(
        ("apiVersion", "kind", "metadata", "spec"),
        apiVersion={"const": "networking.gke.io/v1"},
        kind={},
        metadata={},
        spec=compute_class_rules.record(
            ("type", "parametersRef"),
            type={"const": "Device"},
            parametersRef=compute_class_rules.record(
                ("group", "kind", "name"),
                group={"const": "networking.gke.io"},
                kind={"const": "GKENetworkParamSet"},
                name={"type": "string"},
            ),
        ),
    ),
    "ProvisioningRequest": compute_class_rules.record(
        ("apiVersion", "kind", "metadata", "spec"),
        apiVersion={"const": "autoscaling.x-k8s.io/v1"},
        kind={},
        metadata={},
        spec=compute_class_rules.record(
            ("provisioningClassName", "podSets"),
            provisioningClassName={"const": "queued-provisioning.gke.io"},
            parameters={"type": "object", "additionalProperties": {"type": "string"}},
            podSets={"type": "array", "minItems": 1, "maxItems": 32},
        ),
    ),
}


@cache
def validator(version: str, kind: str, api: str) -> Draft202012Validator:
    """The published schema of a kind, strict: an unknown field is an error."""
    if kind in CUSTOM:
        return Draft202012Validator(CUSTOM[kind])
    folder = files("kubernetes_validate") / f"kubernetes-json-schema/v{version}-local-strict"
    group = api.partition("/")[0].partition(".")[0] + "-" + api.partition("/")[2] if "/" in api else api
    schema = json.loads((folder / f"{kind.lower()}-{group}.json").read_text())
    return Draft202012Validator(schema, registry=registry(version))


@cache
def registry(version: str) -> Registry[Any]:
    folder = files("kubernetes_validate") / f"kubernetes-json-schema/v{version}-local-strict"
    return Resource.from_contents(json.loads((folder / "_definitions.json").read_text())) @ Registry()


def named(found: Documents, kind: str) -> dict[str, dict[str, Any]]:
    return {d["metadata"]["name"]: d for d in found if d["kind"] == kind}


def test_the_newest_schemas_are_there() -> None:
    assert len(VERSIONS) >= 3


@pytest.mark.parametrize(("route", "workload"), CASES)
def test_they_are_valid(route: dict[str, Any], workload: dict[str, Any] | None) -> None:
    for document in all_of(route, workload):
        for version in VERSIONS:
            errors = validator(version, document["kind"], document["apiVersion"]).iter_errors(document)
            assert [f"{version} {error.json_path}: {error.message}" for error in errors] == []


@pytest.mark.parametrize("change", ["spce", "containers"])
def test_the_schemas_see_mistakes(change: str) -> None:
    pod = next(d for d in all_of(ROUTES["dranet"]) if d["kind"] == "Pod")
    if change == "spce":
        pod["spec"]["spce"] = 1
    else:
        pod["spec"]["containers"][0]["env"][0]["value"] = True
    assert list(validator(VERSIONS[-1], "Pod", "v1").iter_errors(pod))


@pytest.mark.parametrize(("route", "workload"), CASES)
def test_what_a_pod_names_is_there(route: dict[str, Any], workload: dict[str, Any] | None) -> None:
    found = all_of(route, workload)
    keys = [(d["kind"], d["metadata"]["name"]) for d in found]
    assert len(keys) == len(set(keys))
    pods = pod_templates(found)
    assert len(pods) == 2 + (workload is not None)
    for _, metadata, spec in pods:
        (container,) = spec["containers"]
        claims = {claim["name"]: claim["resourceClaimTemplateName"] for claim in spec.get("resourceClaims", ())}
        assert {c["name"] for c in container["resources"].get("claims", ())} == set(claims)
        assert set(claims.values()) <= set(named(found, "ResourceClaimTemplate"))
        assert {m["name"] for m in container["volumeMounts"]} == {v["name"] for v in spec["volumes"]}
        annotations = metadata.get("annotations", {})
        if "networking.gke.io/interfaces" in annotations:
            interfaces = json.loads(annotations["networking.gke.io/interfaces"])
            assert {i["network"] for i in interfaces} <= {"default", *named(found, "Network")}
            assert len({i["interfaceName"] for i in interfaces}) == len(interfaces) == 9
            assert annotations["networking.gke.io/default-interface"] == "eth0"
        # Either way brings the NICs, never both and never none.
        assert ("networking.gke.io/interfaces" in annotations) != ("rdma" in claims)
        request = annotations.get("autoscaling.x-k8s.io/consume-provisioning-request")
        assert request is None or request in named(found, "ProvisioningRequest")
    for network in named(found, "Network").values():
        assert network["spec"]["parametersRef"]["name"] in named(found, "GKENetworkParamSet")
    for one in named(found, "ProvisioningRequest").values():
        assert [p["podTemplateRef"]["name"] in named(found, "PodTemplate") for p in one["spec"]["podSets"]] == [True]


@pytest.mark.parametrize(("route", "workload"), CASES)
def test_every_pod_finds_driver_and_libraries(route: dict[str, Any], workload: dict[str, Any] | None) -> None:
    for _, _, spec in pod_templates(all_of(route, workload)):
        (container,) = spec["containers"]
        paths = {v["name"]: v["hostPath"] for v in spec["volumes"] if "hostPath" in v}
        mounts = {m["mountPath"]: m["name"] for m in container["volumeMounts"]}
        assert paths[mounts["/usr/local/nvidia"]] == {"path": "/home/kubernetes/bin/nvidia", "type": "Directory"}
        assert paths[mounts["/usr/local/gib"]] == {"path": "/home/kubernetes/bin/gib", "type": "Directory"}
        (memory,) = [v for v in spec["volumes"] if "emptyDir" in v]
        assert memory["emptyDir"] == {"medium": "Memory", "sizeLimit": "250Gi"}
        assert mounts["/dev/shm"] == memory["name"]
        assert {"name": "LD_LIBRARY_PATH", "value": "/usr/local/nvidia/lib64"} in container["env"]
        assert container["command"] == ["/bin/bash", "-c"]
        assert "source /usr/local/gib/scripts/set_nccl_env.sh" in container["args"][0].splitlines()
        # The installed script knows them; a list written here would grow old.
        assert not [e["name"] for e in container["env"] if e["name"].startswith("NCCL_")]


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_a_job_of_several_hosts(route: dict[str, Any]) -> None:
    found = files_of(route, WORKLOADS["four"])["workload.yaml"]
    job, service = named(found, "Job")["trainer"], named(found, "Service")["trainer"]
    assert job["spec"]["completionMode"] == "Indexed"
    assert job["spec"]["completions"] == job["spec"]["parallelism"] == 4
    assert service["spec"]["clusterIP"] == "None"
    # Kubernetes puts this label on a Job's Pods by itself.
    assert service["spec"]["selector"] == {"batch.kubernetes.io/job-name": job["metadata"]["name"]}
    assert service["spec"]["publishNotReadyAddresses"] is True
    spec = job["spec"]["template"]["spec"]
    assert spec["subdomain"] == service["metadata"]["name"]
    assert "hostname" not in spec
    env = {e["name"]: e.get("value", e.get("valueFrom")) for e in spec["containers"][0]["env"]}
    # The hostname of an Indexed Job's Pod is JOB-INDEX, below its subdomain.
    assert env["MASTER_ADDR"] == f"{job['metadata']['name']}-0.{spec['subdomain']}"
    index = {"fieldRef": {"fieldPath": "metadata.annotations['batch.kubernetes.io/job-completion-index']"}}
    assert (env["NNODES"], env["WORLD_SIZE"], env["NODE_RANK"], env["RANK"]) == ("4", "4", index, index)
    assert env["MASTER_PORT"] == "29500"


def test_one_host_is_a_pod() -> None:
    (pod,) = files_of(ROUTES["dranet"], WORKLOADS["one"])["workload.yaml"]
    assert pod["kind"] == "Pod"
    env = {e["name"]: e["value"] for e in pod["spec"]["containers"][0]["env"]}
    assert (env["MASTER_ADDR"], env["MASTER_PORT"]) == ("localhost", "29500")


def test_the_longest_name_has_room_for_the_index() -> None:
    workload = {"name": "w" * 53, "image": "i", "command": "c", "hosts": 1000}
    job = named(files_of(ROUTES["autopilot"], workload)["workload.yaml"], "Job")["w" * 53]
    assert len(f"{job['metadata']['name']}-{job['spec']['completions'] - 1}") <= 63


@pytest.mark.parametrize(("route", "workload"), CASES)
def test_pods_go_where_nodes_are(route: dict[str, Any], workload: dict[str, Any] | None) -> None:
    spec = spec_of(route, workload)
    pools = {p.name: p for p in spec.node_pools}
    for name, metadata, pod in pod_templates(all_of(route, workload)):
        selector = pod.get("nodeSelector", {})
        if spec.compute_class is not None:
            assert selector == {"cloud.google.com/compute-class": spec.compute_class.name}
            continue
        hosts = 2 if name.startswith("nccl-test") else spec.workload.hosts
        chosen = [pools[selector["cloud.google.com/gke-nodepool"]]] if selector else list(pools.values())
        assert sum(p.autoscaling.max_node_count if p.autoscaling else p.node_count for p in chosen) >= hosts
        annotated = "networking.gke.io/interfaces" in metadata.get("annotations", {})
        assert {p.networking for p in chosen} == {"multi-network" if annotated else "dranet"}
        tolerated = {(t["key"], t.get("value")) for t in pod.get("tolerations", ())}
        assert {(t.key, t.value) for p in chosen for t in p.taints} <= tolerated
        if any(p.queued_provisioning for p in chosen):
            assert ("cloud.google.com/gke-queued", "true") in tolerated


@pytest.mark.parametrize("name", ["gpu-dra", "own-device-plugin", "multi-network-gpu-dra"])
def test_without_the_device_plugin_nobody_asks_it_for_gpus(name: str) -> None:
    found = all_of(ROUTES[name], WORKLOADS["four"])
    for _, _, spec in pod_templates(found):
        assert "limits" not in spec["containers"][0]["resources"]
        # The toleration that Kubernetes adds only for Pods that ask for nvidia.com/gpu.
        assert {"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"} in spec["tolerations"]
    assert ("all-gpus" in named(found, "ResourceClaimTemplate")) == (name != "own-device-plugin")


def test_with_the_device_plugin_all_gpus_are_asked_for() -> None:
    for name, route in ROUTES.items():
        if name not in ("gpu-dra", "multi-network-gpu-dra", "own-device-plugin"):
            for _, _, spec in pod_templates(all_of(route, WORKLOADS["one"])):
                assert spec["containers"][0]["resources"]["limits"] == {"nvidia.com/gpu": 8}


@pytest.mark.parametrize(
    ("name", "prefixes"), [("multi-network", ("train-gvnic", "train-rdma")), ("multi-network-existing", ("g", "r"))]
)
def test_networks_of_the_manual_route(name: str, prefixes: tuple[str, str]) -> None:
    files_found = files_of(ROUTES[name])
    assert "all-mrdma-template.yaml" not in files_found
    found = files_found["multi-network.yaml"]
    gvnic, rdma = prefixes
    names = ["gvnic-1", *(f"rdma-{rail}" for rail in range(8))]
    assert sorted(named(found, "Network")) == names
    sets = named(found, "GKENetworkParamSet")
    assert sets["gvnic-1"]["spec"] == {"vpc": f"{gvnic}-net", "vpcSubnet": f"{gvnic}-sub", "deviceMode": "NetDevice"}
    for rail in range(8):
        assert sets[f"rdma-{rail}"]["spec"] == {
            "vpc": f"{rdma}-net",
            "vpcSubnet": f"{rdma}-sub-{rail}",
            "deviceMode": "RDMA",
        }
    for _, metadata, _ in pod_templates(files_found["nccl-test.yaml"]):
        assert json.loads(metadata["annotations"]["networking.gke.io/interfaces"]) == [
            {"interfaceName": "eth0", "network": "default"},
            *({"interfaceName": f"eth{rail + 2}", "network": f"rdma-{rail}"} for rail in range(8)),
        ]


@pytest.mark.parametrize(("name", "seconds"), [("queued", "604800"), ("queued-for-an-hour", "3600")])
def test_queued_nodes_are_asked_for(name: str, seconds: str) -> None:
    found = all_of(ROUTES[name], WORKLOADS["four"])
    requests = named(found, "ProvisioningRequest")
    assert {n: r["spec"]["podSets"][0]["count"] for n, r in requests.items()} == {"nccl-test-hosts": 2, "trainer": 4}
    for name_, request in requests.items():
        assert request["spec"]["parameters"] == {"maxRunDurationSeconds": seconds}
        template = named(found, "PodTemplate")[name_]["template"]["spec"]
        pod = next(s for n, m, s in pod_templates(found) if name_ in m["annotations"].values())
        assert template["nodeSelector"] == pod["nodeSelector"]
        assert template["tolerations"] == pod["tolerations"]
        assert template["containers"][0]["resources"]["limits"] == pod["containers"][0]["resources"]["limits"]


def test_files_come_in_the_order_in_which_they_are_applied() -> None:
    assert list(files_of(ROUTES["class-in-an-existing-cluster"], WORKLOADS["one"])) == [
        "all-mrdma-template.yaml",
        "compute-class.yaml",
        "multi-network.yaml",
        "nccl-test.yaml",
        "workload.yaml",
    ]


@pytest.mark.parametrize("name", ROUTES)
def test_printed_they_are_the_same_documents(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = ROUTES[name] | {"workload": WORKLOADS["four"]}
    Path("rdma.yaml").write_text(yaml.safe_dump(data), encoding="utf-8")
    assert run(["manifests", "rdma.yaml", "-o", "-"]) == 0
    assert documents(capsys.readouterr().out) == all_of(ROUTES[name], WORKLOADS["four"])
    assert run(["manifests", "rdma.yaml", "-o", "kubernetes", "--quiet"]) == 0
    written = {path.name: documents(path.read_text(encoding="utf-8")) for path in Path("kubernetes").iterdir()}
    assert written == files_of(ROUTES[name], WORKLOADS["four"])
    # kubectl applies the files of a folder in the order of their names.
    assert sorted(written) == list(files_of(ROUTES[name], WORKLOADS["four"]))
