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

variable "gvnic_network_prefix" {
  description = "How the names of the gVNIC network begin: PREFIX-net and PREFIX-sub. The Kubernetes manifests name them too."
  type        = string
  nullable    = false
  default     = "rdma-cluster-gvnic"

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,52}[a-z0-9])?$", var.gvnic_network_prefix))
    error_message = "A prefix: at most 54 small letters, digits and hyphens, a letter first, no hyphen last."
  }
}

variable "rdma_network_prefix" {
  description = "How the names of the RDMA network begin: PREFIX-net and PREFIX-sub-0 to PREFIX-sub-7. The Kubernetes manifests name them too."
  type        = string
  nullable    = false
  default     = "rdma-cluster-rdma"

  validation {
    condition     = can(regex("^[a-z]([a-z0-9-]{0,52}[a-z0-9])?$", var.rdma_network_prefix))
    error_message = "A prefix: at most 54 small letters, digits and hyphens, a letter first, no hyphen last."
  }
}

variable "gvnic_cidr" {
  description = "IPv4 range of the gVNIC subnetwork."
  type        = string
  nullable    = false
  default     = "192.168.64.0/18"

  validation {
    condition     = can(regex("^[0-9.]+/[0-9]+$", var.gvnic_cidr)) && try(cidrsubnet(var.gvnic_cidr, 0, 0) == var.gvnic_cidr, false) && try(tonumber(split("/", var.gvnic_cidr)[1]) <= 29, false)
    error_message = "gvnic_cidr has to be an IPv4 range without host bits, such as 192.168.64.0/18: a /29 or larger."
  }
}

variable "rdma_cidr" {
  description = "IPv4 range of the 8 RDMA subnetworks together."
  type        = string
  nullable    = false
  default     = "192.168.128.0/18"

  validation {
    condition     = can(regex("^[0-9.]+/[0-9]+$", var.rdma_cidr)) && try(cidrsubnet(var.rdma_cidr, 0, 0) == var.rdma_cidr, false) && try(tonumber(split("/", var.rdma_cidr)[1]) <= 26, false)
    error_message = "rdma_cidr has to be an IPv4 range without host bits, such as 192.168.64.0/18: a /26 or larger."
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
