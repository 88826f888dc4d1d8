locals {
  # Two ranges overlap when they begin with the same address once both have the shorter of the two prefixes.
  shorter_prefix = min(tonumber(split("/", var.gvnic_cidr)[1]), tonumber(split("/", var.rdma_cidr)[1]))
  gvnic_start    = cidrhost("${split("/", var.gvnic_cidr)[0]}/${local.shorter_prefix}", 0)
  rdma_start     = cidrhost("${split("/", var.rdma_cidr)[0]}/${local.shorter_prefix}", 0)
}

# The VPC of the second gVNIC of each RDMA node.
resource "google_compute_network" "gvnic" {
  name                    = "${var.gvnic_network_prefix}-net"
  project                 = var.project_id
  auto_create_subnetworks = false
}

resource "google_compute_subnetwork" "gvnic" {
  name          = "${var.gvnic_network_prefix}-sub"
  project       = var.project_id
  region        = join("-", slice(split("-", var.zone), 0, 2))
  network       = google_compute_network.gvnic.id
  ip_cidr_range = var.gvnic_cidr

  lifecycle {
    precondition {
      condition     = local.gvnic_start != local.rdma_start
      error_message = "The ranges gvnic_cidr and rdma_cidr overlap."
    }
  }
}

# The nodes may say anything to each other.
resource "google_compute_firewall" "gvnic" {
  name          = "${var.gvnic_network_prefix}-internal"
  project       = var.project_id
  network       = google_compute_network.gvnic.id
  source_ranges = [var.gvnic_cidr]

  allow {
    protocol = "tcp"
  }

  allow {
    protocol = "udp"
  }

  allow {
    protocol = "icmp"
  }
}

# The RoCE VPC: only RDMA NICs attach to it, it belongs to one zone, and it takes no VPC firewall rules.
resource "google_compute_network" "rdma" {
  name                    = "${var.rdma_network_prefix}-net"
  project                 = var.project_id
  auto_create_subnetworks = false
  network_profile         = "projects/${var.project_id}/global/networkProfiles/${var.zone}-vpc-roce" # With its project: a shorter path is refused
  mtu                     = 8896
}

resource "google_compute_subnetwork" "rdma" {
  count = 8 # One for each RDMA NIC of a node

  name          = "${var.rdma_network_prefix}-sub-${count.index}"
  project       = var.project_id
  region        = join("-", slice(split("-", var.zone), 0, 2))
  network       = google_compute_network.rdma.id
  ip_cidr_range = cidrsubnet(var.rdma_cidr, 3, count.index)
}
