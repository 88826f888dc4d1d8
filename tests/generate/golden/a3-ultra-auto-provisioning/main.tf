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

  min_master_version  = var.kubernetes_version      # A new cluster begins with it; the floor is checked on the outputs
  datapath_provider   = "ADVANCED_DATAPATH"         # GKE Dataplane V2, which RDMA needs; it cannot be turned on later
  initial_node_count  = var.default_pool_node_count # CPU nodes per zone in the default pool
  deletion_protection = var.deletion_protection

  # Node auto-provisioning: GKE makes node pools for the ComputeClass, within these limits of the whole cluster.
  cluster_autoscaling {
    enabled = true

    resource_limits {
      resource_type = "cpu"
      maximum       = 1000
    }

    resource_limits {
      resource_type = "memory"
      maximum       = 13000 # GB
    }

    resource_limits {
      resource_type = "nvidia-h200-141gb"
      maximum       = 32
    }

    auto_provisioning_defaults {
      service_account = "gke-nodes@my-project.iam.gserviceaccount.com"
      oauth_scopes    = ["https://www.googleapis.com/auth/cloud-platform"]
    }
  }

  # The nodes of the default pool.
  node_config {
    machine_type    = "e2-standard-4"
    service_account = "gke-nodes@my-project.iam.gserviceaccount.com"
    oauth_scopes    = ["https://www.googleapis.com/auth/cloud-platform"]
  }

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
