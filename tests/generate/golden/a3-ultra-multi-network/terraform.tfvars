# Made by gke-rdma from the spec. Change the spec and generate again; values of your own go into zz.auto.tfvars.
project_id              = "my-project"
zone                    = "us-central1-b"
location                = "us-central1"
cluster_name            = "rails"
kubernetes_version      = "1.34"
default_pool_node_count = 1
deletion_protection     = true
network                 = "training"
subnetwork              = "training-gke"
gvnic_network_prefix    = "rails-gvnic"
rdma_network_prefix     = "rails-rdma"
gvnic_cidr              = "192.168.64.0/18"
rdma_cidr               = "192.168.128.0/18"
node_count              = 2
reservation             = "my-reservation"
