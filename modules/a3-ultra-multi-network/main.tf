locals {
  # GKE versions are compared as numbers, never as text: 1.34.10 is newer than 1.34.8. The four numbers of a version, with
  # ten digits each, make one number. What is no full version makes 0, and one that is not known yet stays unknown.
  version_numbers = {
    for name, version in {
      asked = var.kubernetes_version
      real  = google_container_cluster.cluster.master_version
      floor = "1.34.8-gke.1278000"
    } : name => try(tonumber(join("", formatlist("%010d", regex("^([0-9]+)[.]([0-9]+)[.]([0-9]+)-gke[.]([0-9]+)", version)))), 0)
  }
}

resource "google_container_cluster" "cluster" {
  name     = var.cluster_name
  project  = var.project_id
  location = var.location

  min_master_version      = var.kubernetes_version      # A new cluster begins with it; the floor is checked on each pool below
  datapath_provider       = "ADVANCED_DATAPATH"         # GKE Dataplane V2, which RDMA needs; it cannot be turned on later
  enable_multi_networking = true                        # Pods reach the RDMA NICs through networks of their own
  initial_node_count      = var.default_pool_node_count # CPU nodes per zone in the default pool
  deletion_protection     = var.deletion_protection

  network    = var.network
  subnetwork = var.subnetwork

  workload_identity_config {
    workload_pool = "${var.project_id}.svc.id.goog"
  }

  timeouts {
    create = "2h"
    update = "4h"
    delete = "2h"
  }

  lifecycle {
    # Another number here would replace the cluster and give all GPUs back, so it counts at creation only.
    ignore_changes = [initial_node_count]

    precondition {
      condition     = startswith(var.zone, "${var.location}-")
      error_message = "The zone ${var.zone} does not lie in the cluster's location ${var.location}."
    }
  }
}

resource "google_container_node_pool" "rdma_pool" {
  name           = "rdma-pool"
  project        = var.project_id
  cluster        = google_container_cluster.cluster.id # By ID, so that a plan that replaces the cluster shows this pool too
  location       = google_container_cluster.cluster.location
  node_locations = [var.zone] # Exactly one zone: the networks of the RDMA NICs belong to it
  node_count     = var.node_count

  network_config {
    # The second gVNIC of each node comes first, then one subnetwork for each RDMA NIC.
    additional_node_network_configs {
      network    = google_compute_network.gvnic.name
      subnetwork = google_compute_subnetwork.gvnic.name
    }

    dynamic "additional_node_network_configs" {
      for_each = range(8)

      content {
        network    = google_compute_network.rdma.name
        subnetwork = google_compute_subnetwork.rdma[additional_node_network_configs.value].name
      }
    }
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA" # The automated RDMA NCCL installer; it counts when the pool is created, never later
    oauth_scopes       = ["https://www.googleapis.com/auth/cloud-platform"]

    guest_accelerator {
      type  = "nvidia-h200-141gb"
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
    # The pool names its networks, and names do not change when a network is replaced: so that a plan shows this pool too.
    replace_triggered_by = [
      google_compute_subnetwork.gvnic.id,
      google_compute_subnetwork.rdma[0].id,
      google_compute_subnetwork.rdma[1].id,
      google_compute_subnetwork.rdma[2].id,
      google_compute_subnetwork.rdma[3].id,
      google_compute_subnetwork.rdma[4].id,
      google_compute_subnetwork.rdma[5].id,
      google_compute_subnetwork.rdma[6].id,
      google_compute_subnetwork.rdma[7].id,
    ]

    # A version asked for in full is enough: the cluster is raised to it before this pool is made.
    precondition {
      condition     = max(local.version_numbers.asked, local.version_numbers.real) >= local.version_numbers.floor
      error_message = "The cluster runs GKE ${google_container_cluster.cluster.master_version}; the automated RDMA NCCL installer needs 1.34.8-gke.1278000 or later."
    }
  }
}
