"""Container images."""

from __future__ import annotations

from generator.catalog.store import load


def nccl_test() -> str:
    """The image of the NCCL test Pods, with its tag."""
    entry = load("images")["nccl_test"]
    return f"{entry['name']}:{entry['tag']}"


def nccl_test_tag() -> str:
    """The tag alone: `v1.1.2`."""
    return str(load("images")["nccl_test"]["tag"])
