# Nothing of ours is concerned.
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
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"
  node_pool {
    name       = "cpu"
    node_count = 1
  }
}

resource "google_container_node_pool" "x" {
  name       = "x"
  cluster    = google_container_cluster.c.id
  node_count = 2
  node_config {
    machine_type = "e2-medium"
  }
}
