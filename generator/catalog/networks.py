"""Networks of the manual route."""

from __future__ import annotations

from generator.catalog.store import load


def roce_mtu() -> int:
    """The MTU of a RoCE VPC, in bytes."""
    return int(load("networks")["mtu"]["value"])


def profile_form() -> str:
    """How `network_profile` is written, with PROJECT and ZONE to replace."""
    return str(load("networks")["profile_form"]["value"])


def gvnic_cidr() -> str:
    """The usual range of the gVNIC VPC's subnet."""
    return str(load("networks")["gvnic_cidr"]["value"])


def rdma_cidr() -> str:
    """The usual range that is cut into the subnets of the RoCE VPC."""
    return str(load("networks")["rdma_cidr"]["value"])
