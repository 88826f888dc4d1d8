# Runs without an account: `terraform init`, then `terraform test`. Of the provider only the arguments are real, its answers
# are made up.
mock_provider "google" {
  mock_data "google_container_cluster" {
    defaults = {
      master_version          = "1.34.8-gke.1278000"
      datapath_provider       = "ADVANCED_DATAPATH"
      enable_multi_networking = true
    }
  }
}

variables {
  project_id   = "my-project"
  zone         = "europe-west1-b"
  location     = "europe-west1"
  cluster_name = "production"
  node_count   = 2
  reservation  = "my-reservation"
}

run "writes_what_rdma_needs" {
  command = plan

  assert {
    condition     = google_container_node_pool.rdma_pool.node_config[0].gpudirect_strategy == "RDMA"
    error_message = "The pool rdma-pool has to ask for the automated RDMA NCCL installer."
  }

  assert {
    condition     = google_container_node_pool.rdma_pool.node_config[0].ephemeral_storage_local_ssd_config[0].local_ssd_count == 32
    error_message = "The pool rdma-pool has to write all local SSDs of its machines."
  }

  assert {
    condition     = google_container_node_pool.rdma_pool.network_config[0].accelerator_network_profile == "auto"
    error_message = "GKE has to make the networks of the pool rdma-pool."
  }
}

run "refuses_wrong_values" {
  command = plan

  variables {
    project_id   = "My_Project"
    zone         = "us-central1"
    location     = "us-central1-b"
    cluster_name = "My_Cluster"
    node_count   = -1
    reservation  = "projects/other-project/my-reservation"
  }

  expect_failures = [
    var.project_id,
    var.zone,
    var.location,
    var.cluster_name,
    var.node_count,
    var.reservation,
  ]
}

run "refuses_a_zone_elsewhere" {
  command = plan

  variables {
    zone = "europe-west4-a"
  }

  expect_failures = [data.google_container_cluster.cluster]
}

run "refuses_an_old_cluster" {
  command = plan

  override_data {
    target = data.google_container_cluster.cluster
    values = {
      master_version = "1.33.1-gke.1000000"
    }
  }

  expect_failures = [
    google_container_node_pool.rdma_pool,
  ]
}

run "refuses_a_cluster_without_dataplane_v2" {
  command = plan

  override_data {
    target = data.google_container_cluster.cluster
    values = {
      datapath_provider = "LEGACY_DATAPATH"
    }
  }

  expect_failures = [
    google_container_node_pool.rdma_pool,
  ]
}
