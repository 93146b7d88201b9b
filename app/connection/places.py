"""The limit on connections: a client with more than its share makes room for one with less."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Protocol

from starlette.types import Scope

from app.settings import Settings

STREAMING = "gradwalk.streaming"  # the extension by which an application says that an answer has no end
TEACHING = "gradwalk.teaching"  # and that by which it says that whoever asks teaches a class
MOST_TEACHERS = 100  # who are known; of more the one who has said nothing for longest is forgotten


class Connection(Protocol):
    """What this module needs of a connection."""

    client_name: str
    proxy: bool

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""

    def turn_away(self) -> None:
        """Close it to make room."""


class Places:
    """Who holds a place. All is counted as it changes, so that one more costs the same however many there are.

    A class behind one address is one client with many connections, so the share per client isn't a limit while places
    are free: it is what every other client is guaranteed. A stream of events lasts as long as its page: it has a place
    of another kind, which nobody takes away. And from where a class is taught there is always room for one more,
    however many strangers share all places among them.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.streams: set[Connection] = set()
        self.proxies: set[Connection] = set()
        self.teachers: OrderedDict[str, None] = OrderedDict()  # clients from which a class is taught
        self.held: dict[str, dict[Connection, None]] = {}  # of each client, the oldest first
        self.by_count: defaultdict[int, dict[str, None]] = defaultdict(dict)  # clients by how many they hold
        self.count = self.most = 0

    def enter(self, newcomer: Connection) -> bool:
        """Whether a new connection may stay; if all places are taken, the client with the most loses one for it."""
        self._add(newcomer)
        if self.count <= self.settings.connections:
            return True
        if not self._may_displace(newcomer):
            self.leave(newcomer)
            return False
        theirs = self.held[next(iter(self.by_count[self.most]))]
        victim = next((one for one in theirs if one.idle and one is not newcomer), next(iter(theirs)))
        self.leave(victim)
        victim.turn_away()
        return True

    def _may_displace(self, newcomer: Connection) -> bool:
        """Whether somebody goes for a new connection: for a teacher's always, unless all others are proxies'."""
        if newcomer.client_name in self.teachers and not newcomer.proxy:
            return self.most > 1 or len(self.held) > 1
        share = self.settings.connections_per_address
        own = 0 if newcomer.proxy else len(self.held[newcomer.client_name])
        return self.most > share >= own

    def leave(self, connection: Connection) -> None:
        """Give back the place of a connection, if it has one."""
        if connection in self.streams:
            self.streams.remove(connection)
        elif connection in self.proxies:
            self.proxies.remove(connection)
            self.count -= 1
        elif connection in self.held.get(connection.client_name, ()):
            del self.held[connection.client_name][connection]
            self.count -= 1
            self._moved(connection.client_name, -1)

    def teach(self, connection: Connection) -> None:
        """Remember from where a class is taught; a proxy's connections are no one client's."""
        if not connection.proxy:
            self.teachers[connection.client_name] = None
            self.teachers.move_to_end(connection.client_name)
            if len(self.teachers) > MOST_TEACHERS:
                self.teachers.popitem(last=False)

    def begin_stream(self, connection: Connection) -> bool:
        """Whether a connection may stay for as long as it likes."""
        if len(self.streams) >= self.settings.streams:
            return False
        self.leave(connection)
        self.streams.add(connection)
        return True

    def end_stream(self, connection: Connection) -> None:
        """A stream has ended and its connection is one like all others again."""
        if connection in self.streams:
            self.streams.remove(connection)
            self._add(connection)

    def _add(self, connection: Connection) -> None:
        self.count += 1
        if connection.proxy:
            self.proxies.add(connection)
            return
        self.held.setdefault(connection.client_name, {})[connection] = None
        self._moved(connection.client_name, 1)

    def _moved(self, client: str, by: int) -> None:
        """Keep `by_count` and `most` right after a client has got or lost one place."""
        now = len(self.held[client])
        before = now - by
        if before:
            del self.by_count[before][client]
            if not self.by_count[before]:
                del self.by_count[before]
        if now:
            self.by_count[now][client] = None
        else:
            del self.held[client]
        if now > self.most or (before == self.most and before not in self.by_count):
            self.most = now


def streaming(scope: Scope) -> Callable[[], bool]:
    """By what an application says that its answer to this request has no end, and hears whether there is room."""
    extension = scope.get("extensions", {}).get(STREAMING, {})
    begin: Callable[[], bool] = extension.get("begin", lambda: True)
    return begin


def teaching(scope: Scope) -> None:
    """Say that whoever sends this request has proven to teach a class."""
    scope.get("extensions", {}).get(TEACHING, {}).get("prove", lambda: None)()
