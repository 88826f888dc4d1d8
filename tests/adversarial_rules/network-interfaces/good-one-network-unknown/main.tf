# A network that is not known may be another one.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}
variable "network" {
  type = string
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
      network    = "gvnic-net"
      subnetwork = "gvnic-sub"
    }
    additional_node_network_configs {
      network    = "rdma-0"
      subnetwork = "sub"
    }
    additional_node_network_configs {
      network    = "rdma-1"
      subnetwork = "sub"
    }
    additional_node_network_configs {
      network    = "rdma-2"
      subnetwork = "sub"
    }
    additional_node_network_configs {
      network    = "rdma-3"
      subnetwork = "sub"
    }
    additional_node_network_configs {
      network    = "rdma-4"
      subnetwork = "sub"
    }
    additional_node_network_configs {
      network    = "rdma-5"
      subnetwork = "sub"
    }
    additional_node_network_configs {
      network    = "rdma-6"
      subnetwork = "sub"
    }
    additional_node_network_configs {
      network    = var.network
      subnetwork = "sub"
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
