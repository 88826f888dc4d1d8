g = "rdma"
