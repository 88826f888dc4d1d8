"""Makes tests/terraform/plans/*.json: plans of Terraform's real core with the stand-in provider.

    python tests/terraform/make_plans.py [NAME...]

Each case is a configuration that is applied, then another one that is planned; what is stored of a plan is what checks read.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.terraform import binary
from generator.terraform.driver import PlanArguments, Terraform
from generator.terraform.environment import child_environment
from generator.terraform.signals import Signals

PLANS = Path(__file__).with_name("plans")
# What no check asks for: it repeats the rest, or names this machine's time.
_LEFT_OUT = ("planned_values", "timestamp", "relevant_attributes", "checks")


def cluster(name: str = "main", protected: bool = False, **arguments: str) -> str:
    written = {
        "name": f'"{name}"',
        "location": '"us-central1-b"',
        "initial_node_count": "1",
        "min_master_version": '"1.34.8-gke.1278000"',
        "datapath_provider": '"ADVANCED_DATAPATH"',
        "deletion_protection": str(protected).lower(),
    } | arguments
    return _block(f'resource "google_container_cluster" "{name}"', written)


def pool(label: str = "gpu", of: str = "google_container_cluster.main.name", inner: str = "", **arguments: str) -> str:
    written = {"name": f'"{label}"', "cluster": of, "location": '"us-central1-b"', "node_count": "2"} | arguments
    return _block(f'resource "google_container_node_pool" "{label}"', written, inner or NODE_CONFIG + NETWORK)


def _block(header: str, written: dict[str, str], inner: str = "") -> str:
    lines = "".join(f"  {name} = {value}\n" for name, value in written.items() if value)
    return f"{header} {{\n{lines}{inner}}}\n"


NETWORK = '  network_config {\n    accelerator_network_profile = "auto"\n  }\n'
NODE_CONFIG = """
  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
    }
    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }
    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }
