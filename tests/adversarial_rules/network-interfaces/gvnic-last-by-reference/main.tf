# Order by reference.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

resource "google_compute_network" "g" {
  name                    = "g"
  auto_create_subnetworks = false
}

resource "google_compute_network" "r" {
  name                    = "r"
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "r" {
  count         = 8
  name          = "r-${count.index}"
  network       = google_compute_network.r.id
  ip_cidr_range = "10.1.${count.index}.0/24"
}

resource "google_container_cluster" "c" {
  name                    = "c"
  location                = "us-central1-b"
  initial_node_count      = 1
  deletion_protection     = false
  min_master_version      = "1.34.8-gke.1278000"
  datapath_provider       = "ADVANCED_DATAPATH"
  enable_multi_networking = true
}

resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = google_container_cluster.c.id
  node_count = 2
  network_config {
    dynamic "additional_node_network_configs" {
      for_each = google_compute_subnetwork.r
      content {
        network    = google_compute_network.r.id # want: network-interfaces error
        subnetwork = additional_node_network_configs.value.id
      }
    }
    additional_node_network_configs {
      network    = google_compute_network.g.id
      subnetwork = "g"
    }
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
  }
}
