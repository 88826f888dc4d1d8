"""Each part of Google's page "Configure GPUDirect RDMA with the automated NCCL installer", and where our output has it.

`PARTS` is the table: a part of the page, and the test that finds it. The snippets are the page's, with its placeholders
filled in.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from document_stage import Spec, documents, files_of, gcloud_calls, tree_of, words

from generator.catalog import gke_version, machines, versions
from generator.catalog import nccl as nccl_facts
from generator.errors import UserErrors
from generator.rules import registry
from generator.view import Absent, Known, Resource

ROOT = Path(__file__).parents[2]

HERE = "tests/source_document/test_source_document.py"
PARTS = {
    # Before you begin
    "prerequisite: GKE version of Standard and Autopilot": f"{HERE}::test_the_version_floors",
    "prerequisite: the version is checked before a pool is made": f"{HERE}::test_the_version_is_checked",
    "prerequisite: gcloud 550.0.0": f"{HERE}::test_the_floor_of_gcloud",
    "prerequisite: a cluster, new or existing": f"{HERE}::test_a_cluster_is_made_or_looked_up",
    "prerequisite: GKE Dataplane V2": f"{HERE}::test_dataplane_v2",
    "prerequisite: networking, one of two routes": f"{HERE}::test_each_route_has_its_networks",
    "prerequisite: quota of 2 VMs, 16 GPUs": f"{HERE}::test_the_quota_is_named",
    # Limits
    "limit: machine types": f"{HERE}::test_only_the_two_machine_types",
    "limit: multi-network API or DRANET in one node pool": f"{HERE}::test_never_both_routes_in_one_pool",
    "limit: Container-Optimized OS": f"{HERE}::test_no_other_node_image",
    # gcloud (Standard)
    "gcloud container node-pools create, Standard, each flag": f"{HERE}::test_the_standard_command",
    # ComputeClass (Autopilot and Standard)
    "ComputeClass": f"{HERE}::test_the_compute_class",
    "nodeSelector cloud.google.com/compute-class": f"{HERE}::test_pods_select_the_compute_class",
    "ComputeClass in Autopilot and in Standard with auto-provisioning": f"{HERE}::test_both_modes_take_the_compute_class",
    # Terraform
    "provider requirement and block": f"{HERE}::test_the_provider_block",
    "google_container_cluster": f"{HERE}::test_the_cluster",
    "google_container_node_pool": f"{HERE}::test_the_node_pool",
    "both labels": f"{HERE}::test_both_labels",
    "SSD block": f"{HERE}::test_the_ssd_block",
    "every argument of the example": "tests/generate/test_golden.py::test_the_first_example_is_the_documents",
    "commands: log in, init, plan, apply": f"{HERE}::test_the_commands_of_terraform",
    # Kubernetes
    "ResourceClaimTemplate all-mrdma": f"{HERE}::test_the_claim_template",
    "NCCL test: Services": f"{HERE}::test_the_services",
    "NCCL test: Pods": f"{HERE}::test_the_pods",
    "kubectl exec run_nccl_tests.sh": f"{HERE}::test_the_nccl_command",
    "workload Pod": f"{HERE}::test_the_workload",
    "kubectl apply of each manifest": f"{HERE}::test_manifests_are_applied",
    # Advanced: multi-network
    "describe check of multi-networking": f"{HERE}::test_the_describe_check",
    "gcloud container node-pools create, multi-network, 9 networks and --scopes": f"{HERE}::test_the_multi_network_command",
    "prefixes of networks that are used again": f"{HERE}::test_networks_are_named_by_prefix",
}

POOL: Spec = {
    "name": "rdma-pool",
    "machine_type": "a3-ultragpu-8g",
    "node_count": 3,
    "networking": "dranet",
    "capacity": {"kind": "none"},
}
EXAMPLE: Spec = {
    "version": 1,
    "name": "example-rdma-tf",
    "project": "my-project",
    "zone": "us-central1-b",
    "cluster": {
        "location": "us-central1-b",
        "version": "1.34.8-gke.1278000",
        "default_pool": {"node_count": 3},
        "deletion_protection": False,
    },
    "node_pools": [POOL],
    "workload": {
        "name": "my-rdma-workload",
        "image": "gcr.io/your-project/your-ai-app:latest",
        "command": "python3 train.py",
    },
}
RESERVED: Spec = EXAMPLE | {
    "cluster": {"location": "us-central1"},
    "node_pools": [
        POOL
        | {
            "machine_type": "a4-highgpu-8g",
            "gpu_driver": "latest",
            "capacity": {"kind": "reservation", "project": "shared-res", "name": "r9", "block": "b1"},
            "upgrade_settings": {"max_surge": 1, "max_unavailable": 0},
        }
    ],
}
AUTOPILOT: Spec = {
    "version": 1,
    "name": "auto",
    "project": "my-project",
    "zone": "us-central1-b",
    "mode": "autopilot",
    "compute_class": {
        "name": "rdma-class",
        "machine_type": "a4-highgpu-8g",
        "capacity": {"kind": "reservation", "name": "r9"},
    },
    "workload": EXAMPLE["workload"],
}
MULTI: Spec = EXAMPLE | {
    "cluster": {"create": False, "location": "us-central1"},
    "node_pools": [
        POOL
        | {
            "networking": "multi-network",
            "networks": {"gvnic_prefix": "a3-gvnic", "rdma_prefix": "a3-rdma"},
            "gpu_driver": "default",
            "capacity": {"kind": "reservation", "name": "r9"},
            "upgrade_settings": {"max_surge": 1, "max_unavailable": 0},
        }
    ],
}

CLUSTER = {
    "name": "example-rdma-tf",
    "location": "us-central1-b",
    "initial_node_count": 3,
    "deletion_protection": False,
    "min_master_version": "1.34.8-gke.1278000",
    "datapath_provider": "ADVANCED_DATAPATH",
}
NODE_POOL = {
    "name": "rdma-pool",
    "location": "us-central1-b",
    "node_count": 3,
    "network_config.accelerator_network_profile": "auto",
    "node_config.machine_type": "a3-ultragpu-8g",
    "node_config.guest_accelerator.type": "nvidia-h200-141gb",
    "node_config.guest_accelerator.count": 8,
    "node_config.gpudirect_strategy": "RDMA",
}
LABELS = {
    "cloud.google.com/gke-networking-dra-driver": "true",
    "gke.networks.io/accelerator-network-profile": "auto",
}
SSD = {
    "node_config.ephemeral_storage_local_ssd_config.data_cache_count": 0,
    "node_config.ephemeral_storage_local_ssd_config.local_ssd_count": 32,
}

STANDARD_COMMAND = """
container node-pools create rdma-pool
--location=us-central1
--cluster=example-rdma-tf
--project=my-project
--node-locations=us-central1-b
--accelerator=type=nvidia-b200,count=8,gpu-driver-version=latest
--machine-type=a4-highgpu-8g
--num-nodes=3
--reservation-affinity=specific
--reservation=projects/shared-res/reservations/r9/reservationBlocks/b1
--accelerator-network-profile=auto
--node-labels=cloud.google.com/gke-networking-dra-driver=true
--gpudirect-strategy=rdma
"""
MULTI_NETWORK_COMMAND = """
container node-pools create rdma-pool
--project=my-project
--location=us-central1
--node-locations=us-central1-b
--cluster=example-rdma-tf
--num-nodes=3
--machine-type=a3-ultragpu-8g
--accelerator=type=nvidia-h200-141gb,count=8,gpu-driver-version=default
--additional-node-network=network=a3-gvnic-net,subnetwork=a3-gvnic-sub
--additional-node-network=network=a3-rdma-net,subnetwork=a3-rdma-sub-0
--additional-node-network=network=a3-rdma-net,subnetwork=a3-rdma-sub-1
--additional-node-network=network=a3-rdma-net,subnetwork=a3-rdma-sub-2
--additional-node-network=network=a3-rdma-net,subnetwork=a3-rdma-sub-3
--additional-node-network=network=a3-rdma-net,subnetwork=a3-rdma-sub-4
--additional-node-network=network=a3-rdma-net,subnetwork=a3-rdma-sub-5
--additional-node-network=network=a3-rdma-net,subnetwork=a3-rdma-sub-6
--additional-node-network=network=a3-rdma-net,subnetwork=a3-rdma-sub-7
--scopes=https://www.googleapis.com/auth/cloud-platform
--reservation-affinity=specific
--reservation=r9
--gpudirect-strategy=rdma
"""
DESCRIBE_CHECK = """
container clusters describe example-rdma-tf
--location=us-central1
--project=my-project
--format=value(networkConfig.enableMultiNetworking)
"""
NCCL_COMMAND = (
    "kubectl exec nccl-test-host-1 -it -- "
    "/usr/local/gib/scripts/run_nccl_tests.sh -t all_gather -b 1K -e 8G nccl-host-1 nccl-host-2"
)

COMPUTE_CLASS = """
apiVersion: cloud.google.com/v1
kind: ComputeClass
metadata:
  name: rdma-class
