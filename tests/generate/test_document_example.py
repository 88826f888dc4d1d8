"""Each part of Google's page "Configure GPUDirect RDMA using the automated NCCL installer", found in what is generated.

A row names the part, a generated file, and what has to be in it, in this order.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GOLDEN = Path(__file__).parent / "golden"

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
RUN_TEST = "/usr/local/gib/scripts/run_nccl_tests.sh -t all_gather -b 1K -e 8G nccl-host-1 nccl-host-2"
ZONAL, REGIONAL = "a3-ultra-dranet", "a4-reservation"
MOUNTS = (
    "resourceClaimTemplateName: all-mrdma",
    "source /usr/local/gib/scripts/set_nccl_env.sh",
    "nvidia.com/gpu: 8",
    "LD_LIBRARY_PATH",
    "/usr/local/nvidia/lib64",
)

TABLE: list[tuple[str, str, tuple[str, ...]]] = [
    ("provider", f"{ZONAL}/versions.tf", ('source  = "hashicorp/google"', 'version = ">= 7.34.0"')),
    ("provider block", f"{ZONAL}/providers.tf", ('provider "google"', "project =", "region  =", "zone    =")),
    (
        "cluster",
        f"{ZONAL}/main.tf",
        ('resource "google_container_cluster"', "min_master_version", '"ADVANCED_DATAPATH"', "initial_node_count"),
    ),
    ("cluster version", f"{ZONAL}/terraform.tfvars", ('kubernetes_version      = "1.34.8-gke.1278000"',)),
    (
        "node pool",
        f"{ZONAL}/main.tf",
        (
            'resource "google_container_node_pool" "rdma_pool"',
            'accelerator_network_profile = "auto"',
            'machine_type       = "a3-ultragpu-8g"',
            'gpudirect_strategy = "RDMA"',
            'type  = "nvidia-h200-141gb"',
            "count = 8",
        ),
    ),
    ("local SSD", f"{ZONAL}/main.tf", ("local_ssd_count  = 32", "data_cache_count = 0")),
    (
        "both labels",
        f"{ZONAL}/main.tf",
        (
            '"cloud.google.com/gke-networking-dra-driver"  = "true"',
            '"gke.networks.io/accelerator-network-profile" = "auto"',
        ),
    ),
    ("login and init", f"{ZONAL}/README.md", ("gcloud auth application-default login", "terraform init")),
    ("plan and apply", f"{ZONAL}/README.md", ("terraform plan -out=tfplan", "terraform apply tfplan")),
    (
        "gcloud, Standard",
        f"{REGIONAL}/gcloud/create.sh",
        (
            "gcloud container node-pools create a4-pool",
            "--location=europe-west4",
            "--cluster=trainer",
            "--project=my-project",
            "--node-locations=europe-west4-b",
            "--accelerator type=nvidia-b200,count=8,gpu-driver-version=latest",
            "--machine-type=a4-highgpu-8g",
            "--num-nodes=4",
            "--reservation-affinity=specific",
            "--reservation=projects/shared-res/reservations/r9/reservationBlocks/b1",
            "--accelerator-network-profile=auto",
            "--node-labels=cloud.google.com/gke-networking-dra-driver=true",
            "--gpudirect-strategy=rdma",
        ),
    ),
    (
        "ComputeClass",
        "a4-autopilot/kubernetes/compute-class.yaml",
        (
            "apiVersion: cloud.google.com/v1",
            "kind: ComputeClass",
            "enabled: true",
            "type: nvidia-b200",
            "count: 8",
            "machineType: a4-highgpu-8g",
            "affinity: Specific",
            "acceleratorNetworkProfile:",
            "gpuDirect: rdma",
            "nodePoolAutoCreation:",
        ),
    ),
    (
        "selector of the ComputeClass",
        "a4-autopilot/kubernetes/nccl-test.yaml",
        ("nodeSelector:", "cloud.google.com/compute-class:"),
    ),
    (
        "ResourceClaimTemplate",
        f"{ZONAL}/kubernetes/all-mrdma-template.yaml",
        (
            "apiVersion: resource.k8s.io/v1",
            "kind: ResourceClaimTemplate",
            "name: all-mrdma",
            "deviceClassName: mrdma.google.com",
            "allocationMode: All",
        ),
    ),
    (
        "NCCL Services",
        f"{ZONAL}/kubernetes/nccl-test.yaml",
        (
            "kind: Service",
            "name: nccl-host-1",
            "clusterIP: None",
            "kind: Service",
            "name: nccl-host-2",
            "clusterIP: None",
        ),
    ),
    (
        "NCCL Pods",
        f"{ZONAL}/kubernetes/nccl-test.yaml",
        (
            "name: nccl-test-host-1",
            "/home/kubernetes/bin/nvidia",
            "/home/kubernetes/bin/gib",
            "250Gi",
            "nccl-plugin-gib-diagnostic:v1.1.2",
            "/scripts/container_entry.sh shell",
            "name: nccl-test-host-2",
        ),
    ),
    ("run the test", f"{ZONAL}/README.md", (f"kubectl exec nccl-test-host-1 -it -- {RUN_TEST}",)),
    ("workload Pod", f"{REGIONAL}/kubernetes/workload.yaml", ("kind: Pod", *MOUNTS[:1])),
    *(
        ("claims, mounts and environment", f"{REGIONAL}/kubernetes/workload.yaml", (part,))
        for part in (*MOUNTS, "MASTER_ADDR", "MASTER_PORT", "/usr/local/gib", "/dev/shm")
    ),
    (
        "describe check",
        "a4-multi-network-existing/gcloud/create.sh",
        ("clusters describe production", "value(networkConfig.enableMultiNetworking)"),
    ),
    ("multi-networking", "a4-multi-network-existing/main.tf", ("enable_multi_networking",)),
    (
        "gcloud, multi-network",
        "a4-multi-network-existing/gcloud/create.sh",
        (
            "gcloud container node-pools create",
            f"--scopes {SCOPE}",
            "--additional-node-network network=a4-gvnic-net,subnetwork=a4-gvnic-sub",
            *(f"--additional-node-network network=a4-rdma-net,subnetwork=a4-rdma-sub-{rail}" for rail in range(8)),
            "--gpudirect-strategy=rdma",
        ),
    ),
    ("prerequisite: GKE, Standard", f"{ZONAL}/README.md", ("GKE 1.34.8-gke.1278000 or later",)),
    ("prerequisite: GKE, Autopilot", "a4-autopilot/README.md", ("GKE 1.36.2-gke.1368000 or later",)),
    ("prerequisite: gcloud", f"{ZONAL}/README.md", ("Google Cloud CLI 550.0.0 or later",)),
    ("prerequisite: Dataplane V2", "a3-ultra-existing-cluster/main.tf", ('datapath_provider == "ADVANCED_DATAPATH"',)),
    ("prerequisite: quota", f"{ZONAL}/README.md", ("at least two machines, which is 16 GPUs",)),
]


@pytest.mark.parametrize(("part", "name", "wanted"), TABLE, ids=[f"{row[0]}-{n}" for n, row in enumerate(TABLE)])
def test_a_part_of_the_page_is_generated(part: str, name: str, wanted: tuple[str, ...]) -> None:
    text = (GOLDEN / name).read_text()
    at = 0
    for piece in wanted:
        found = text.find(piece, at)
        assert found >= 0, f"{part}: {piece} is not in {name}, or out of order"
        at = found + len(piece)


def test_both_ways_to_attach_exclude_each_other() -> None:
    for path in GOLDEN.glob("*/main.tf"):
        for block in re.split(r"^resource ", path.read_text(), flags=re.MULTILINE):
            assert not ("additional_node_network_configs" in block and "accelerator_network_profile" in block), path
            assert not ("additional_node_network_configs" in block and "gke-networking-dra-driver" in block), path


def test_only_container_optimized_os() -> None:
    assert not [p for p in GOLDEN.glob("*/main.tf") if re.search(r"^\s*image_type", p.read_text(), re.MULTILINE)]
