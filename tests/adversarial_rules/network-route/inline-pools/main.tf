# Two pools inside the cluster.
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
  deletion_protection     = false
  min_master_version      = "1.34.8-gke.1278000"
  datapath_provider       = "ADVANCED_DATAPATH"
  enable_multi_networking = true
  node_pool {
    name       = "one"
    node_count = 2
    network_config {
      additional_node_network_configs {
        network    = "gvnic-net"
        subnetwork = "gvnic-sub"
      }
      dynamic "additional_node_network_configs" {
        for_each = range(8)
        content {
          network    = "rdma-net"
          subnetwork = "rdma-sub-${additional_node_network_configs.value}"
        }
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
  node_pool {
    name       = "two"
    node_count = 2
    network_config {
      accelerator_network_profile = "auto" # want: network-route advice
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
      labels = {
        "cloud.google.com/gke-networking-dra-driver"  = "true"
        "gke.networks.io/accelerator-network-profile" = "auto"
      }
    }
  }
}
