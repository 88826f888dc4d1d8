# How a folder of your own calls this module.
terraform {
  required_version = ">= 1.7.0"
}

provider "google" {
  project = "my-project"
  region  = "us-central1"
  zone    = "us-central1-b"
}

module "gke_rdma" {
  source = "../.."

  project_id   = "my-project"
  zone         = "us-central1-b"
  location     = "us-central1"
  cluster_name = "rdma-cluster"
}

output "get_credentials_command" {
  description = "Command that lets kubectl reach the cluster."
  value       = module.gke_rdma.get_credentials_command
}
