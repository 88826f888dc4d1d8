g = "rdma
