g = "rdma"
