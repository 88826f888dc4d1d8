variable "cluster" {}
variable "g" {
  type = string
}
module "m" {
  source = "../../m"
  cluster = var.cluster
  g = var.g
}
