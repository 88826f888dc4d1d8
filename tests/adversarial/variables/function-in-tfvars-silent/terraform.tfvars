g = lower("RDMA")
