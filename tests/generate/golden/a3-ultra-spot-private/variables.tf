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

variable "default_pool_node_count" {
  description = "CPU nodes per zone in the default pool. Counts at creation only."
  type        = number
  nullable    = false

  validation {
    condition     = var.default_pool_node_count >= 1 && floor(var.default_pool_node_count) == var.default_pool_node_count
    error_message = "default_pool_node_count has to be a whole number, at least 1."
  }
}

variable "deletion_protection" {
  description = "Whether Terraform refuses to delete the cluster."
  type        = bool
  nullable    = false
}

variable "network" {
  description = "VPC of the cluster: a name, or projects/HOST/global/networks/NAME."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^(https://[^/]+/compute/[^/]+/)?(projects/[^/]+/global/networks/)?[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", var.network))
    error_message = "Write a name, or projects/HOST/global/networks/NAME."
  }
}

variable "subnetwork" {
  description = "Subnetwork of the cluster: a name, or projects/HOST/regions/REGION/subnetworks/NAME."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^(https://[^/]+/compute/[^/]+/)?(projects/[^/]+/regions/[^/]+/subnetworks/)?[a-z]([a-z0-9-]{0,61}[a-z0-9])?$", var.subnetwork))
    error_message = "Write a name, or projects/HOST/regions/REGION/subnetworks/NAME."
  }
}

variable "min_node_count_spot" {
  description = "Fewest nodes of the pool spot."
  type        = number
  nullable    = false

  validation {
    condition     = var.min_node_count_spot >= 0 && floor(var.min_node_count_spot) == var.min_node_count_spot
    error_message = "min_node_count_spot has to be a whole number, at least 0."
  }
}

variable "max_node_count_spot" {
  description = "Most nodes of the pool spot."
  type        = number
  nullable    = false

  validation {
    condition     = var.max_node_count_spot >= 1 && floor(var.max_node_count_spot) == var.max_node_count_spot
    error_message = "max_node_count_spot has to be a whole number, at least 1."
  }
}

variable "node_count_fixed" {
  description = "Nodes of the pool fixed."
  type        = number
  nullable    = false

  validation {
    condition     = var.node_count_fixed >= 0 && floor(var.node_count_fixed) == var.node_count_fixed
    error_message = "node_count_fixed has to be a whole number, at least 0."
  }
}
