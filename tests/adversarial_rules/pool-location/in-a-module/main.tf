# The provider's default reaches into a module.
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

module "gpu" {
  source = "./gpu"
}
