# In the cluster's own node_config.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

resource "google_container_cluster" "c" {
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 1
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"
  node_config { # want: local-ssd error
    machine_type = "a3-ultragpu-8g"
    guest_accelerator {
      type  = "nvidia-h200-141gb"
      count = 8
    }
  }
}
