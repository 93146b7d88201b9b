"""Follows a stream of server-sent events over a connection of its own, which may be dropped at any byte."""

from __future__ import annotations

import http.client
import json
import random
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any

from backend.training.event_types import RunEvent
from tests.support.schema_check import faults
from tests.tools.server import JSON, Reply, Server

ENDS = {"splits", "lost", "diverged"}


@dataclass(frozen=True)
class Received:
    """One whole event."""

    number: int
    data: dict[str, Any]


class Stream:
    """The events of one connection."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.response, self.rest = response, b""

    def __iter__(self) -> Iterator[Received]:
        while True:
            yield from self.whole()
            piece = self.response.read1(1 << 16)
            if not piece:
                return
            self.rest += piece

    def whole(self) -> Iterator[Received]:
        """Those that have arrived whole."""
        while b"\n\n" in self.rest:
            block, _, self.rest = self.rest.partition(b"\n\n")
            if block.startswith(b"id: "):
                number, data = block.split(b"\n", 1)
                event = json.loads(data.removeprefix(b"data: "))
                assert faults(event, RunEvent, event["kind"]) == []
                yield Received(int(number[4:]), event)

    def some(self, draw: random.Random) -> None:
        """Read a few bytes, wherever they may end, and no more."""
        self.rest += self.response.read1(draw.randint(1, 6_000))


def ask_from(server: Server, address: str, method: str, path: str, document: object = None) -> Reply:
    """The answer to a client at another address of this machine, such as 127.0.0.2; of a stream, the head alone."""
    body = None if document is None else json.dumps(document).encode()
    connection = http.client.HTTPConnection(*server.address, timeout=240, source_address=(address, 0))
    with closing(connection):
        connection.request(method, path, body, JSON)
        with closing(connection.getresponse()) as response:
            endless = "content-length" not in response.headers
            return Reply(response.status, response.headers, b"" if endless else response.read())


@contextmanager
def stream(server: Server, run: str, after: int | None = None, address: str = "127.0.0.1") -> Iterator[Stream]:
    """An open stream; closed without a word at the end."""
    connection = http.client.HTTPConnection(*server.address, timeout=240, source_address=(address, 0))
    try:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        connection.request("GET", f"/api/training/{run}/events", headers=headers)
        response = connection.getresponse()
        assert response.status == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Stream(response)
    finally:
        connection.close()


def until(server: Server, run: str, *kinds: str, after: int | None = None) -> list[Received]:
    """The events of a run up to the first of one of these kinds."""
    found = []
    with stream(server, run, after) as events:
        for event in events:
            found.append(event)
            if event.data["kind"] in (kinds or ENDS):
                return found
    raise AssertionError(f"the stream ended before {kinds}: {found[-1:]}")


@contextmanager
def left_unread(server: Server, run: str) -> Iterator[int]:
    """The status of a stream of which nothing is read, once the server has begun to send it."""
    with socket.socket() as client:
        client.settimeout(240)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(server.address)
        client.sendall(f"GET /api/training/{run}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        yield int(client.recv(12, socket.MSG_PEEK | socket.MSG_WAITALL).removeprefix(b"HTTP/1.1 "))
