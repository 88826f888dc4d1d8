# An Autopilot cluster; apply the module's kubernetes/compute-class.yaml to it.
terraform {
  required_version = ">= 1.7.0"
}

provider "google" {
  project = "team-project"
  region  = "us-central1"
}

module "gke_rdma" {
  source = "../../../modules/autopilot-compute-class"

  project_id   = "team-project"
  cluster_name = "team"
  location     = "us-central1"
  zone         = "us-central1-b"
}

output "get_credentials_command" {
  description = "Command that lets kubectl reach the cluster."
  value       = module.gke_rdma.get_credentials_command
}
