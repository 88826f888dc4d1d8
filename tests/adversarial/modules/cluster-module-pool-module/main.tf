terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

module "cl" {
  source = "./cl"
}
module "np" {
  source = "./np"
  cluster = module.cl.name
  location = module.cl.location
}
