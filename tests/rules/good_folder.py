"""A folder that all rules are content with, and ways to change it."""

from __future__ import annotations

from collections.abc import Callable

GOOD = """\
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

provider "google" {
  project = "demo-project"
  region  = "us-central1"
}

variable "text" { type = string }
variable "number" { type = number }
variable "flag" { type = bool }
variable "list" { type = list(string) }
variable "map" { type = map(string) }
variable "hidden" {
  type      = string
  default   = "hush-hush"
  sensitive = true
}

resource "google_container_cluster" "c" {
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 1
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = google_container_cluster.c.id
  node_count = 2

  network_config {
    accelerator_network_profile = "auto"
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
    spot               = true

    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
      gpu_driver_installation_config {
        gpu_driver_version = "LATEST"
      }
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
}
"""

PROFILE = 'accelerator_network_profile = "auto"'
DRANET_LABELS = """    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true"
      "gke.networks.io/accelerator-network-profile" = "auto"
    }
"""
NINE = """additional_node_network_configs {
      network    = "host"
      subnetwork = "host-0"
    }
    dynamic "additional_node_network_configs" {
      for_each = range(8)
      content {
        network    = "rdma"
        subnetwork = "rdma-${additional_node_network_configs.value}"
      }
    }"""
# Edits that turn the folder into one of the manual route.
MANUAL = {
    PROFILE: NINE,
    DRANET_LABELS: "",
    "  datapath_provider   =": "  enable_multi_networking = true\n  datapath_provider   =",
}
# Edits that leave a pool whose cluster is not made here.
NO_CLUSTER = {
    "google_container_cluster.c.id": "var.text",
}

Edits = dict[str, str]
Says = Callable[..., list[str]]


def edited(edits: Edits) -> str:
    """The good folder with texts replaced, each of which has to be there."""
    text = GOOD
    for old, new in edits.items():
        assert old in text, f"not in the text: {old}"
        text = text.replace(old, new)
    return text
