locals {
  g = "rdma"
  h = # want: parse-error error
}
