variable "project_id" {
  description = "ID of the Google Cloud project."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project_id))
    error_message = "A project ID: 6 to 30 small letters, digits and hyphens, a letter first, no hyphen last."
  }
}

variable "zone" {
  description = "Zone of the GPU nodes."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+-[a-z0-9]+$", var.zone))
    error_message = "A zone looks like us-central1-b."
  }
}

variable "location" {
  description = "Zone of the cluster's control plane."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+-[a-z0-9]+$", var.location))
    error_message = "The cluster is zonal: its location looks like us-central1-b."
  }
}

variable "cluster_name" {
  description = "Name of the cluster."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$", var.cluster_name))
    error_message = "A cluster's name: at most 40 small letters, digits and hyphens, a letter first, no hyphen last."
  }
}

variable "kubernetes_version" {
  description = "GKE version of the control plane; a part such as 1.34 means its newest patch."
  type        = string
  nullable    = false
  default     = "1.34"

  validation {
    condition     = can(regex("^[0-9]+[.][0-9]+([.][0-9]+(-gke[.][0-9]+)?)?$", var.kubernetes_version))
    error_message = "A GKE version looks like 1.34, 1.34.8 or 1.34.8-gke.1278000."
  }
}

variable "default_pool_node_count" {
  description = "CPU nodes per zone in the default pool. Counts at creation only."
  type        = number
  nullable    = false
  default     = 1

  validation {
    condition     = var.default_pool_node_count >= 1 && floor(var.default_pool_node_count) == var.default_pool_node_count
    error_message = "default_pool_node_count has to be a whole number, at least 1."
  }
}

variable "deletion_protection" {
  description = "Whether Terraform refuses to delete the cluster."
  type        = bool
  nullable    = false
  default     = true
}

variable "network" {
  description = "VPC of the cluster: a name, or projects/HOST/global/networks/NAME."
  type        = string
  nullable    = false
  default     = "default"

  validation {
    condition     = can(regex("^(https://[^/]+/compute/[^/]+/)?(projects/[^/]+/global/networks/)?[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", var.network))
    error_message = "Write a name, or projects/HOST/global/networks/NAME."
  }
}

variable "subnetwork" {
  description = "Subnetwork of the cluster: a name, or projects/HOST/regions/REGION/subnetworks/NAME."
  type        = string
  default     = null

  validation {
    condition     = var.subnetwork == null || can(regex("^(https://[^/]+/compute/[^/]+/)?(projects/[^/]+/regions/[^/]+/subnetworks/)?[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", var.subnetwork))
    error_message = "Write a name, or projects/HOST/regions/REGION/subnetworks/NAME."
  }
}

variable "node_count" {
  description = "Nodes of the pool rdma-pool."
  type        = number
  nullable    = false
  default     = 2

  validation {
    condition     = var.node_count >= 0 && floor(var.node_count) == var.node_count
    error_message = "node_count has to be a whole number, at least 0."
  }
}
