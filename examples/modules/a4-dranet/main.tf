# A regional A4 cluster over DRANET from a reservation of the platform team.
terraform {
  required_version = ">= 1.7.0"
}

provider "google" {
  project = "team-project"
  region  = "us-central1"
}

module "gke_rdma" {
  source = "../../../modules/a4-dranet"

  project_id   = "team-project"
  cluster_name = "team"
  location     = "us-central1"
  zone         = "us-central1-b"
  node_count   = 8
  reservation  = "projects/platform/reservations/a4/reservationBlocks/block-1"
}

output "get_credentials_command" {
  description = "Command that lets kubectl reach the cluster."
  value       = module.gke_rdma.get_credentials_command
}
