variable "version_floor" {
  type = string
}

resource "google_container_cluster" "c" {
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 1
  deletion_protection = false
  min_master_version  = var.version_floor # want: gke-version warning
  datapath_provider   = "ADVANCED_DATAPATH"
}

output "id" {
  value = google_container_cluster.c.id
}
