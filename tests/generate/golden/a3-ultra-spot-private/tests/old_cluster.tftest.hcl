# A cluster that is too old for the automated RDMA NCCL installer. Runs without an account, as the other tests do.
mock_provider "google" {
  mock_resource "google_container_cluster" {
    defaults = {
      master_version = "1.33.1-gke.1000000"
    }
  }
}

variables {
  project_id              = "my-project"
  zone                    = "us-east4-b"
  location                = "us-east4"
  cluster_name            = "burst"
  default_pool_node_count = 1
  deletion_protection     = true
  network                 = "projects/host-project/global/networks/shared"
  subnetwork              = "projects/host-project/regions/us-east4/subnetworks/gke"
  min_node_count_spot     = 0
  max_node_count_spot     = 8
  node_count_fixed        = 2
}

# The cluster stays, with its old version.
run "refuses_an_old_cluster" {
  expect_failures = [
    google_container_node_pool.spot,
    google_container_node_pool.fixed,
  ]
}
