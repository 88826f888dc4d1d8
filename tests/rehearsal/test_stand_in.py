"""The stand-in provider under the real Terraform core."""

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

output "endpoint" {
  value = "https://${google_container_cluster.c.endpoint}"
}
"""
POOL, CLUSTER = "google_container_node_pool.p", "google_container_cluster.c"


@pytest.fixture(scope="module")
def base(core):
    assert {c.word for c in core.run(BASE).values()} == {"create"}
    return BASE


def test_the_second_plan_is_empty(core, base):
    core.run(base)
    assert core.plan() == {}


def test_an_update_in_place_is_applied_once(core, base):
    changes = core.run(base.replace("node_count = 3\n\n", "node_count = 4\n\n"))
    assert {a: c.word for a, c in changes.items()} == {POOL: "update"}
    assert changes[POOL].paths == ("node_count",)
    assert core.plan() == {}


def test_a_replacement_names_its_paths(core, base):
    core.write(base.replace("local_ssd_count  = 32", "local_ssd_count  = 16"))
    (change,) = core.plan().values()
    assert (change.word, change.reason) == ("replace", "replace_because_cannot_update")
    assert change.replace_paths == ("node_config[0].ephemeral_storage_local_ssd_config[0].local_ssd_count",)


def test_a_replaced_cluster_replaces_a_pool_that_refers_to_its_id(core, base):
    core.write(base.replace("ADVANCED_DATAPATH", "LEGACY_DATAPATH"))
    changes = core.plan()
    assert {a: (c.word, c.replace_paths) for a, c in changes.items()} == {
        CLUSTER: ("replace", ("datapath_provider",)),
        POOL: ("replace", ("cluster",)),
    }


def test_a_replaced_cluster_takes_pools_that_know_its_name_with_it(core, base):
    named = base.replace("google_container_cluster.c.id", "google_container_cluster.c.name")
    core.run(named)
    changes = core.run(named.replace("ADVANCED_DATAPATH", "LEGACY_DATAPATH"))
    assert {a: c.word for a, c in changes.items()} == {CLUSTER: "replace"}
    assert {a: c.word for a, c in core.plan().items()} == {POOL: "create"}
    core.apply()
    core.run(base)
    assert core.plan() == {}


def test_gpudirect_strategy_on_an_existing_pool_changes_nothing_for_ever(core, base):
    core.run(base.replace('    gpudirect_strategy = "RDMA"\n', "").replace('"rdma-pool"', '"other-pool"'))
    changed = base.replace('"rdma-pool"', '"other-pool"')
    for _ in range(2):
        changes = core.run(changed)
        assert {a: (c.word, c.paths) for a, c in changes.items()} == {
            POOL: ("update", ("node_config[0].gpudirect_strategy",))
        }
    changes = core.plan(replace=(POOL,))
    assert changes[POOL].reason == "replace_by_request"
    core.apply()
    assert core.plan() == {}
    core.run(base)


def test_only_timeouts_are_no_change(core, base):
    core.run(base)
    core.write(base.replace('create = "2h"', 'create = "3h"'))
    assert core.plan() == {}


def test_unknown_values_and_dynamic_blocks_reach_the_provider(core, base):
    core.run(base)
    more = """
    resource "terraform_data" "n" {
      input = ["a", "b"]
    }
    resource "google_compute_network" "n" {
      name                    = "n"
      auto_create_subnetworks = false
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
    output "found" {
      value = [
        data.google_client_config.me.project,
        data.google_compute_zones.z.names[0],
        data.google_project.p.number,
        data.google_container_engine_versions.v.latest_node_version,
      ]
    }
    """
    changes = core.run(base + more)
    assert {c.word for c in changes.values()} == {"create"} and len(changes) == 5
    assert core.plan() == {}
    found = core.data["planned_values"]["outputs"]["found"]["value"]
    assert found[:2] == ["my-project", "us-central1-a"] and found[3] == "1.34.8-gke.1278000"
    core.run(base)
    assert core.plan() == {}


def test_what_is_looked_up_is_there(core, base):
    text = (
        base
        + """
    data "google_container_cluster" "there" {
      name     = "there"
      location = "us-central1"
    }
    data "google_compute_network" "shared" {
      name = "shared"
    }
    resource "google_container_node_pool" "second" {
      name     = "second"
      cluster  = data.google_container_cluster.there.id
      location = data.google_container_cluster.there.location
    }
    output "network" {
      value = data.google_compute_network.shared.self_link
    }
    """
    )
    changes = core.run(text)
    assert {a: c.word for a, c in changes.items()} == {"google_container_node_pool.second": "create"}
    assert core.plan() == {}
    assert core.data["planned_values"]["outputs"]["network"]["value"].endswith("/my-project/global/networks/shared")
    core.run(base)


def test_each_provider_block_is_configured_for_itself(core, base):
    text = (
        base
        + """
    resource "google_compute_network" "here" {
      name = "aliased"
    }
    resource "google_compute_network" "there" {
      provider = google.other
      name     = "aliased"
    }
    output "ids" {
      value = [google_compute_network.here.id, google_compute_network.there.id]
    }
    """
    )
    core.run(text)
    core.plan()
    ids = core.data["planned_values"]["outputs"]["ids"]["value"]
    assert [i.split("/")[1] for i in ids] == ["my-project", "other-project"]
    core.run(base)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('create = "2h"', 'create = "2h"\n    made_up = 1', "Unsupported argument"),
        (
            "count = 8",
            'count = 8\n      gpu_driver_installation_config {\n        gpu_driver_version = "latest"\n      }',
            "to be one of",
        ),
        ("local_ssd_count  = 32", "", "Missing required argument"),
        ("  cluster    = google_container_cluster.c.id\n", "", "Missing required argument"),
    ],
)
def test_validate_refuses(core, base, old, new, message):
    assert old in base
    core.write(base.replace(old, new))
    with pytest.raises(UserErrors) as caught:
        core.terraform.validate()
    assert any(message in e.message and e.line for e in caught.value.errors)


def test_destroy_stops_at_protection_and_else_leaves_nothing(core, base):
    core.run(base.replace("deletion_protection = false", "deletion_protection = true"))
    core.plan(destroy=True)
    with pytest.raises(UserErrors, match="deletion_protection is set to true"):
        core.apply()
    core.run(base)
    assert {c.word for c in core.plan(destroy=True).values()} == {"destroy"}
    core.apply()
    assert core.plan(destroy=True) == {}
