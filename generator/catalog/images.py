"""Container images."""

from __future__ import annotations

from generator.catalog.store import load


def nccl_test() -> str:
    """The image of the NCCL test Pods, with its tag."""
    entry = load("images")["nccl_test"]
    return f"{entry['name']}:{entry['tag']}"
