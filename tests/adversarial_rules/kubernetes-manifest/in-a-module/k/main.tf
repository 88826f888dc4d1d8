resource "kubernetes_manifest" "m" { # want: kubernetes-manifest advice
  manifest = {
    apiVersion = "v1"
    kind       = "ConfigMap"
  }
}
