resource "google_container_node_pool" "p" {
  count = 0
}
