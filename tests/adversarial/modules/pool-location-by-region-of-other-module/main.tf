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
}
module "p" {
  source   = "./p"
  cluster  = module.c.cluster
}
