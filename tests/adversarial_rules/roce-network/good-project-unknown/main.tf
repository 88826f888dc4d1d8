# The project is not known, the form is; nothing is said.
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

resource "google_compute_network" "r" {
  name                    = "r"
  auto_create_subnetworks = false
  network_profile         = "projects/${var.project}/global/networkProfiles/us-central1-b-vpc-roce"
}
