provider "registry.terraform.io/hashicorp/google" {
  version = "7.20.0" # gke-rdma: ignore[provider-lock] upgrade soon
}
