terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

variable "k" { type = map(string) }
resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  min_master_version = "1.34.8-gke.1278000"
  datapath_provider  = "ADVANCED_DATAPATH"
}

resource "google_container_node_pool" "p" {
  name     = "p"
  cluster  = google_container_cluster.c.id
  location = "us-central1-b"
  node_count = 2

  network_config {
    accelerator_network_profile = "auto"
  }

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
    labels = merge({
      "cloud.google.com/gke-networking-dra-driver" = "false"
    }, var.k)
  }
}