spec:
  nodePoolConfig:
    dra:
      networking:
        enabled: true
  priorities:
  - gpu:
      type: nvidia-b200
      count: 8
    machineType: a4-highgpu-8g
    reservations:
      affinity: Specific
      specific:
      - name: r9
        zones:
        - us-central1-b
    acceleratorNetworkProfile: auto
    gpuDirect: rdma
  nodePoolAutoCreation:
    enabled: true
"""
CLAIM_TEMPLATE = """
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: all-mrdma
spec:
  spec:
    devices:
      requests:
      - name: req-mrdma
        exactly:
          deviceClassName: mrdma.google.com
          allocationMode: All
"""
SERVICE = """
apiVersion: v1
kind: Service
metadata:
  name: nccl-host-HOST
spec:
  selector:
    name: nccl-host-HOST
  clusterIP: None
"""
POD = """
apiVersion: v1
kind: Pod
metadata:
  name: nccl-test-host-HOST
  labels:
    name: nccl-host-HOST
spec:
  volumes:
    - name: library-dir-host
      hostPath:
        path: /home/kubernetes/bin/nvidia
    - name: gib
      hostPath:
        path: /home/kubernetes/bin/gib
    - name: shared-memory
      emptyDir:
        medium: "Memory"
        sizeLimit: 250Gi
  resourceClaims:
  - name: rdma
    resourceClaimTemplateName: all-mrdma
  containers:
    - image: us-docker.pkg.dev/gce-ai-infra/gpudirect-gib/nccl-plugin-gib-diagnostic:v1.1.2
      name: test
      resources:
        requests:
          cpu: 150m
        limits:
          nvidia.com/gpu: 8
        claims:
        - name: rdma
      volumeMounts:
        - name: library-dir-host
          mountPath: /usr/local/nvidia
        - name: gib
          mountPath: /usr/local/gib
        - name: shared-memory
          mountPath: /dev/shm
      env:
        - name: LD_LIBRARY_PATH
          value: /usr/local/nvidia/lib64
      command: ["/bin/bash", "-c"]
      args:
        - |
          /scripts/container_entry.sh shell
          source /usr/local/gib/scripts/set_nccl_env.sh
          sleep infinity
