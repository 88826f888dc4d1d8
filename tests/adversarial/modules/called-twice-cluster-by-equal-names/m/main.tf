terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

variable "project" {
  type = string
}

resource "google_container_cluster" "c" {
  name               = "fab"
  project            = var.project
  location           = "us-central1-b"
  initial_node_count = 1
  min_master_version = "1.34.8-gke.1278000"
  datapath_provider  = "ADVANCED_DATAPATH"
  enable_multi_networking = false  # want: multi-networking error
}

resource "google_container_node_pool" "p" {
  name     = "p"
  cluster  = "fab"
  location = "us-central1-b"
  node_count = 2

  network_config {
    additional_node_network_configs {
      network    = "gvnic"
      subnetwork = "gvnic-0"
    }
    additional_node_network_configs {
      network    = "roce"
      subnetwork = "roce-0"
    }
    additional_node_network_configs {
      network    = "roce"
      subnetwork = "roce-1"
    }
    additional_node_network_configs {
      network    = "roce"
      subnetwork = "roce-2"
    }
    additional_node_network_configs {
      network    = "roce"
      subnetwork = "roce-3"
    }
    additional_node_network_configs {
      network    = "roce"
      subnetwork = "roce-4"
    }
    additional_node_network_configs {
      network    = "roce"
      subnetwork = "roce-5"
    }
    additional_node_network_configs {
      network    = "roce"
      subnetwork = "roce-6"
    }
    additional_node_network_configs {
      network    = "roce"
      subnetwork = "roce-7"
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
