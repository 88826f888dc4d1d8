"""Generate, check and apply Terraform for GKE node pools that talk over GPUDirect RDMA."""

__version__ = "0.1.0"
