output "cluster_name" {
  description = "Name of the cluster."
  value       = google_container_cluster.cluster.name
}

output "cluster_id" {
  description = "ID of the cluster: projects/PROJECT/locations/LOCATION/clusters/NAME."
  value       = google_container_cluster.cluster.id
}

output "location" {
  description = "Zone or region of the cluster."
  value       = google_container_cluster.cluster.location
}

output "endpoint" {
  description = "Address of the control plane."
  value       = google_container_cluster.cluster.endpoint
}

output "ca_certificate" {
  description = "Certificate of the cluster's authority, in base64."
  value       = one(google_container_cluster.cluster.master_auth[*].cluster_ca_certificate)
  sensitive   = true
}

output "node_pool_ids" {
  description = "IDs of the GPU node pools, by name."
  value = {
    "rdma-pool" = google_container_node_pool.rdma_pool.id
  }
}

output "get_credentials_command" {
  description = "Command that lets kubectl reach the cluster."
  value       = "gcloud container clusters get-credentials ${google_container_cluster.cluster.name} --location ${google_container_cluster.cluster.location} --project ${google_container_cluster.cluster.project}"
}
