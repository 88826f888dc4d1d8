module "m" {
  g = "rdma"
}
