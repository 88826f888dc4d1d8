variable "g" {
  default = "rdma"
}
