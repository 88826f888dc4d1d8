"""Functions on IP networks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.hcl.evaluate_base import Failure, Undecided
from generator.hcl.functions.base import pure, whole_number
from generator.hcl.operators import Number
from generator.hcl.types import NUMBER, STRING, Collection

if TYPE_CHECKING:
    from ipaddress import IPv4Network, IPv6Network

    Network = IPv4Network | IPv6Network


def _network(prefix: str) -> Network:
    """The network of a prefix such as `10.0.0.0/8`; bits beyond its length are dropped.

    Raises:
        Failure: it is no prefix.
        Undecided: it is written in a way that Terraform reads differently from others.
    """
    import ipaddress

    address, slash, length = prefix.partition("/")
    if not slash:
        raise Failure("an address with the length of its network is needed, such as 10.0.0.0/8")
    if re.search(r"(?:^|\.)0\d", address) or "%" in address or not re.fullmatch(r"0|[1-9]\d*", length, re.ASCII):
        raise Undecided("the prefix is written in an unusual way", type_=STRING)
    try:
        network = ipaddress.ip_network(prefix, strict=False)
    except ValueError:
        raise Failure("it is no network in CIDR notation") from None
    if network.version == 6 and int(network.network_address) >> 32 in (0, 0xFFFF):
        raise Undecided("the network maps IPv4 addresses", type_=STRING)
    return network


def _subnet(network: Network, length: int, at: int) -> str:
    import ipaddress

    bits = network.max_prefixlen
    start = int(network.network_address) + (at << (bits - length))
    kind = ipaddress.IPv4Network if bits == 32 else ipaddress.IPv6Network
    return str(kind((start, length)))


@pure("cidrhost", STRING, NUMBER, result=STRING)
def _cidrhost(prefix: str, host: Number) -> str:
    network = _network(prefix)
    at = whole_number(host, "the host number")
    size = 1 << (network.max_prefixlen - network.prefixlen)
    if not -size <= at < size:
        raise Failure("the network is too small for that host number")
    return str(network.network_address + (at if at >= 0 else size + at))


@pure("cidrnetmask", STRING, result=STRING)
def _cidrnetmask(prefix: str) -> str:
    network = _network(prefix)
    if network.version != 4:
        raise Failure("only IPv4 networks have a netmask")
    return str(network.netmask)


@pure("cidrsubnet", STRING, NUMBER, NUMBER, result=STRING)
def _cidrsubnet(prefix: str, bits: Number, at: Number) -> str:
    network = _network(prefix)
    new_bits, place = whole_number(bits, "the number of bits"), whole_number(at, "the network number")
    if new_bits < 0 or place < 0:
        raise Undecided("a negative number of bits or of a network", type_=STRING)
    length = network.prefixlen + new_bits
    if length > network.max_prefixlen:
        raise Failure("the network is too small for so many bits")
    if place >= 1 << new_bits:
        raise Failure("there are not so many networks of that size")
    return _subnet(network, length, place)


@pure("cidrsubnets", STRING, result=Collection("list", STRING), variadic=NUMBER)
def _cidrsubnets(prefix: str, *sizes: Number) -> list[str]:
    network = _network(prefix)
    total = network.max_prefixlen
    at, end = int(network.network_address), int(network.broadcast_address)
    result = []
    for size in sizes:
        new_bits = whole_number(size, "the number of bits")
        if new_bits < 1 or new_bits > 32:
            raise Failure("each network must be longer by one to 32 bits")
        length = network.prefixlen + new_bits
        if length > total:
            raise Failure("the network is too small for so many bits")
        step = 1 << (total - length)
        at = -(-at // step) * step
        if at + step - 1 > end:
            raise Failure("the networks do not fit into the prefix")
        result.append(_subnet(network, length, (at - int(network.network_address)) // step))
        at += step
    return result
