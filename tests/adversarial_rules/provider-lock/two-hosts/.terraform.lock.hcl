provider "registry.terraform.io/hashicorp/google" {
  version     = "7.45.0"
  constraints = ">= 7.0.0"
  hashes = [
    "h1:abc=",
  ]
}
provider "registry.opentofu.org/hashicorp/google" {
  version     = "7.33.1" # want: provider-lock error
  constraints = ">= 7.0.0"
  hashes = [
    "h1:abc=",
  ]
}
