variable "zone" {
  type = string
}

resource "google_compute_network" "r" {
  name                    = "r"
  auto_create_subnetworks = false
  network_profile         = "projects/p/global/networkProfiles/${var.zone}-vpc-roce" # want: roce-network error
}

output "id" {
  value = google_compute_network.r.id
}