"""


def gcloud_command(spec: Spec, folder: Path, words_of_command: str) -> list[list[str]]:
    made = spec.get("cluster", {}).get("create", True)
    calls = [words(c) for c in gcloud_calls(files_of(spec)["gcloud/create.sh"], folder, exists=not made)]
    return [call for call in calls if call[: len(words_of_command.split())] == words_of_command.split()]


def snippet(text: str) -> list[str]:
    first, *flags = text.strip().splitlines()
    return [*first.split(), *flags]


def resource(spec: Spec, type_: str, folder: Path) -> Resource:
    (found,) = [r for r in tree_of(files_of(spec), folder).resources if r.type == type_]
    return found


def expect(found: Resource, arguments: dict[str, Any]) -> None:
    for path, value in arguments.items():
        answer = found.get(path)
        assert isinstance(answer, Known), path
        assert answer.value == value, path


def within(part: Any, whole: Any) -> bool:
    """Whether all of a snippet is there; our output may say more."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(k in whole and within(v, whole[k]) for k, v in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(within, part, whole))
    return bool(part == whole)


def test_the_table_names_tests_that_are_there() -> None:
    for part, place in PARTS.items():
        path, _, name = place.partition("::")
        functions = {n.name for n in ast.walk(ast.parse((ROOT / path).read_text())) if isinstance(n, ast.FunctionDef)}
        assert name in functions, part


