locals {
  # GKE versions are compared as numbers, never as text: 1.34.10 is newer than 1.34.8. The four numbers of a version, with
  # ten digits each, make one number. What is no full version makes 0, and one that is not known yet stays unknown.
  version_numbers = {
    for name, version in {
      asked = var.kubernetes_version
      real  = google_container_cluster.cluster.master_version
      floor = "1.36.2-gke.1368000"
    } : name => try(tonumber(join("", formatlist("%010d", regex("^([0-9]+)[.]([0-9]+)[.]([0-9]+)-gke[.]([0-9]+)", version)))), 0)
  }
}

resource "google_container_cluster" "cluster" {
  name     = var.cluster_name
  project  = var.project_id
  location = var.location

  min_master_version  = var.kubernetes_version # A new cluster begins with it; the floor is checked on the outputs
  enable_autopilot    = true                   # With GKE Dataplane V2, which RDMA needs
  deletion_protection = var.deletion_protection

  network    = var.network
  subnetwork = var.subnetwork

  timeouts {
    create = "2h"
    update = "4h"
    delete = "2h"
  }

  lifecycle {
    precondition {
      condition     = startswith(var.zone, "${var.location}-")
      error_message = "The zone ${var.zone} does not lie in the cluster's location ${var.location}."
    }
  }
}
