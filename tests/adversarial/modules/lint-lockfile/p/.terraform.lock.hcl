provider "registry.terraform.io/hashicorp/google" {
  version = "7.20.0"  # want: provider-lock error
}
