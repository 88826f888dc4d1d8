# A TPU pool with a profile needs it too.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

resource "google_container_cluster" "c" { # want: dataplane-v2 error
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 1
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
}

resource "google_container_node_pool" "gpu" {
  name       = "gpu"
  cluster    = google_container_cluster.c.id
  node_count = 2
  network_config {
    accelerator_network_profile = "auto"
  }
  node_config {
    machine_type = "ct6e-standard-4t"
  }
}
