# Made by gke-rdma from the spec. Change the spec and generate again; values of your own go into zz.auto.tfvars.
project_id              = "my-project"
zone                    = "us-central1-b"
location                = "us-central1"
cluster_name            = "on-demand"
kubernetes_version      = "1.34"
default_pool_node_count = 1
deletion_protection     = true
