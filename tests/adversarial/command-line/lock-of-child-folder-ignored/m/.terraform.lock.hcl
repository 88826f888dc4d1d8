provider "registry.terraform.io/hashicorp/google" {
  version = "7.10.0"
}
