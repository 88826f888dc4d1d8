output "cluster_name" {
  description = "Name of the cluster."
  value       = google_container_cluster.cluster.name

  # Here, because no node pool is written that could hold it: GKE makes the GPU nodes when Pods ask for them.
  precondition {
    condition     = max(local.version_numbers.asked, local.version_numbers.real) >= local.version_numbers.floor
    error_message = "The cluster runs GKE ${google_container_cluster.cluster.master_version}; the automated RDMA NCCL installer needs 1.36.2-gke.1368000 or later."
  }
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
  description = "IDs of the GPU node pools; GKE makes them itself here, by name."
  value       = tomap({})
}

output "get_credentials_command" {
  description = "Command that lets kubectl reach the cluster."
  value       = "gcloud container clusters get-credentials ${google_container_cluster.cluster.name} --location ${google_container_cluster.cluster.location} --project ${google_container_cluster.cluster.project}"
}
