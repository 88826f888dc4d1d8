# The same subnetwork by reference.
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

resource "google_compute_subnetwork" "g" {
  name          = "g"
  network       = google_compute_network.g.id
  ip_cidr_range = "10.0.0.0/24"
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
    additional_node_network_configs {
      network    = google_compute_network.g.id
      subnetwork = google_compute_subnetwork.g.id
    }
    additional_node_network_configs {
      network    = google_compute_network.r.id
      subnetwork = google_compute_subnetwork.r[0].id
    }
    additional_node_network_configs {
      network    = google_compute_network.r.id
      subnetwork = google_compute_subnetwork.r[1].id
    }
    additional_node_network_configs {
      network    = google_compute_network.r.id
      subnetwork = google_compute_subnetwork.r[2].id
    }
    additional_node_network_configs {
      network    = google_compute_network.r.id
      subnetwork = google_compute_subnetwork.r[3].id
    }
    additional_node_network_configs {
      network    = google_compute_network.r.id
      subnetwork = google_compute_subnetwork.r[4].id
    }
    additional_node_network_configs {
      network    = google_compute_network.r.id
      subnetwork = google_compute_subnetwork.r[5].id
    }
    additional_node_network_configs {
      network    = google_compute_network.r.id
      subnetwork = google_compute_subnetwork.r[6].id
    }
    additional_node_network_configs {
      network    = google_compute_network.r.id
      subnetwork = google_compute_subnetwork.r[0].id # want: network-interfaces error
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