def test_every_test_here_is_in_the_table() -> None:
    tests = re.findall(r"^def (test_\w+)", (ROOT / HERE).read_text(), re.MULTILINE)
    own = {"test_the_table_names_tests_that_are_there", "test_every_test_here_is_in_the_table"}
    assert set(tests) - own == {p.partition("::")[2] for p in PARTS.values() if p.startswith(HERE)}


def test_the_version_floors() -> None:
    standard, autopilot = versions.floor("installer"), versions.floor("installer", mode="autopilot")
    assert standard is not None and standard.version == "1.34.8-gke.1278000"
    assert autopilot is not None and autopilot.version == "1.36.2-gke.1368000"
    assert gke_version.is_below("1.34.8-gke.1277999", standard.version)


@pytest.mark.parametrize(("spec", "floor"), [(EXAMPLE, "1.34.8-gke.1278000"), (AUTOPILOT, "1.36.2-gke.1368000")])
def test_the_version_is_checked(spec: Spec, floor: str) -> None:
    files = files_of(spec)
    terraform = "".join(text for name, text in files.items() if name.endswith(".tf"))
    assert re.search(r"precondition \{\s+condition += [^\n]*version", terraform)
    assert floor in terraform
    assert f'at_least "$version" {floor}' in files["gcloud/create.sh"]


def test_the_floor_of_gcloud() -> None:
    assert versions.gcloud_floor() == "550.0.0"
    assert 'at_least "${BASH_REMATCH[1]}" 550.0.0' in files_of(EXAMPLE)["gcloud/create.sh"]


def test_a_cluster_is_made_or_looked_up(tmp_path: Path) -> None:
    assert 'resource "google_container_cluster" "cluster"' in files_of(EXAMPLE)["main.tf"]
    assert 'data "google_container_cluster" "cluster"' in files_of(MULTI)["main.tf"]
    assert len(gcloud_command(EXAMPLE, tmp_path, "container clusters create")) == 1
    assert gcloud_command(MULTI, tmp_path, "container clusters create") == []


def test_dataplane_v2(tmp_path: Path) -> None:
    expect(resource(EXAMPLE, "google_container_cluster", tmp_path), {"datapath_provider": "ADVANCED_DATAPATH"})
    (create,) = gcloud_command(EXAMPLE, tmp_path, "container clusters create")
    assert "--enable-dataplane-v2" in create
    # On by default in new Autopilot clusters, and there is no flag for it.
    (create,) = gcloud_command(AUTOPILOT, tmp_path, "container clusters create-auto")
    assert "--enable-dataplane-v2" not in create


def test_each_route_has_its_networks(tmp_path: Path) -> None:
    (dranet,) = gcloud_command(EXAMPLE, tmp_path, "container node-pools create")
    (multi,) = gcloud_command(MULTI, tmp_path, "container node-pools create")
    assert "--accelerator-network-profile=auto" in dranet
    assert not [word for word in dranet if word.startswith("--additional-node-network")]
    assert "--accelerator-network-profile=auto" not in multi
    assert len([word for word in multi if word.startswith("--additional-node-network")]) == 9


def test_the_quota_is_named() -> None:
    files = files_of(EXAMPLE)
    assert "Quota for at least two machines, which is 16 GPUs" in files["README.md"]
    assert "quota for the GPUs (two nodes have 16)" in files["gcloud/create.sh"]


def test_only_the_two_machine_types() -> None:
    assert [m.name for m in machines.served()] == ["a3-ultragpu-8g", "a4-highgpu-8g"]
    with pytest.raises(UserErrors):
        files_of(EXAMPLE | {"node_pools": [POOL | {"machine_type": "a3-megagpu-8g"}]})


