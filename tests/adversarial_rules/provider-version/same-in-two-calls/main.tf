# A module that is called twice has one constraint: one finding.
resource "google_container_cluster" "c" {
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 1
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = "ADVANCED_DATAPATH"
}

module "gpu" {
  source   = "./gpu"
  for_each = toset(["a", "b"])
  cluster  = google_container_cluster.c.id
  name     = each.key
}
