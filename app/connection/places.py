"""The limit on connections: a client with more than its share makes room for one with less."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

from app.settings import Settings


class Connection(Protocol):
    """What this module needs of a connection."""

    transport: asyncio.Transport
    client_name: str
    proxy: bool

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""

    def turn_away(self) -> None:
        """Close it to make room."""


def has_place(newcomer: Connection, connections: Iterable[Any], settings: Settings) -> bool:
    """Whether a new connection may stay; if all places are taken, the client with the most loses one for it.

    A class behind one address is one client with many connections, so the share per client isn't a limit while places
    are free: it is what every other client is guaranteed.
    """
    there: list[Connection] = [one for one in connections if not one.transport.is_closing()]
    if len(there) <= settings.connections:
        return True
    held = Counter(one.client_name for one in there if not one.proxy)
    most, count = max(held.items(), key=lambda item: item[1], default=("", 0))
    own = 0 if newcomer.proxy else held[newcomer.client_name]
    if count <= settings.connections_per_address or own > settings.connections_per_address:
        return False
    theirs = [one for one in there if one.client_name == most and not one.proxy]
    next((one for one in theirs if one.idle), theirs[0]).turn_away()
    return True
