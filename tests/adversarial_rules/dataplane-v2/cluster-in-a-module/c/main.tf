variable "datapath" {
  type    = string
  default = "LEGACY_DATAPATH"
}

resource "google_container_cluster" "c" {
  name                = "c"
  location            = "us-central1-b"
  initial_node_count  = 1
  deletion_protection = false
  min_master_version  = "1.34.8-gke.1278000"
  datapath_provider   = var.datapath # want: dataplane-v2 error
}

output "cluster" {
  value = google_container_cluster.c
}
