terraform {
  required_version = ">= 1.7.0"

  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 7.34.0" # The first with gpudirect_strategy, which turns on the RDMA NCCL installer
    }
  }
}
