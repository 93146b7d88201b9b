"""Many who ask at once, in a process of their own, and one who measures meanwhile how soon the server answers."""

import contextlib
import json
import multiprocessing
import socket
import time
from collections.abc import Iterator, Sequence
from multiprocessing.synchronize import Event
from threading import Barrier, Thread

from tests.tools.server import Server

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
PAUSE = 0.002
COUNT = 120_000


def posted(path: str, body: bytes) -> bytes:
    """A request, as its bytes."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def worst_bodies() -> dict[str, bytes]:
    """Bodies of just under 256 KiB that take long to judge, by what they are full of."""
    tensor = {"role": "data", "values": [0]}
    program = {"source": "y = x", "tensors": {"x": tensor}}
    made = {
        "whole numbers": program | {"tensors": {"x": tensor | {"values": [1] * COUNT}}},
        "rows of one": program | {"tensors": {"x": tensor | {"values": [[1]] * 60_000}}},
        "empty tensors": program | {"tensors": {f"{i:x}": {} for i in range(22_000)}},
        "unknown fields": {f"{i:x}": 1 for i in range(24_000)},
        "constants of null": program | {"constants": {f"{i:x}": None for i in range(18_000)}},
    }
    return {name: json.dumps(document, separators=(",", ":")).encode() for name, document in made.items()}


@contextlib.contextmanager
def asking(server: Server, requests: Sequence[bytes], connections: int) -> Iterator[None]:
    """So many connections that ask without a pause, each its own of the requests, from before this returns on."""
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    crowd = context.Process(target=ask_for_ever, args=(server.address, list(requests), connections, begun), daemon=True)
    crowd.start()
    try:
        assert begun.wait(30)
        yield
    finally:
        crowd.kill()
        crowd.join()


def ask_for_ever(address: tuple[str, int], requests: list[bytes], connections: int, begun: Event) -> None:
    """Ask on each connection, one request after another, and read what comes."""
    together = Barrier(connections + 1)
    for number in range(connections):
        request = requests[number % len(requests)]
        Thread(target=ask_again, args=(address, request, together), daemon=True).start()
    together.wait()
    begun.set()
    time.sleep(3600)


def ask_again(address: tuple[str, int], request: bytes, together: Barrier) -> None:
    """Ask for the same thing again and again, on a new connection when the old one is closed."""
    buffer = bytearray(1 << 20)
    first = True
    while True:
        with contextlib.suppress(OSError), socket.create_connection(address, 60) as client:
            if first:
                together.wait()
            first = False
            while True:
                client.sendall(request)
                read_one(client, buffer)


def read_one(client: socket.socket, buffer: bytearray) -> None:
    """Read one answer whose length is told in its head, and forget it."""
    got = client.recv_into(buffer)
    while (end := buffer.find(b"\r\n\r\n", 0, got)) < 0:
        more = client.recv_into(memoryview(buffer)[got:])
        if not more:
            raise ConnectionResetError
        got += more
    head = bytes(buffer[:end]).lower()
    rest = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]) + end + 4 - got
    while rest > 0:
        more = client.recv_into(buffer)
        if not more:
            raise ConnectionResetError
        rest -= more


def waits(server: Server, seconds: float) -> list[float]:
    """Seconds that /healthz takes on a connection that is open, asked every other millisecond."""
    found, buffer = [], bytearray(4096)
    with server.connect() as client:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            began = time.perf_counter()
            client.sendall(HEALTH)
            read_one(client, buffer)
            found.append(time.perf_counter() - began)
            time.sleep(PAUSE)
    return sorted(found)


def at(share: float, values: Sequence[float]) -> float:
    """The value that this share of sorted ones stays under."""
    return values[min(int(share * len(values)), len(values) - 1)]