def test_never_both_routes_in_one_pool(tmp_path: Path) -> None:
    assert "network-route" in {rule.name for rule in registry.rules()}
    (pod, *_) = [d for d in documents(files_of(MULTI)["kubernetes/nccl-test.yaml"]) if d["kind"] == "Pod"]
    assert "resourceClaims" not in pod["spec"]
    pool = resource(MULTI, "google_container_node_pool", tmp_path)
    assert isinstance(pool.get("network_config.accelerator_network_profile"), Absent)


@pytest.mark.parametrize("spec", [EXAMPLE, RESERVED, MULTI])
def test_no_other_node_image(spec: Spec, tmp_path: Path) -> None:
    # GKE's default is Container-Optimized OS.
    assert isinstance(resource(spec, "google_container_node_pool", tmp_path).get("node_config.image_type"), Absent)
    assert "--image-type" not in files_of(spec)["gcloud/create.sh"]


def test_the_standard_command(tmp_path: Path) -> None:
    (found,) = gcloud_command(RESERVED, tmp_path, "container node-pools create")
    surge = ["--max-surge-upgrade=1", "--max-unavailable-upgrade=0"]
    assert sorted(found) == sorted([*snippet(STANDARD_COMMAND), *surge])


def test_the_compute_class() -> None:
    assert documents(files_of(AUTOPILOT)["kubernetes/compute-class.yaml"]) == documents(COMPUTE_CLASS)


def test_pods_select_the_compute_class() -> None:
    files = files_of(AUTOPILOT)
    found = documents(files["kubernetes/nccl-test.yaml"]) + documents(files["kubernetes/workload.yaml"])
    selectors = [d["spec"]["nodeSelector"] for d in found if d["kind"] == "Pod"]
    assert selectors == [{"cloud.google.com/compute-class": "rdma-class"}] * 3


def test_both_modes_take_the_compute_class() -> None:
    limits = {"max_cpu": 1000, "max_memory_gb": 20000, "max_gpus": 16}
    standard = {k: v for k, v in AUTOPILOT.items() if k != "mode"} | {"cluster": {"node_auto_provisioning": limits}}
    for spec in (AUTOPILOT, standard):
        assert "compute-class.yaml" in "".join(files_of(spec))


def test_the_provider_block(tmp_path: Path) -> None:
    files = files_of(EXAMPLE)
    assert re.search(r'google = \{\s+source += "hashicorp/google"\s+version += ">= 7\.34\.0', files["versions.tf"])
    assert re.search(r"""provider "google" \{\s+project += .*\s+region += .*\s+zone +=""", files["providers.tf"])
    assert re.search(r'^project_id += "my-project"$', files["terraform.tfvars"], re.MULTILINE)
    assert re.search(r'^zone += "us-central1-b"$', files["terraform.tfvars"], re.MULTILINE)


def test_the_cluster(tmp_path: Path) -> None:
    expect(resource(EXAMPLE, "google_container_cluster", tmp_path), CLUSTER)


def test_the_node_pool(tmp_path: Path) -> None:
    expect(resource(EXAMPLE, "google_container_node_pool", tmp_path), NODE_POOL)


def test_both_labels(tmp_path: Path) -> None:
    expect(resource(EXAMPLE, "google_container_node_pool", tmp_path), {"node_config.labels": LABELS})


def test_the_ssd_block(tmp_path: Path) -> None:
    expect(resource(EXAMPLE, "google_container_node_pool", tmp_path), SSD)


def test_the_commands_of_terraform() -> None:
    readme = files_of(EXAMPLE)["README.md"]
    for command in (
        "gcloud auth application-default login",
        "terraform init",
        "terraform plan -out=tfplan",
        "terraform apply tfplan",
    ):
        assert command in readme


@pytest.mark.parametrize("spec", [EXAMPLE, RESERVED, AUTOPILOT])
def test_the_claim_template(spec: Spec) -> None:
    assert documents(files_of(spec)["kubernetes/all-mrdma-template.yaml"]) == documents(CLAIM_TEMPLATE)


def test_the_services() -> None:
    found = [d for d in documents(files_of(EXAMPLE)["kubernetes/nccl-test.yaml"]) if d["kind"] == "Service"]
    assert found == [d for host in "12" for d in documents(SERVICE.replace("HOST", host))]


