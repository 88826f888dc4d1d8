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
  description = "Region of the cluster's control plane."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.location))
    error_message = "The cluster is regional: its location looks like us-central1."
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

variable "gvnic_network_prefix" {
  description = "How the names of the gVNIC network begin: PREFIX-net and PREFIX-sub. The Kubernetes manifests name them too."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,52}[a-z0-9])?$", var.gvnic_network_prefix))
    error_message = "A prefix: at most 54 small letters, digits and hyphens, a letter first, no hyphen last."
  }
}

variable "rdma_network_prefix" {
  description = "How the names of the RDMA network begin: PREFIX-net and PREFIX-sub-0 to PREFIX-sub-7. The Kubernetes manifests name them too."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,52}[a-z0-9])?$", var.rdma_network_prefix))
    error_message = "A prefix: at most 54 small letters, digits and hyphens, a letter first, no hyphen last."
  }
}

variable "min_node_count" {
  description = "Fewest nodes of the pool a4-pool."
  type        = number
  nullable    = false

  validation {
    condition     = var.min_node_count >= 0 && floor(var.min_node_count) == var.min_node_count
    error_message = "min_node_count has to be a whole number, at least 0."
  }
}

variable "max_node_count" {
  description = "Most nodes of the pool a4-pool."
  type        = number
  nullable    = false

  validation {
    condition     = var.max_node_count >= 1 && floor(var.max_node_count) == var.max_node_count
    error_message = "max_node_count has to be a whole number, at least 1."
  }
}
