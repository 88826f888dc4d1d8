# Made by gke-rdma from the spec. Change the spec and generate again; values of your own go into zz.auto.tfvars.
project_id              = "my-project"
zone                    = "us-east4-b"
location                = "us-east4"
cluster_name            = "burst"
default_pool_node_count = 1
deletion_protection     = true
network                 = "projects/host-project/global/networks/shared"
subnetwork              = "projects/host-project/regions/us-east4/subnetworks/gke"
min_node_count_spot     = 0
max_node_count_spot     = 8
node_count_fixed        = 2
