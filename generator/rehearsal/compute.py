"""Networks and firewalls of the stand-in cloud, as far as RoCE networks differ from others."""

from __future__ import annotations

import re

from generator.catalog.networks import roce_mtu
from generator.rehearsal.behaviour import Behaviour, Context, api_error
from generator.rehearsal.suppress import relative
from generator.rehearsal.wire import UNKNOWN, Object

NETWORK = "google_compute_network"
FIREWALL = "google_compute_firewall"

_PROFILE = re.compile(r"projects/[^/]+/global/networkProfiles/[^/]+")
_ORDINARY_MTU = 1460


class Network(Behaviour):
    """`google_compute_network`."""

    def create(self, context: Context, planned: Object) -> Object:
        """Make the network; a profile decides on its MTU."""
        profile = planned.get("network_profile")
        if context.refuses() and isinstance(profile, str) and profile and not _PROFILE.fullmatch(relative(profile)):
            message = f"Invalid value for field 'resource.networkProfile': '{profile}'. The URL is malformed."
            raise api_error(400, message, "invalid")
        if planned.get("mtu") is UNKNOWN:
            planned["mtu"] = roce_mtu() if _is_roce(planned) else _ORDINARY_MTU
        return super().create(context, planned)


class Firewall(Behaviour):
    """`google_compute_firewall`."""

    def create(self, context: Context, planned: Object) -> Object:
        """Make the rule; a RoCE network takes none."""
        link = relative(str(planned.get("network")))
        name = link.rpartition("/")[2]
        network = context.cloud.get(
            NETWORK, link if "/" in link else f"projects/{planned['project']}/global/networks/{name}"
        )
        if context.refuses() and network is not None and _is_roce(network):
            raise api_error(400, "Network profile does not allow VPC firewall rules.", "invalid")
        return super().create(context, planned)


def _is_roce(network: Object) -> bool:
    return "vpc-roce" in str(network.get("network_profile") or "")
