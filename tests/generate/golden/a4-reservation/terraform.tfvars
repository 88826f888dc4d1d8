# Made by gke-rdma from the spec. Change the spec and generate again; values of your own go into zz.auto.tfvars.
project_id              = "my-project"
zone                    = "europe-west4-b"
location                = "europe-west4"
cluster_name            = "trainer"
kubernetes_version      = "1.34"
default_pool_node_count = 1
deletion_protection     = true
node_count              = 4
reservation             = "projects/shared-res/reservations/r9/reservationBlocks/b1/reservationSubBlocks/s2"
