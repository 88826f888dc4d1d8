# Made by gke-rdma from the spec. Change the spec and generate again; values of your own go into zz.auto.tfvars.
project_id   = "my-project"
zone         = "europe-west1-b"
location     = "europe-west1"
cluster_name = "production"
node_count   = 2
reservation  = "my-reservation"