def test_the_pods() -> None:
    found = [d for d in documents(files_of(EXAMPLE)["kubernetes/nccl-test.yaml"]) if d["kind"] == "Pod"]
    wanted = [d for host in "12" for d in documents(POD.replace("HOST", host))]
    assert len(found) == 2 and all(map(within, wanted, found))
    # One thing more: a node without driver or libraries fails the Pod, instead of hiding the image's own files.
    for pod in found:
        for volume in pod["spec"]["volumes"]:
            assert volume.get("hostPath", {}).pop("type", "Directory") == "Directory"
    assert found == wanted


@pytest.mark.parametrize("spec", [EXAMPLE, MULTI, AUTOPILOT])
def test_the_nccl_command(spec: Spec) -> None:
    files = files_of(spec)
    assert NCCL_COMMAND.endswith(" ".join(nccl_facts.command()))
    assert NCCL_COMMAND in files["README.md"]
    assert NCCL_COMMAND in files["gcloud/create.sh"]


def test_the_workload() -> None:
    (pod,) = documents(files_of(EXAMPLE)["kubernetes/workload.yaml"])
    assert (pod["apiVersion"], pod["kind"], pod["metadata"]) == ("v1", "Pod", {"name": "my-rdma-workload"})
    spec, (container,) = pod["spec"], pod["spec"]["containers"]
    (test,) = documents(POD)
    assert spec["restartPolicy"] == "OnFailure"
    assert within(test["spec"]["volumes"], spec["volumes"])
    assert [c["resourceClaimTemplateName"] for c in spec["resourceClaims"]] == ["all-mrdma"]
    assert container["image"] == "gcr.io/your-project/your-ai-app:latest"
    assert container["command"] == ["/bin/bash", "-c"]
    assert container["args"] == ["source /usr/local/gib/scripts/set_nccl_env.sh\npython3 train.py"]
    assert container["resources"]["limits"] == {"nvidia.com/gpu": 8}
    assert [c["name"] for c in container["resources"]["claims"]] == [c["name"] for c in spec["resourceClaims"]]
    assert container["volumeMounts"] == test["spec"]["containers"][0]["volumeMounts"]
    env = {e["name"]: e["value"] for e in container["env"]}
    assert env["LD_LIBRARY_PATH"] == "/usr/local/nvidia/lib64"
    assert env["MASTER_PORT"] == "29500"
    # The page's example names a host of the NCCL test, which does not resolve; one Pod is its own master.
    assert env["MASTER_ADDR"] == "localhost"


def test_manifests_are_applied() -> None:
    for spec in (EXAMPLE, AUTOPILOT):
        files = files_of(spec)
        script = files["gcloud/create.sh"]
        for name in (n for n in files if n.startswith("kubernetes/")):
            later = name.endswith(("nccl-test.yaml", "workload.yaml"))
            assert (
                f"kubectl apply -f {name}" if later else f"# {name}\nkubectl apply -f - <<'YAML'\n{files[name]}"
            ) in script


def test_the_describe_check(tmp_path: Path) -> None:
    found = gcloud_command(MULTI, tmp_path, "container clusters describe")
    assert snippet(DESCRIBE_CHECK) in found


def test_the_multi_network_command(tmp_path: Path) -> None:
    (found,) = gcloud_command(MULTI, tmp_path, "container node-pools create")
    surge = ["--max-surge-upgrade=1", "--max-unavailable-upgrade=0"]
    assert sorted(found) == sorted([*snippet(MULTI_NETWORK_COMMAND), *surge])
    networks = [word for word in found if word.startswith("--additional-node-network")]
    assert networks == [word for word in snippet(MULTI_NETWORK_COMMAND) if word in networks]


def test_networks_are_named_by_prefix() -> None:
    main, variables = files_of(MULTI)["network.tf"], files_of(MULTI)["terraform.tfvars"]
    assert "a3-gvnic" in variables and "a3-rdma" in variables
    for name in (
        "gvnic_network_prefix}-net",
        "gvnic_network_prefix}-sub",
        "rdma_network_prefix}-net",
        "rdma_network_prefix}-sub-",
    ):
        assert name in main