"""
WITHOUT_STRATEGY = NODE_CONFIG.replace('    gpudirect_strategy = "RDMA"\n', "")
MANUAL = NODE_CONFIG[: NODE_CONFIG.index("    labels")] + "  }\n"


def inline(node_config: str) -> str:
    cpu = '  node_pool {\n    name       = "cpu"\n    node_count = 1\n  }\n'
    gpu = f'  node_pool {{\n    name       = "gpu"\n    node_count = 2\n{NETWORK}{node_config}  }}\n'
    made = cluster(initial_node_count="")
    return made[:-2] + cpu + gpu + "}\n"


def networks(profile: str) -> str:
    entries = "".join(
        "    additional_node_network_configs {\n"
        f'      network    = "{"gvnic" if n == 0 else "rdma"}"\n      subnetwork = "sub-{n}"\n    }}\n'
        for n in range(9)
    )
    network = (
        'resource "google_compute_network" "rdma" {\n  name                    = "rdma"\n'
        "  auto_create_subnetworks = false\n"
        f'  network_profile         = "projects/my-project/global/networkProfiles/{profile}"\n}}\n'
    )
    wanted = cluster(enable_multi_networking="true")
    return wanted + network + pool(inner=MANUAL + f"  network_config {{\n{entries}  }}\n")


REPLACED = {"default_max_pods_per_node": "64"}
BASE = cluster() + pool()


def many(count: int, keys: str) -> dict[str, str]:
    inner = cluster() + pool(count=str(count))
    call = f'module "site" {{\n  source   = "./site"\n  for_each = toset([{keys}])\n  name     = each.key\n}}\n'
    inner = inner.replace('name = "main"', "name = var.name").replace('name = "gpu"', 'name = "gpu-${count.index}"')
    return {"main.tf": call, "site/main.tf": f'variable "name" {{\n  type = string\n}}\n{inner}'}


def taint(folder: Path) -> None:
    state = json.loads((folder / "terraform.tfstate").read_text())
    for found in state["resources"]:
        if found["type"] == "google_container_node_pool":
            found["instances"][0]["status"] = "tainted"
    state["serial"] += 1
    (folder / "terraform.tfstate").write_text(json.dumps(state))


def forget_state(folder: Path) -> None:
    (folder / "terraform.tfstate").unlink()


def lose_pools(folder: Path) -> None:
    cloud = json.loads((folder.parent / "cloud.json").read_text())
    cloud["google_container_node_pool"] = {}
    (folder.parent / "cloud.json").write_text(json.dumps(cloud))


@dataclass
class Case:
    """One plan.

    Attributes:
        after: what is planned: one file, or several by name.
        before: what was applied; "" for nothing.
        then: done between the two.
        arguments: of the plan.
    """

    after: str | dict[str, str]
    before: str | dict[str, str] = BASE
    then: Callable[[Path], None] | None = None
    arguments: PlanArguments = field(default_factory=PlanArguments)


ID = "projects/my-project/locations/us-central1-b/clusters/main"
CASES = {
    "create": Case(BASE, before=""),
    "empty": Case(BASE),
    "noop-update": Case(BASE, cluster() + pool(inner=WITHOUT_STRATEGY + NETWORK)),
    "noop-update-inline": Case(inline(NODE_CONFIG), inline(WITHOUT_STRATEGY)),
    "replaced-on-request": Case(
        BASE,
        cluster() + pool(inner=WITHOUT_STRATEGY + NETWORK),
        arguments=PlanArguments(replace=("google_container_node_pool.gpu",)),
    ),
    "replacement": Case(
        cluster() + pool(inner=NODE_CONFIG.replace("    labels", "    spot = true\n    labels") + NETWORK)
    ),
    "cluster-by-name": Case(cluster(**REPLACED) + pool()),
    "cluster-by-id": Case(
        cluster(**REPLACED) + pool(of="google_container_cluster.main.id"),
        cluster() + pool(of="google_container_cluster.main.id"),
    ),
    "cluster-by-equal-name": Case(
        cluster(**REPLACED) + pool(of='"main"'),
        cluster() + pool(of='"main"', depends_on="[google_container_cluster.main]"),
    ),
    "network-by-equal-name": Case(networks("us-central1-c-vpc-roce"), networks("us-central1-b-vpc-roce")),
    "destroy": Case(BASE, arguments=PlanArguments(destroy=True)),
    "protected": Case(
        cluster(protected=True) + pool(), cluster(protected=True) + pool(), arguments=PlanArguments(destroy=True)
    ),
    "nodes-recreated": Case(
        cluster()
        + pool(inner=NODE_CONFIG.replace("    labels", '    image_type = "UBUNTU_CONTAINERD"\n    labels') + NETWORK)
    ),
    "pool-shrink": Case(cluster() + pool(node_count="1")),
    "tainted": Case(BASE, then=taint),
    "moved": Case(
        cluster()
        + pool().replace('"google_container_node_pool" "gpu"', '"google_container_node_pool" "other"')
        + "moved {\n  from = google_container_node_pool.gpu\n  to   = google_container_node_pool.other\n}\n"
    ),
    "imported": Case(
        BASE
        + f'import {{\n  to = google_container_cluster.main\n  id = "{ID}"\n}}\n'
        + f'import {{\n  to = google_container_node_pool.gpu\n  id = "{ID}/nodePools/gpu"\n}}\n',
        then=forget_state,
    ),
    "forgotten": Case(
        "".join(
            f"removed {{\n  from = {address}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n"
            for address in ("google_container_cluster.main", "google_container_node_pool.gpu")
        )
    ),
    "drifted": Case(BASE, then=lose_pools),
    "keys": Case(many(1, '"a", "b"'), many(2, '"a", "b"')),
    "modules": Case(many(1, '"a"'), many(1, '"a", "b"')),
}


def make(case: Case) -> dict[str, Any]:
    """The plan of a case, without what no check reads."""
    with tempfile.TemporaryDirectory() as top, Signals(print) as signals:
        folder = Path(top) / "root"
        folder.mkdir()
        command = [sys.executable, str(Path(__file__).with_name("serving.py")), top]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as provider:
            assert provider.stdout is not None and provider.stdin is not None
            base = {"PATH": os.environ["PATH"], "HOME": top, "GOOGLE_PROJECT": "my-project"}
            environment = child_environment(
                base | {"TF_REATTACH_PROVIDERS": provider.stdout.readline().strip()}, workspace=None, say=print
            )
            core = binary.find(None, "embedded", environment=environment, signals=signals)
            terraform = Terraform(core, folder, environment=environment, signals=signals)
            try:
                if case.before:
                    _write(folder, case.before)
                    terraform.init()
                    terraform.plan(Path(top) / "plan", PlanArguments(), _ignore)
                    terraform.apply(Path(top) / "plan", PlanArguments(), _ignore)
                if case.then is not None:
                    case.then(folder)
                _write(folder, case.after)
                terraform.init()
                terraform.plan(Path(top) / "plan", case.arguments, _ignore)
                made = terraform.show(Path(top) / "plan")
            finally:
                provider.stdin.close()
    made.pop("prior_state", None)
    if case.then is not lose_pools:
        # Never empty after an apply, and long; one case of it is enough.
        made.pop("resource_drift", None)
    return {name: value for name, value in made.items() if name not in _LEFT_OUT}


def _write(folder: Path, files: str | dict[str, str]) -> None:
    provider = 'provider "google" {\n  project = "my-project"\n  region  = "us-central1"\n}\n'
    for name, text in ({"main.tf": files} if isinstance(files, str) else files).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(provider * (name == "main.tf") + text)


def _ignore(_event: object) -> None:
    pass


def main() -> None:
    PLANS.mkdir(exist_ok=True)
    for name in sys.argv[1:] or CASES:
        text = json.dumps(make(CASES[name]), separators=(",", ":"), sort_keys=True)
        (PLANS / f"{name}.json").write_text(text + "\n")
        print(f"{name}: {len(text)} bytes")


if __name__ == "__main__":
    main()
