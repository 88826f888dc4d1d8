resource "google_container_node_pool" "p" {
  network_config {
    accelerator_network_profile = "auto"
  }
}
