terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

module "c" {
  source = "./c"
  count = 1
}
module "p" {
  source   = "./p"
  cluster  = one(module.c[*].name)
}
