# A cluster that is too old for the automated RDMA NCCL installer. Runs without an account, as the other tests do.
mock_provider "google" {
  mock_resource "google_container_cluster" {
    defaults = {
      master_version = "1.35.1-gke.1000000"
    }
  }
}

variables {
  project_id          = "my-project"
  zone                = "us-central1-b"
  location            = "us-central1"
  cluster_name        = "rdma-cluster"
  kubernetes_version  = "1.36" # Any patch of it
  deletion_protection = true
  network             = "default"
  subnetwork          = null
}

# The cluster stays, with its old version, for the next run.
run "refuses_an_old_cluster" {
  expect_failures = [
    output.cluster_name,
  ]
}

run "lets_it_be_raised" {
  command = plan

  variables {
    kubernetes_version = "1.36.2-gke.1368000"
  }

  assert {
    condition     = google_container_cluster.cluster.min_master_version == "1.36.2-gke.1368000"
    error_message = "The cluster has to be raised to the version that is asked for."
  }
}
