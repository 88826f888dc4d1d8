# Runs without an account: `terraform init`, then `terraform test`. Of the provider only the arguments are real, its answers
# are made up.
mock_provider "google" {
  mock_resource "google_container_cluster" {
    defaults = {
      master_version = "1.34.8-gke.1278000"
    }
  }
}

variables {
  project_id              = "my-project"
  zone                    = "us-central1-b"
  location                = "us-central1-b"
  cluster_name            = "rdma-cluster"
  kubernetes_version      = "1.34"
  default_pool_node_count = 1
  deletion_protection     = true
  network                 = "default"
  subnetwork              = null
  node_count              = 2
}

run "writes_what_rdma_needs" {
  command = plan

  assert {
    condition     = google_container_cluster.cluster.datapath_provider == "ADVANCED_DATAPATH"
    error_message = "The cluster has to have GKE Dataplane V2."
  }

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
    project_id              = "My_Project"
    zone                    = "us-central1"
    location                = "us-central1"
    cluster_name            = "My_Cluster"
    kubernetes_version      = "latest"
    default_pool_node_count = 0
    network                 = "My_Network"
    subnetwork              = "My_Network"
    node_count              = -1
  }

  expect_failures = [
    var.project_id,
    var.zone,
    var.location,
    var.cluster_name,
    var.kubernetes_version,
    var.default_pool_node_count,
    var.network,
    var.subnetwork,
    var.node_count,
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
