"""A RoCE network is made from the right profile and left alone by firewall rules.

## What it does
error: a `network_profile` that is not written `projects/PROJECT/global/networkProfiles/NAME` (or as the full URL); a RoCE profile
of another zone than the node pools that use the network; a `google_compute_firewall` on a RoCE network.
warning: a RoCE network with an MTU below 8896.

## Why
Compute Engine answers "URL is malformed" to a profile without its project. A RoCE network belongs to one zone, takes no VPC
firewall rules, and carries frames of 8896 bytes: a lower MTU costs bandwidth.

## Bad
```hcl
resource "google_compute_network" "rdma" {
  name                    = "rdma"
  auto_create_subnetworks = false
  network_profile         = "global/networkProfiles/us-central1-b-vpc-roce"
}
```

## Good
```hcl
resource "google_compute_network" "rdma" {
  name                    = "rdma"
  auto_create_subnetworks = false
  network_profile         = "projects/my-project/global/networkProfiles/us-central1-b-vpc-roce"
}
```

## Fix
None: project and zone are for you to say.

## Source
- [RDMA network profiles](https://docs.cloud.google.com/vpc/docs/rdma-network-profiles)
- [Cloud NGFW for RoCE VPC networks](https://docs.cloud.google.com/firewall/docs/firewall-for-roce)
- [A profile without its project](https://github.com/GoogleCloudPlatform/cloud-image-tests/pull/537)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.catalog import networks
from generator.rules import scope
from generator.rules.base import ERROR, WARNING, Problem, Rule
from generator.view import Answer, Known, ModuleTree, NodePool, Resource

_FORM = re.compile(r"(.*/)?projects/[^/]+/global/networkProfiles/[^/]+")
_PROJECT = re.compile(r"(?:^|/)projects/([^/]+)/")
_ROCE = re.compile(r"(?P<zone>[a-z0-9-]+)-vpc-roce(-metal)?")


@dataclass(frozen=True, slots=True)
class _Network:
    """A network with a known RoCE profile."""

    resource: Resource
    profile: Known
    zone: str


def check(tree: ModuleTree) -> Iterator[Problem]:
    """Networks with a profile, the pools that use them, and firewall rules on them."""
    roce: list[_Network] = []
    for resource in tree.resources:
        if resource.type == "google_compute_network" and resource.mode == "managed":
            profile = resource.get("network_profile")
            name = scope.text(profile)
            if name is None or not isinstance(profile, Known):
                continue
            yield from _form(resource, profile, name)
            match = _ROCE.fullmatch(scope.last_segment(name))
            if match is not None:
                roce.append(_Network(resource, profile, match["zone"]))
    for network in roce:
        yield from _mtu(network)
        yield from _zone(network, tree.pools)
        yield from _firewalls(network, tree)


def _form(resource: Resource, profile: Known, name: str) -> Iterator[Problem]:
    if _FORM.fullmatch(name) is None:
        message = (
            f"network_profile is {profile.show()}; Compute Engine wants it with its project, {networks.profile_form()}"
        )
        help_ = f'Write network_profile = "{networks.profile_form()}" with your project and zone.'
        yield scope.problem(resource, ERROR, profile, message, help_)


def _mtu(network: _Network) -> Iterator[Problem]:
    answer = network.resource.get("mtu")
    mtu = scope.number(answer)
    # The provider keeps 0 where nothing is written.
    if mtu and mtu < networks.roce_mtu():
        message = f"the MTU is {scope.shown(answer)}; a RoCE network carries {networks.roce_mtu()} bytes, and less costs bandwidth"
        help_ = f"Write mtu = {networks.roce_mtu()}, or leave it out."
        yield scope.problem(network.resource, WARNING, answer, message, help_)


def _zone(network: _Network, pools: list[NodePool]) -> Iterator[Problem]:
    for pool in pools:
        zones = scope.zones(pool) if _uses(pool, network) else None
        if zones is None or not zones.names or network.zone in zones.names:
            continue
        hidden = network.profile.sensitive or (zones.answer is not None and zones.answer.sensitive)
        there = "another zone" if hidden else ", ".join(sorted(zones.names))
        message = (
            f"a node pool in {there} uses this network, but its profile belongs to {'one' if hidden else network.zone}"
        )
        note = scope.note(pool.header, "this node pool uses it")
        yield scope.problem(
            network.resource, ERROR, network.profile, message, "Write the profile of the zone of the GPUs.", *note
        )
        return


def _uses(pool: NodePool, network: _Network) -> bool:
    return any(_is(scope.reference(block, "network"), network) for block in pool.blocks(scope.NETWORKS))


def _firewalls(network: _Network, tree: ModuleTree) -> Iterator[Problem]:
    for resource in tree.resources:
        if resource.type != "google_compute_firewall" or resource.mode != "managed":
            continue
        answer = scope.reference(resource, "network")
        if _is(answer, network):
            message = (
                "this firewall rule is on a RoCE network, which takes no VPC firewall rules and allows all traffic"
            )
            help_ = (
                "Remove the rule; to restrict traffic use a regional network firewall policy of type RDMA_ROCE_POLICY."
            )
            note = scope.note(network.profile.span, "the network's RoCE profile")
            yield scope.problem(resource, ERROR, answer, message, help_, *note)


def _is(answer: Answer, network: _Network) -> bool:
    """Whether a value means the network: by reference, or by its known name."""
    name, own = scope.text(answer), scope.text(network.resource.get("name"))
    if name is not None and own is not None and scope.last_segment(name) != own:
        return False
    if name is not None and not _may_be_in(name, scope.text(network.resource.get("project"))):
        return False
    referred = {address for address in scope.refers_to(answer) if "google_compute_network." in address}
    if referred:
        return network.resource.address in referred
    return name is not None and own is not None


def _may_be_in(path: str, project: str | None) -> bool:
    """Whether a network's path may be one of the project; a bare name, or an unknown project, may."""
    match = _PROJECT.search(path)
    return project is None or match is None or match[1] == project


RULE = Rule(
    name="roce-network",
    severities=(ERROR, WARNING),
    seeks=ModuleTree,
    check=check,
    summary="a RoCE network with a wrong profile, a low MTU or firewall rules",
)
