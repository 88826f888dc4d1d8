locals {
  g = "rdma"
}
