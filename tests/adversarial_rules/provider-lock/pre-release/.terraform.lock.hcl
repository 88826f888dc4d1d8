provider "registry.terraform.io/hashicorp/google" {
  version     = "7.34.0-beta1" # want: provider-lock error
  constraints = ">= 7.0.0"
  hashes = [
    "h1:abc=",
  ]
}
