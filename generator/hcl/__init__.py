"""Reading HCL: text to blocks, nodes and values. Knows nothing of GKE."""
