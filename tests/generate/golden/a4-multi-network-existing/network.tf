# The networks of the RDMA nodes exist and are only looked up.
data "google_compute_network" "gvnic" {
  name    = "${var.gvnic_network_prefix}-net"
  project = var.project_id
}

data "google_compute_subnetwork" "gvnic" {
  name    = "${var.gvnic_network_prefix}-sub"
  project = var.project_id
  region  = join("-", slice(split("-", var.zone), 0, 2))
}

data "google_compute_network" "rdma" {
  name    = "${var.rdma_network_prefix}-net"
  project = var.project_id
}

data "google_compute_subnetwork" "rdma" {
  count = 8 # One for each RDMA NIC of a node

  name    = "${var.rdma_network_prefix}-sub-${count.index}"
  project = var.project_id
  region  = join("-", slice(split("-", var.zone), 0, 2))
}
