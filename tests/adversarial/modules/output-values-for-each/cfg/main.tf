variable "g" {
  type = string
}
output "g" {
  value = var.g
}
