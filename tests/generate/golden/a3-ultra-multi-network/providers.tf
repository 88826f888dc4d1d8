provider "google" {
  project = var.project_id
  region  = join("-", slice(split("-", var.zone), 0, 2))
  zone    = var.zone
}
