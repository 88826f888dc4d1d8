terraform {
  required_providers {
    google = { source = "hashicorp/google" }
  }
}

variable "cluster" {
  type = string
}

module "b" {
  source  = "../b"
  cluster = var.cluster
}
