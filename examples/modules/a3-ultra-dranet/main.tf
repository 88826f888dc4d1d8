# An A3 Ultra cluster over DRANET for a team, smaller than the module's own default, that may be destroyed.
terraform {
  required_version = ">= 1.7.0"
}

provider "google" {
  project = "team-project"
  region  = "us-central1"
}

module "gke_rdma" {
  source = "../../../modules/a3-ultra-dranet"

  project_id          = "team-project"
  cluster_name        = "team"
  location            = "us-central1-b"
  zone                = "us-central1-b"
  node_count          = 4
  deletion_protection = false
}

output "get_credentials_command" {
  description = "Command that lets kubectl reach the cluster."
  value       = module.gke_rdma.get_credentials_command
}
