# An A3 Ultra node pool for a cluster that another configuration made.
terraform {
  required_version = ">= 1.7.0"
}

provider "google" {
  project = "team-project"
  region  = "us-central1"
}

module "gke_rdma" {
  source = "../../../modules/existing-cluster-pool"

  project_id     = "team-project"
  cluster_name   = "platform"
  location       = "us-central1"
  zone           = "us-central1-b"
  max_node_count = 8
}

output "get_credentials_command" {
  description = "Command that lets kubectl reach the cluster."
  value       = module.gke_rdma.get_credentials_command
}
