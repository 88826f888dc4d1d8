provider "registry.terraform.io/hashicorp/google" {
  version     = "6.0.0"
  constraints = ">= 7.0.0"
  hashes = [
    "h1:abc=",
  ]
}
