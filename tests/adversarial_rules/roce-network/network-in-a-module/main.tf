# The network comes out of a module that takes the zone.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}
module "net" {
  source = "./net"
  zone   = "europe-west4-b"
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
      network    = module.net.id
      subnetwork = "r-0"
    }
    additional_node_network_configs {
      network    = module.net.id
      subnetwork = "r-1"
    }
    additional_node_network_configs {
      network    = module.net.id
      subnetwork = "r-2"
    }
    additional_node_network_configs {
      network    = module.net.id
      subnetwork = "r-3"
    }
    additional_node_network_configs {
      network    = module.net.id
      subnetwork = "r-4"
    }
    additional_node_network_configs {
      network    = module.net.id
      subnetwork = "r-5"
    }
    additional_node_network_configs {
      network    = module.net.id
      subnetwork = "r-6"
    }
    additional_node_network_configs {
      network    = module.net.id
      subnetwork = "r-7"
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
