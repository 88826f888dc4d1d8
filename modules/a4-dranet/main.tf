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

  min_master_version  = var.kubernetes_version      # A new cluster begins with it; the floor is checked on each pool below
  datapath_provider   = "ADVANCED_DATAPATH"         # GKE Dataplane V2, which RDMA needs; it cannot be turned on later
  initial_node_count  = var.default_pool_node_count # CPU nodes per zone in the default pool
  deletion_protection = var.deletion_protection

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
    accelerator_network_profile = "auto" # GKE makes the networks for the RDMA NICs
  }

  node_config {
    machine_type       = "a4-highgpu-8g"
    gpudirect_strategy = "RDMA" # The automated RDMA NCCL installer; it counts when the pool is created, never later

    guest_accelerator {
      type  = "nvidia-b200"
      count = 8

      gpu_driver_installation_config {
        gpu_driver_version = "LATEST"
      }
    }

    # The machine type brings these disks; unwritten, every plan would replace the pool
    # (https://github.com/hashicorp/terraform-provider-google/issues/17068).
    ephemeral_storage_local_ssd_config {
      local_ssd_count  = 32
      data_cache_count = 0
    }

    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = [var.reservation]
    }

    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true" # Turns on managed DRANET, which hands the RDMA NICs to Pods
      "gke.networks.io/accelerator-network-profile" = "auto" # GKE adds it to the nodes; unwritten, every plan would remove it
    }
  }

  # A reservation that is full has no spare machine for a surge node: upgrades take one node away instead.
  upgrade_settings {
    max_surge       = 0
    max_unavailable = 1
  }

  timeouts {
    create = "2h"
    update = "4h"
    delete = "2h"
  }

  lifecycle {
    # A version asked for in full is enough: the cluster is raised to it before this pool is made.
    precondition {
      condition     = max(local.version_numbers.asked, local.version_numbers.real) >= local.version_numbers.floor
      error_message = "The cluster runs GKE ${google_container_cluster.cluster.master_version}; the automated RDMA NCCL installer needs 1.34.8-gke.1278000 or later."
    }
  }
}
