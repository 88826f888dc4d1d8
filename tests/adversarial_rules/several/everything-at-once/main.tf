# Every fault of a pool has its own place.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.0" # want: provider-version error
    }
  }
}

resource "google_container_cluster" "c" { # want: dataplane-v2 error
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 1
  deletion_protection = false
  min_master_version  = "1.33" # want: gke-version warning
}

resource "google_container_node_pool" "gpu" {
  name               = "gpu"
  cluster            = google_container_cluster.c.id
  location           = "us-central1-c" # want: pool-location error
  node_count         = 2
  initial_node_count = 2 # want: initial-node-count error
  network_config {
    accelerator_network_profile = "auto"
  }
  node_config { # want: local-ssd error; dranet-label error; network-profile-label warning
    machine_type       = "a4-highgpu-8g"
    gpudirect_strategy = "rdma" # want: gpudirect-strategy error
    guest_accelerator {
      type  = "nvidia-h200-141gb" # want: accelerator error
      count = 8
    }
    labels     = { team = "ml" }
    disk_type  = "pd-ssd" # want: boot-disk error
    image_type = "COS"    # want: image-type error
  }
}
