# Another network may be small.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

resource "google_compute_network" "g" {
  name                    = "g"
  auto_create_subnetworks = false
  mtu                     = 1460
}

resource "google_compute_network" "r" {
  name                    = "r"
  auto_create_subnetworks = false
  network_profile         = "projects/p/global/networkProfiles/us-central1-b-vpc-roce"
}
