"""The stand-in provider under the real Terraform core."""

import json

import pytest

from generator.errors import UserErrors

pytestmark = pytest.mark.terraform

BASE = """
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

provider "google" {
  alias   = "other"
  project = "other-project"
  region  = "europe-west4"
}

resource "google_container_cluster" "c" {
  name                = "gpu"
  location            = "us-central1-b"
  initial_node_count  = 3
  deletion_protection = false
  min_master_version  = "1.34"
  datapath_provider   = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "p" {
  name       = "rdma-pool"
  cluster    = google_container_cluster.c.id
  location   = google_container_cluster.c.location
  node_count = 3

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type = "a3-ultragpu-8g"
    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
    }
    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }
    gpudirect_strategy = "RDMA"
    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
  }

  timeouts {
    create = "2h"
  }
}

# It knows its cluster by name alone, and was made without gpudirect_strategy.
resource "google_container_node_pool" "named" {
  name       = "second-pool"
  cluster    = google_container_cluster.c.name
  location   = google_container_cluster.c.location
  node_count = 1

  node_config {
    machine_type = "a3-ultragpu-8g"
  }
}

resource "terraform_data" "n" {
  input = ["a", "b"]
}

resource "google_compute_network" "n" {
  name                    = "n"
  auto_create_subnetworks = false
}

resource "google_compute_network" "other" {
  provider = google.other
  name     = "n"
}

resource "google_compute_subnetwork" "s" {
  count         = 2
  name          = "${google_compute_network.n.name}-${count.index}"
  network       = google_compute_network.n.id
  ip_cidr_range = cidrsubnet("10.0.0.0/16", 8, count.index)
  region        = "us-central1"
  description   = terraform_data.n.output[0]
}

resource "google_compute_firewall" "f" {
  name    = "f"
  network = google_compute_network.n.self_link
  dynamic "allow" {
    for_each = terraform_data.n.output
    content {
      protocol = allow.value == "a" ? "tcp" : "udp"
      ports    = ["1-2"]
    }
  }
  source_ranges = google_compute_subnetwork.s[*].ip_cidr_range
}

data "google_client_config" "me" {}

data "google_compute_zones" "z" {
  region = "us-central1"
}

data "google_project" "p" {}

data "google_container_engine_versions" "v" {
  location       = "us-central1-b"
  version_prefix = "1.34."
}

data "google_container_cluster" "there" {
  name     = "there"
  location = "us-central1"
}

data "google_compute_network" "shared" {
  name = "shared"
}

resource "google_container_node_pool" "there" {
  name     = "second"
  cluster  = data.google_container_cluster.there.id
  location = data.google_container_cluster.there.location
}

output "found" {
  value = [
    data.google_client_config.me.project,
    data.google_compute_zones.z.names[0],
    data.google_container_engine_versions.v.latest_node_version,
    google_compute_network.n.id,
    google_compute_network.other.id,
    data.google_compute_network.shared.self_link,
    data.google_project.p.number,
  ]
}
"""
POOL, CLUSTER = "google_container_node_pool.p", "google_container_cluster.c"
NAMED = "google_container_node_pool.named"


@pytest.fixture(scope="module")
def base(core):
    """What stands there in every test; none may change it."""
    assert {c.word for c in core.run(BASE).values()} == {"create"}
    yield BASE
    core.write(BASE)
    assert {c.word for c in core.plan(destroy=True).values()} == {"destroy"}
    core.apply()
    left = json.loads((core.provider / "cloud.json").read_text())
    assert sorted(o["name"] for objects in left.values() for o in objects.values()) == [
        "default-pool",
        "shared",
        "there",
    ]


def test_the_second_plan_is_empty_and_values_are_known(core, base):
    core.write(base)
    assert core.plan() == {}
    *found, number = core.data["planned_values"]["outputs"]["found"]["value"]
    assert found == [
        "my-project",
        "us-central1-a",
        "1.34.8-gke.1278000",
        "projects/my-project/global/networks/n",
        "projects/other-project/global/networks/n",
        "https://www.googleapis.com/compute/v1/projects/my-project/global/networks/shared",
    ]
    assert number.isdecimal()


def test_a_replacement_names_its_paths(core, base):
    core.write(base.replace("local_ssd_count  = 32", "local_ssd_count  = 16"))
    (change,) = core.plan().values()
    assert (change.word, change.reason) == ("replace", "replace_because_cannot_update")
    assert change.replace_paths == ("node_config[0].ephemeral_storage_local_ssd_config[0].local_ssd_count",)


def test_only_a_pool_that_refers_to_its_clusters_id_is_replaced_with_it(core, base):
    core.write(base.replace("ADVANCED_DATAPATH", "LEGACY_DATAPATH"))
    changes = core.plan()
    assert {a: (c.word, c.replace_paths) for a, c in changes.items()} == {
        CLUSTER: ("replace", ("datapath_provider",)),
        POOL: ("replace", ("cluster",)),
    }


def test_a_reference_by_id_instead_of_name_replaces_the_pool(core, base):
    core.write(base.replace("google_container_cluster.c.name", "google_container_cluster.c.id"))
    changes = core.plan()
    assert {a: (c.word, c.replace_paths) for a, c in changes.items()} == {NAMED: ("replace", ("cluster",))}


def test_gpudirect_strategy_on_an_existing_pool_changes_nothing_for_ever(core, base):
    machine = 'machine_type = "a3-ultragpu-8g"\n  }'
    core.write(base.replace(machine, machine.replace("\n", '\n    gpudirect_strategy = "RDMA"\n')))
    core.plan()
    core.apply()
    assert {a: (c.word, c.paths) for a, c in core.plan().items()} == {
        NAMED: ("update", ("node_config[0].gpudirect_strategy",))
    }
    assert core.plan(replace=(NAMED,))[NAMED].reason == "replace_by_request"


def test_what_is_no_part_of_a_resource_is_no_change(core, base):
    core.write(base.replace('create = "2h"', 'create = "3h"'))
    assert core.plan() == {}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('create = "2h"', 'create = "2h"\n    made_up = 1', "Unsupported argument"),
        (
            "count = 8",
            'count = 8\n      gpu_driver_installation_config {\n        gpu_driver_version = "latest"\n      }',
            "to be one of",
        ),
    ],
)
def test_validate_refuses(core, base, old, new, message):
    assert old in base
    core.write(base.replace(old, new))
    with pytest.raises(UserErrors) as caught:
        core.terraform.validate()
    assert any(message in e.message and e.line for e in caught.value.errors)
