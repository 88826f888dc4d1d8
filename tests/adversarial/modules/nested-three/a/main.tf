variable "cluster" {}
variable "g" {
  type = string
}
module "b" {
  source = "./b"
  cluster = var.cluster
  g = "${var.g}ma"
}
