# Made by gke-rdma from the spec. Change the spec and generate again; values of your own go into zz.auto.tfvars.
project_id           = "my-project"
zone                 = "europe-west4-b"
location             = "europe-west4"
cluster_name         = "production"
gvnic_network_prefix = "a4-gvnic"
rdma_network_prefix  = "a4-rdma"
min_node_count       = 0
max_node_count       = 4
