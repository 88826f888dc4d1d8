# Without a constraint a RoCE network alone says nothing.
resource "google_compute_network" "r" {
  name                    = "r"
  auto_create_subnetworks = false
  network_profile         = "projects/p/global/networkProfiles/us-central1-b-vpc-roce"
}
