g = "rdma" # gke-rdma: ignore[gpudirect-strategy] fine here
