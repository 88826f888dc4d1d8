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

variable "node_count" {
  description = "Nodes of the pool rdma-pool."
  type        = number
  nullable    = false

  validation {
    condition     = var.node_count >= 0 && floor(var.node_count) == var.node_count
    error_message = "node_count has to be a whole number, at least 0."
  }
}

variable "reservation" {
  description = "Reservation of the pool rdma-pool. Write NAME or projects/PROJECT/reservations/NAME, with /reservationBlocks/BLOCK and /reservationSubBlocks/SUB_BLOCK behind it as needed."
  type        = string
  nullable    = false

  validation {
    condition     = can(regex("^(projects/[^/]+/reservations/)?[^/]+(/reservationBlocks/[^/]+(/reservationSubBlocks/[^/]+)?)?$", var.reservation))
    error_message = "Write NAME or projects/PROJECT/reservations/NAME, with /reservationBlocks/BLOCK and /reservationSubBlocks/SUB_BLOCK behind it as needed."
  }
}
