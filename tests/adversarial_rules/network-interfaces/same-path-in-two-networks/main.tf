# A path means one subnetwork whatever stands beside it.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
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
      network    = "rdma-net"
      subnetwork = "projects/p/regions/us-central1/subnetworks/s"
    }
    additional_node_network_configs {
      network    = "rdma-net"
      subnetwork = "rdma-sub-1"
    }
    additional_node_network_configs {
      network    = "rdma-net"
      subnetwork = "rdma-sub-2"
    }
    additional_node_network_configs {
      network    = "rdma-net"
      subnetwork = "rdma-sub-3"
    }
    additional_node_network_configs {
      network    = "rdma-net"
      subnetwork = "rdma-sub-4"
    }
    additional_node_network_configs {
      network    = "rdma-net"
      subnetwork = "rdma-sub-5"
    }
    additional_node_network_configs {
      network    = "rdma-net"
      subnetwork = "rdma-sub-6"
    }
    additional_node_network_configs {
      network    = "other"
      subnetwork = "projects/p/regions/us-central1/subnetworks/s" # want: network-interfaces error
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
