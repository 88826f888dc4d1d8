resource "google_container_node_pool" "p" {
  dynamic "network_config" {
    for_each = ["none"]
    content {
      accelerator_network_profile = network_config.value  # want: network-profile error
    }
  }
}
