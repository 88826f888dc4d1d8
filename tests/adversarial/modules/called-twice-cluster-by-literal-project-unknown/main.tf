terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

module "a" {
  source   = "./m"
}
module "b" {
  source   = "./m"
}
