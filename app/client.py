"""Identifies clients: one name for all addresses of a client, by which shares of the server are counted."""

from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network

PREFIX = 64  # bits of an IPv6 address that one household or machine has to itself: the rest it may choose as it likes
LONGEST = 64
MOST_KNOWN = 1024  # addresses whose names are kept


def client_name(client: Sequence[object] | None) -> str:
    """The client at an address and port: an IPv4 address, the /64 of an IPv6 address; "" for one without an address."""
    return _named(str(client[0])[:LONGEST]) if client else ""


@lru_cache(MOST_KNOWN)
def _named(host: str) -> str:
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, PREFIX), strict=False))


def forget_clients() -> None:
    """Keep no address of anybody who has been here."""
    _named.cache_clear()


def within(client: Sequence[object] | None, networks: Sequence[str]) -> bool:
    """Whether a client's address is one of these, or in one of these networks."""
    if not networks or not client:
        return False
    try:
        address = ip_address(str(client[0]).partition("%")[0])
    except ValueError:
        return False
    return any(address in ip_network(network) for network in networks)
