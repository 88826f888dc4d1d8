# Made by gke-rdma from the spec. Change the spec and generate again; values of your own go into zz.auto.tfvars.
project_id              = "my-project"
zone                    = "us-central1-b"
location                = "us-central1-b"
cluster_name            = "example-rdma-tf"
kubernetes_version      = "1.34.8-gke.1278000"
default_pool_node_count = 3
deletion_protection     = false
node_count              = 3
