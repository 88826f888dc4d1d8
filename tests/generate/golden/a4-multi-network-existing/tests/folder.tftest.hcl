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
  project_id           = "my-project"
  zone                 = "europe-west4-b"
  location             = "europe-west4"
  cluster_name         = "production"
  gvnic_network_prefix = "a4-gvnic"
  rdma_network_prefix  = "a4-rdma"
  min_node_count       = 0
  max_node_count       = 4
}

run "writes_what_rdma_needs" {
  command = plan

  assert {
    condition     = google_container_node_pool.a4_pool.node_config[0].gpudirect_strategy == "RDMA"
    error_message = "The pool a4-pool has to ask for the automated RDMA NCCL installer."
  }

  assert {
    condition     = google_container_node_pool.a4_pool.node_config[0].ephemeral_storage_local_ssd_config[0].local_ssd_count == 32
    error_message = "The pool a4-pool has to write all local SSDs of its machines."
  }

  assert {
    condition     = length(google_container_node_pool.a4_pool.network_config[0].additional_node_network_configs) == 9
    error_message = "The pool a4-pool has to have a network for each NIC but the first."
  }
}

run "refuses_wrong_values" {
  command = plan

  variables {
    project_id           = "My_Project"
    zone                 = "us-central1"
    location             = "us-central1-b"
    cluster_name         = "My_Cluster"
    gvnic_network_prefix = "My_Network"
    rdma_network_prefix  = "My_Network"
    min_node_count       = -1
    max_node_count       = 0
  }

  expect_failures = [
    var.project_id,
    var.zone,
    var.location,
    var.cluster_name,
    var.gvnic_network_prefix,
    var.rdma_network_prefix,
    var.min_node_count,
    var.max_node_count,
  ]
}

run "refuses_a_zone_elsewhere" {
  command = plan

  variables {
    zone = "us-central1-a"
  }

  expect_failures = [data.google_container_cluster.cluster]
}

run "refuses_limits_the_wrong_way_round_1" {
  command = plan

  variables {
    min_node_count = 3
    max_node_count = 2
  }

  expect_failures = [google_container_node_pool.a4_pool]
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
    google_container_node_pool.a4_pool,
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
    google_container_node_pool.a4_pool,
  ]
}
