"""The resource types that the stand-in treats as what they are."""

CLUSTER = "google_container_cluster"
NODE_POOL = "google_container_node_pool"
