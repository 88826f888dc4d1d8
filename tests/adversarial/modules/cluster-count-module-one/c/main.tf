terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

resource "google_container_cluster" "c" {
  name               = "c"
  location           = "us-central1-b"
  initial_node_count = 1
  min_master_version = "1.34.8-gke.1278000"
  datapath_provider  = "LEGACY_DATAPATH"  # want: dataplane-v2 error
}

output "name" {
  value = google_container_cluster.c.name
}
