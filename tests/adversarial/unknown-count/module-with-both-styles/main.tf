terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

variable "regions" {
  type = set(string)
}
module "m" {
  source   = "./m"
  for_each = var.regions
}
