terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0"
    }
  }
}

module "m" {
  source   = "./m"
  for_each = toset(["a", "b"])
  project  = each.key
}
