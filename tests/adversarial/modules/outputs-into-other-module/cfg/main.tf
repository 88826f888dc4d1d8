output "settings" {
  value = { strategy = "rdma" }
}
