resource "google_container_cluster" "c" {
  datapath_provider = null # want: dataplane-v2 error
}
