# A regional A3 Ultra cluster on networks of its own. Names and ranges part it from other clusters of the project.
terraform {
  required_version = ">= 1.7.0"
}

provider "google" {
  project = "team-project"
  region  = "us-central1"
}

module "gke_rdma" {
  source = "../../../modules/a3-ultra-multi-network"

  project_id           = "team-project"
  cluster_name         = "team"
  location             = "us-central1"
  zone                 = "us-central1-b"
  node_count           = 4
  gvnic_network_prefix = "team-gvnic"
  rdma_network_prefix  = "team-rdma"
  gvnic_cidr           = "172.24.0.0/18"
  rdma_cidr            = "172.24.64.0/18"
}

output "get_credentials_command" {
  description = "Command that lets kubectl reach the cluster."
  value       = module.gke_rdma.get_credentials_command
}
