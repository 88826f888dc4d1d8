# The zones come from the call.
terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}
module "gpu" {
  source = "./gpu"
  zones  = ["us-central1-a", "us-central1-b"]
}
