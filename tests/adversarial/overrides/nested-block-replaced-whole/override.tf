resource "google_container_node_pool" "p" {
  node_config {
    machine_type       = "a3-ultragpu-8g"
    gpudirect_strategy = "RDMA"
  }
}
