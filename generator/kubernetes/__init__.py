"""Manifests, checks of the machine, NCCL."""
