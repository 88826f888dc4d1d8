g = "RDMA"
