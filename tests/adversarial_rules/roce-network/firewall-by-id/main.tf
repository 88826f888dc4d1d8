# A firewall rule on it, named by id.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

resource "google_compute_network" "r" {
  name                    = "r"
  auto_create_subnetworks = false
  network_profile         = "projects/p/global/networkProfiles/us-central1-b-vpc-roce"
}

resource "google_compute_firewall" "f" {
  name    = "f"
  network = google_compute_network.r.id # want: roce-network error
  allow {
    protocol = "tcp"
  }
  source_ranges = ["10.0.0.0/8"]
}
