"""A relay in front of a server: bytes go to and fro as they are, until the line is cut.

One that is `hoarding` does what a proxy with a buffer does: of an answer without an end nothing arrives.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from threading import Lock, Thread

PIECE = 1 << 16
STREAM = b"content-type: text/event-stream"


class Relay:
    """Listens on an address of its own; `target` may become another one at any time."""

    def __init__(self, target: tuple[str, int]) -> None:
        self.target, self.is_cut, self.hoarding = target, False, False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self._lock = Lock()
        self._thread = Thread(target=self._accept, daemon=True)
        self._thread.start()

    @property
    def address(self) -> tuple[str, int]:
        """Where it listens."""
        host, port = self._listener.getsockname()
        return host, port

    @property
    def url(self) -> str:
        """Where clients find it."""
        return "http://{}:{}".format(*self.address)

    def cut(self) -> None:
        """Drop every connection in the middle of whatever it carries, and each new one at once."""
        with self._lock:
            self.is_cut = True
            for end in self._ends:
                _shut(end)
            self._ends.clear()

    def mend(self) -> None:
        """Carry new connections again."""
        self.is_cut = False

    def close(self) -> None:
        """Cut, and listen no more."""
        self.cut()
        _shut(self._listener)
        self._thread.join()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._carry(client)

    def _carry(self, client: socket.socket) -> None:
        with self._lock:
            if self.is_cut:
                return _shut(client)
            try:
                server = socket.create_connection(self.target)
            except OSError:
                return _shut(client)
            self._ends += client, server
        for source, sink in ((client, server), (server, client)):
            Thread(target=_pump, args=(source, sink, self.hoarding), daemon=True).start()
        return None


def _pump(source: socket.socket, sink: socket.socket, hoarding: bool) -> None:
    kept = False
    with contextlib.suppress(OSError):
        while piece := source.recv(PIECE):
            kept = kept or (hoarding and STREAM in piece)
            if not kept:
                sink.sendall(piece)
    for end in (source, sink):
        _shut(end)


def _shut(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


@contextlib.contextmanager
def relayed(target: tuple[str, int]) -> Iterator[Relay]:
    """A relay that is closed at the end."""
    relay = Relay(target)
    try:
        yield relay
    finally:
        relay.close()
