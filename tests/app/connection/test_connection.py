"""One client's share: of connections, and of answers that it does not read; and who is one client."""

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from app.client import client_name
from app.settings import Settings
from tests.support.crowd import posted
from tests.support.sockets import HEALTH, connect, is_served
from tests.support.waiting import eventually
from tests.tools.forked import forked
from tests.tools.server import JSON, Reply, Server, read_from, running

OPERATIONS = b"GET /api/ops HTTP/1.1\r\nHost: localhost\r\n\r\n"
MANY = 60  # answers of the longest list: more than two kernels' buffers hold
LESSON = b'{"lesson": "first-steps"}'


def ask(server: Server, address: str, request: bytes) -> Reply:
    with connect(server, address) as client:
        client.sendall(request)
        return read_from(client)


@contextlib.contextmanager
def unread(server: Server, count: int, request: bytes = OPERATIONS) -> Iterator[list[socket.socket]]:
    """So many connections that ask for more than they ever read."""
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connect(server)) for _ in range(count)]
        for client in clients:
            client.sendall(request * MANY)
        yield clients


def open_files(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))  # noqa: PTH208


@pytest.fixture(scope="module")
def strict() -> Iterator[Server]:
    """Little patience with readers, and few places."""
    patience: dict[str, Any] = {"stalled_seconds": 0.4, "idle_seconds": 30, "header_seconds": 30}
    with running(workers=1, connections=12, connections_per_address=3, **patience) as server:
        assert ask(server, "127.0.0.1", OPERATIONS).status == 200
        yield server


needs_proc = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux shows open files")


@needs_proc
def test_whoever_reads_nothing_of_an_answer_is_let_go(strict: Server) -> None:
    before = open_files(strict)
    with unread(strict, 4):
        assert eventually(lambda: open_files(strict) >= before + 3)
        assert eventually(lambda: open_files(strict) <= before)


@needs_proc
def test_memory_is_given_back_when_answers_are_gone(strict: Server) -> None:
    """Of answers of several megabytes each, once they have been written, or never will be."""
    size, before = len(strict.post("/api/walk?arrays=lists", large(0)).body), memory(strict)
    assert size > 2 << 20
    requests = [posted("/api/walk?arrays=lists", json.dumps(large(seed)).encode()) for seed in range(1, 7)]
    with contextlib.ExitStack() as stack:
        for request in requests:
            stack.enter_context(connect(strict)).sendall(request)
        assert eventually(lambda: memory(strict) > before + size)
    assert eventually(lambda: memory(strict) < before + size)


def large(seed: int) -> dict[str, Any]:
    """A program whose walk is megabytes."""
    tensors = {"h": {"role": "parameter", "shape": [60, 60], "init": "randn", "scale": 0.1, "seed": seed}}
    return {"source": "for i in range(12):\n    h = torch.tanh(h @ h)\nloss = h.mean()", "tensors": tensors}


def memory(server: Server) -> int:
    """Bytes of memory that the server's own process has."""
    return int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_whoever_reads_slowly_gets_it_all(strict: Server) -> None:
    with connect(strict) as client:
        client.sendall(OPERATIONS * 8)
        replies = [read_in_small_pieces(client) for _ in range(8)]
    assert len(set(replies)) == 1
    assert replies[0] > 50_000


def read_in_small_pieces(client: socket.socket) -> int:
    """The length of one answer, read so that the server's buffer is seldom empty."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += client.recv(1)
    length = int(got.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    rest = length
    while rest:
        rest -= len(client.recv(min(rest, 4096)))
    return length


def test_one_address_may_have_every_place_that_nobody_else_needs(strict: Server) -> None:
    with contextlib.ExitStack() as stack:
        greedy = [stack.enter_context(connect(strict)) for _ in range(12)]
        for client in greedy:
            client.sendall(HEALTH)
            assert read_from(client).status == 200
        reply = ask(strict, "127.0.0.1", HEALTH)
        assert (reply.status, reply.error["code"]) == (503, "too-many-connections")
        others = [stack.enter_context(connect(strict, "127.0.0.2")) for _ in range(4)]
        statuses = []
        for client in others:
            client.sendall(HEALTH)
            statuses.append(read_from(client).status)
        assert statuses == [200, 200, 200, 503]
        assert sum(is_served(client) for client in greedy) == 9, "who comes takes the place of one of theirs"


@pytest.fixture(scope="module")
def proxied() -> Iterator[Server]:
    """A server behind a proxy on this machine, that lets one client have a megabyte unread."""
    with forked(workers=1, unread_mib=1, trusted_proxies="127.0.0.1, 10.1.0.0/16") as server:
        assert ask(server, "127.0.0.1", OPERATIONS).status == 200
        yield server


def forwarded(request: bytes, client: str) -> bytes:
    return request.replace(b"\r\n", b"\r\nX-Forwarded-For: " + client.encode() + b"\r\n", 1)


def test_too_much_that_is_unread_keeps_back_more(proxied: Server) -> None:
    """From whoever does not read it, by the address that the trusted proxy tells; and only until it is read or gone."""
    full = forwarded(OPERATIONS, "8.8.8.8, 2001:db8::1, 10.1.2.3")
    with unread(proxied, 16, full):
        asked_again = forwarded(OPERATIONS, "2001:db8::abcd")
        assert eventually(lambda: ask(proxied, "127.0.0.1", asked_again).status == 503)
        reply = ask(proxied, "127.0.0.1", asked_again)
        assert (reply.error["code"], reply.headers["retry-after"]) == ("answers-unread", "1")
        assert "content-security-policy" in reply.headers
        assert ask(proxied, "127.0.0.1", forwarded(HEALTH, "2001:db8::1")).status == 200
        for other in ("2001:db8:0:1::1", "8.8.8.8"):
            assert ask(proxied, "127.0.0.1", forwarded(OPERATIONS, other)).status == 200
        assert ask(proxied, "127.0.0.2", asked_again).status == 200, "this is no proxy: it may not speak for others"
    assert eventually(lambda: ask(proxied, "127.0.0.1", asked_again).status == 200)


@pytest.mark.parametrize(("address", "status"), [("127.0.0.1", 200), ("127.0.0.2", 403)])
def test_only_a_trusted_proxy_says_how_it_was_asked(proxied: Server, address: str, status: int) -> None:
    headers = JSON | {"Host": "localhost", "Origin": "https://localhost", "X-Forwarded-Proto": "https"}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    request = f"POST /api/walk HTTP/1.1\r\n{head}Content-Length: {len(LESSON)}\r\n\r\n".encode() + LESSON
    assert ask(proxied, address, request).status == status


def test_nobody_is_trusted_unless_named(server: Server) -> None:
    headers = JSON | {"Origin": "https://{}:{}".format(*server.address), "X-Forwarded-Proto": "https"}
    assert server.ask("POST", "/api/walk", LESSON, headers).status == 403


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::ffff", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
        ("x" * 1000, "x" * 64),
    ],
)
def test_who_is_one_client(address: str, name: str) -> None:
    assert client_name((address, 1)) == name
    assert client_name(None) == ""


@pytest.mark.parametrize("word", ["*", "proxy.example", "10.0.0.1/8", "10.0.0.0/40"])
def test_a_slip_in_the_trusted_proxies_is_told(word: str) -> None:
    with pytest.raises(ValidationError, match="trusted_proxies"):
        Settings(trusted_proxies=(word,))
