# The call passes another configuration.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

provider "google" {
  project = "p"
  region  = "us-central1"
  zone    = "us-central1-b"
}

provider "google" {
  alias = "z"
  zone  = "us-central1-b"
}

module "gpu" {
  source    = "./gpu"
  providers = { google = google.z }
}
