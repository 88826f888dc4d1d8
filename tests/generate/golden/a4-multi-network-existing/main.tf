locals {
  # GKE versions are compared as numbers, never as text: 1.34.10 is newer than 1.34.8. The four numbers of a version, with
  # ten digits each, make one number. What is no full version makes 0, and one that is not known yet stays unknown.
  version_numbers = {
    for name, version in {
      real  = data.google_container_cluster.cluster.master_version
      floor = "1.34.8-gke.1278000"
    } : name => try(tonumber(join("", formatlist("%010d", regex("^([0-9]+)[.]([0-9]+)[.]([0-9]+)-gke[.]([0-9]+)", version)))), 0)
  }
}

# The cluster exists and is only looked up.
data "google_container_cluster" "cluster" {
  name     = var.cluster_name
  project  = var.project_id
  location = var.location

  lifecycle {
    precondition {
      condition     = startswith(var.zone, "${var.location}-")
      error_message = "The zone ${var.zone} does not lie in the cluster's location ${var.location}."
    }
  }
}

resource "google_container_node_pool" "a4_pool" {
  name           = "a4-pool"
  project        = var.project_id
  cluster        = data.google_container_cluster.cluster.id # gke-rdma: ignore[unknown-value] the cluster exists, and the preconditions below judge it
  location       = data.google_container_cluster.cluster.location
  node_locations = [var.zone] # Exactly one zone: the networks of the RDMA NICs belong to it

  autoscaling {
    min_node_count = var.min_node_count
    max_node_count = var.max_node_count
  }

  network_config {
    # The second gVNIC of each node comes first, then one subnetwork for each RDMA NIC.
    additional_node_network_configs {
      network    = data.google_compute_network.gvnic.name
      subnetwork = data.google_compute_subnetwork.gvnic.name
    }

    dynamic "additional_node_network_configs" {
      for_each = range(8)

      content {
        network    = data.google_compute_network.rdma.name
        subnetwork = data.google_compute_subnetwork.rdma[additional_node_network_configs.value].name
      }
    }
  }

  node_config {
    machine_type       = "a4-highgpu-8g"
    gpudirect_strategy = "RDMA" # The automated RDMA NCCL installer; it counts when the pool is created, never later
    spot               = true
    oauth_scopes       = ["https://www.googleapis.com/auth/cloud-platform"]

    guest_accelerator {
      type  = "nvidia-b200"
      count = 8
    }

    # The machine type brings these disks; unwritten, every plan would replace the pool
    # (https://github.com/hashicorp/terraform-provider-google/issues/17068).
    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }
  }

  timeouts {
    create = "2h"
    update = "4h"
    delete = "2h"
  }

  lifecycle {
    precondition {
      condition     = local.version_numbers.real >= local.version_numbers.floor
      error_message = "The cluster runs GKE ${data.google_container_cluster.cluster.master_version}; the automated RDMA NCCL installer needs 1.34.8-gke.1278000 or later."
    }

    precondition {
      condition     = data.google_container_cluster.cluster.datapath_provider == "ADVANCED_DATAPATH"
      error_message = "The cluster does not have GKE Dataplane V2, which RDMA needs and which cannot be turned on later."
    }

    precondition {
      condition     = data.google_container_cluster.cluster.enable_multi_networking
      error_message = "The cluster does not have multi-networking, through which Pods reach the RDMA NICs here."
    }

    precondition {
      condition     = var.min_node_count <= var.max_node_count
      error_message = "min_node_count is above max_node_count."
    }
  }
}
