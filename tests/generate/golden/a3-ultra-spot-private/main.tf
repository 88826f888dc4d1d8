locals {
  # GKE versions are compared as numbers, never as text: 1.34.10 is newer than 1.34.8. The four numbers of a version, with
  # ten digits each, make one number. What is no full version makes 0, and one that is not known yet stays unknown.
  version_numbers = {
    for name, version in {
      real  = google_container_cluster.cluster.master_version
      floor = "1.34.8-gke.1278000"
    } : name => try(tonumber(join("", formatlist("%010d", regex("^([0-9]+)[.]([0-9]+)[.]([0-9]+)-gke[.]([0-9]+)", version)))), 0)
  }
}

resource "google_container_cluster" "cluster" {
  name     = var.cluster_name
  project  = var.project_id
  location = var.location

  datapath_provider   = "ADVANCED_DATAPATH"         # GKE Dataplane V2, which RDMA needs; it cannot be turned on later
  initial_node_count  = var.default_pool_node_count # CPU nodes per zone in the default pool
  deletion_protection = var.deletion_protection

  network    = var.network
  subnetwork = var.subnetwork

  ip_allocation_policy {
    cluster_secondary_range_name  = "pods"
    services_secondary_range_name = "services"
  }

  release_channel {
    channel = "RAPID"
  }

  private_cluster_config {
    enable_private_nodes    = true
    enable_private_endpoint = false
    master_ipv4_cidr_block  = "172.16.0.0/28"
  }

  control_plane_endpoints_config {
    dns_endpoint_config {
      allow_external_traffic = true
    }
  }

  master_authorized_networks_config {
    cidr_blocks {
      cidr_block   = "10.0.0.0/8"
      display_name = "office"
    }
  }

  workload_identity_config {
    workload_pool = "${var.project_id}.svc.id.goog"
  }

  database_encryption {
    state    = "ENCRYPTED"
    key_name = "projects/my-project/locations/us-east4/keyRings/gke/cryptoKeys/etcd"
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

resource "google_container_node_pool" "spot" {
  name           = "spot"
  project        = var.project_id
  cluster        = google_container_cluster.cluster.id # By ID, so that a plan that replaces the cluster shows this pool too
  location       = google_container_cluster.cluster.location
  node_locations = [var.zone] # Exactly one zone: the networks of the RDMA NICs belong to it

  autoscaling {
    min_node_count = var.min_node_count_spot
    max_node_count = var.max_node_count_spot
  }

  network_config {
    accelerator_network_profile = "auto" # GKE makes the networks for the RDMA NICs
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA" # The automated RDMA NCCL installer; it counts when the pool is created, never later
    spot               = true
    tags               = ["rdma"]

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

    taint {
      key    = "team"
      value  = "research"
      effect = "NO_SCHEDULE"
    }

    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true" # Turns on managed DRANET, which hands the RDMA NICs to Pods
      "gke.networks.io/accelerator-network-profile" = "auto" # GKE adds it to the nodes; unwritten, every plan would remove it
    }
  }

  placement_policy {
    type = "COMPACT"
  }

  timeouts {
    create = "2h"
    update = "4h"
    delete = "2h"
  }

  lifecycle {
    precondition {
      condition     = local.version_numbers.real >= local.version_numbers.floor
      error_message = "The cluster runs GKE ${google_container_cluster.cluster.master_version}; the automated RDMA NCCL installer needs 1.34.8-gke.1278000 or later."
    }

    precondition {
      condition     = var.min_node_count_spot <= var.max_node_count_spot
      error_message = "min_node_count_spot is above max_node_count_spot."
    }
  }
}

resource "google_container_node_pool" "fixed" {
  name           = "fixed"
  project        = var.project_id
  cluster        = google_container_cluster.cluster.id # By ID, so that a plan that replaces the cluster shows this pool too
  location       = google_container_cluster.cluster.location
  node_locations = [var.zone] # Exactly one zone: the networks of the RDMA NICs belong to it
  node_count     = var.node_count_fixed

  network_config {
    accelerator_network_profile = "auto" # GKE makes the networks for the RDMA NICs
  }

  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA" # The automated RDMA NCCL installer; it counts when the pool is created, never later
    boot_disk_kms_key  = "projects/my-project/locations/us-east4/keyRings/gke/cryptoKeys/disk"
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

    labels = {
      "cloud.google.com/gke-networking-dra-driver"  = "true" # Turns on managed DRANET, which hands the RDMA NICs to Pods
      "gke.networks.io/accelerator-network-profile" = "auto" # GKE adds it to the nodes; unwritten, every plan would remove it
    }
  }

  upgrade_settings {
    max_surge       = 1
    max_unavailable = 0
  }

  timeouts {
    create = "2h"
    update = "4h"
    delete = "2h"
  }

  lifecycle {
    precondition {
      condition     = local.version_numbers.real >= local.version_numbers.floor
      error_message = "The cluster runs GKE ${google_container_cluster.cluster.master_version}; the automated RDMA NCCL installer needs 1.34.8-gke.1278000 or later."
    }
  }
}
