# Runs without an account: `terraform init`, then `terraform test`. Of the provider only the arguments are real, its answers
# are made up.
mock_provider "google" {
  mock_resource "google_container_cluster" {
    defaults = {
      master_version = "1.36.2-gke.1368000"
    }
  }
}

variables {
  project_id          = "my-project"
  zone                = "us-central1-b"
  location            = "us-central1"
  cluster_name        = "rdma-cluster"
  kubernetes_version  = "1.36"
  deletion_protection = true
  network             = "default"
  subnetwork          = null
}

run "writes_what_rdma_needs" {
  command = plan

  assert {
    condition     = google_container_cluster.cluster.enable_autopilot
    error_message = "The cluster has to be an Autopilot cluster."
  }
}

run "refuses_wrong_values" {
  command = plan

  variables {
    project_id         = "My_Project"
    zone               = "us-central1"
    location           = "us-central1-b"
    cluster_name       = "My_Cluster"
    kubernetes_version = "latest"
    network            = "My_Network"
    subnetwork         = "My_Network"
  }

  expect_failures = [
    var.project_id,
    var.zone,
    var.location,
    var.cluster_name,
    var.kubernetes_version,
    var.network,
    var.subnetwork,
  ]
}

run "refuses_a_zone_elsewhere" {
  command = plan

  variables {
    zone = "europe-west4-a"
  }

  expect_failures = [google_container_cluster.cluster]
}

run "makes_all_of_it_with_a_new_cluster" {
  assert {
    condition     = output.cluster_name == var.cluster_name
    error_message = "The output has to name the cluster."
  }
}
