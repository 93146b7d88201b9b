"""Bodies that are too large, endless or slow, heads that never end: each is answered in time and costs nothing."""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings import Settings
from tests.tools.forked import forked
from tests.tools.server import JSON, Server, read_from

LIMIT = Settings().body_bytes
POST = b"POST /api/walk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
CHUNK = b"1000\r\n" + b" " * 0x1000 + b"\r\n"


@pytest.fixture(scope="module")
def hasty() -> Iterator[Server]:
    """A server with little patience."""
    with forked(workers=1, body_seconds=0.3, header_seconds=0.3, idle_seconds=1, connections=8) as server:
        yield server


def test_a_body_of_just_the_limit_is_read(server: Server) -> None:
    body = b'{"lesson": "makemore-mlp"}'.ljust(LIMIT)
    assert server.ask("POST", "/api/walk", body, JSON).status == 200


def test_one_byte_more_is_refused(server: Server) -> None:
    reply = server.ask("POST", "/api/walk", b" " * (LIMIT + 1), JSON)
    assert (reply.status, reply.error["code"]) == (413, "body-too-large")


def test_a_length_over_the_limit_is_refused_before_the_body_comes(server: Server) -> None:
    with server.connect() as client:
        client.sendall(POST + b"Content-Length: 10000000000\r\n\r\n")
        assert read_from(client).status == 413


@pytest.mark.parametrize("megabytes", [1, 6, 20])
@pytest.mark.parametrize("more", [{}, {"Content-Type": "text/plain"}, {"Origin": "http://evil.example"}])
def test_a_client_that_sends_it_all_before_it_reads_sees_why_not(
    server: Server, megabytes: int, more: dict[str, str]
) -> None:
    reply = server.ask("POST", "/api/walk", b" " * (megabytes << 20), JSON | more)
    assert reply.error["code"] in {"body-too-large", "not-json", "origin-refused"}
    assert reply.headers["connection"] == "close"


def test_a_large_body_in_chunks_is_told_so_too(server: Server) -> None:
    reply = server.ask("POST", "/api/walk", (b" " * 2**16 for _ in range(160)), JSON)
    assert (reply.status, reply.error["code"]) == (413, "body-too-large")


def test_an_endless_chunked_body_is_cut_off(server: Server) -> None:
    with server.connect() as client:
        client.sendall(CHUNKED)
        sent = send_until_cut_off(client, CHUNK, 100_000)
        assert sent < 64 * 2**20
        reply = read_from(client)
    assert (reply.status, reply.error["code"]) == (413, "body-too-large")
    assert server.get("/healthz").status == 200


def send_until_cut_off(client: socket.socket, piece: bytes, times: int) -> int:
    """Send the same piece until the server has closed the connection; the number of bytes it took."""
    for count in range(times):
        try:
            client.sendall(piece)
        except OSError:
            return count * len(piece)
    return times * len(piece)


def test_a_slow_body_is_given_up(hasty: Server) -> None:
    with hasty.connect() as client:
        client.sendall(CHUNKED + b"1\r\n{\r\n")
        reply = read_from(client)
    assert (reply.status, reply.error["code"]) == (408, "body-too-slow")


@pytest.mark.parametrize("head", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_a_slow_head_is_given_up(hasty: Server, head: bytes) -> None:
    with hasty.connect() as client:
        client.sendall(head)
        reply = read_from(client)
    assert (reply.status, reply.error["code"]) == (408, "head-too-slow")


def test_a_head_that_trickles_is_given_up(hasty: Server) -> None:
    with hasty.connect(timeout=0.05) as client:
        client.sendall(b"GET / HTTP/1.1\r\n")
        answer = trickle(client, b"X-More: 1\r\n")
    assert b" 408 " in answer


def trickle(client: socket.socket, line: bytes) -> bytes:
    """Send a line again and again until there is an answer; its beginning."""
    for _ in range(1000):
        client.sendall(line)
        try:
            return client.recv(100)
        except TimeoutError:
            continue
    return b""


ENDLESS = {
    "lines": (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"A: b\r\n" * 1000),
    "a value": (b"GET / HTTP/1.1\r\nHost: localhost\r\nA: ", b"b" * 6000),
    "a name": (b"GET / HTTP/1.1\r\n", b"a" * 6000),
    "an address": (b"GET /", b"a" * 6000),
    "blank lines": (b"", b"\r\n" * 3000),
    "trailers": (CHUNKED + b"2\r\n{}\r\n0\r\n", b"A: b\r\n" * 1000),
    "a trailer": (CHUNKED + b"2\r\n{}\r\n0\r\nA: ", b"b" * 6000),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_an_endless_head_is_cut_off(server: Server, kind: str) -> None:
    begin, more = ENDLESS[kind]
    with server.connect() as client:
        client.sendall(begin)
        assert send_until_cut_off(client, more, 10_000) < 32 * 2**20
        reply = read_from(client)
    assert (reply.status, reply.error["code"]) == (431, "head-too-large")
    assert reply.headers["connection"] == "close"


def test_an_endless_head_behind_an_answer_is_cut_off(server: Server) -> None:
    """Without a word in the midst of the answer."""
    first = b"GET /api/ops HTTP/1.1\r\nHost: localhost\r\n\r\n" * 60  # more than the kernel takes while nobody reads
    with server.connect() as client:
        client.sendall(first + b"GET / HTTP/1.1\r\n")
        assert send_until_cut_off(client, b"A: b\r\n" * 1000, 10_000) < 32 * 2**20
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(1 << 20):
                assert b"head-too-large" not in piece


def test_what_follows_a_body_that_was_told_too_short_is_refused(server: Server) -> None:
    with server.connect() as client:
        client.sendall(POST + b'Content-Length: 10\r\n\r\n{"lesson": "makemore-mlp"}')
        assert read_from(client).error["code"] == "request-malformed"


@pytest.mark.parametrize(("size", "status"), [(30_000, 200), (33_000, 431)])
def test_a_head_of_just_the_limit_is_read(server: Server, size: int, status: int) -> None:
    assert server.get("/healthz", More="a" * size).status == status


@pytest.mark.parametrize(("count", "status"), [(90, 200), (101, 431)])
def test_a_head_of_many_headers(server: Server, count: int, status: int) -> None:
    assert server.get("/healthz", **{f"More-{i}": "a" for i in range(count)}).status == status


def test_long_heads_leave_the_server_s_memory_alone(server: Server) -> None:
    before = memory(server)
    for begin, more in ENDLESS.values():
        with server.connect() as client:
            client.sendall(begin)
            send_until_cut_off(client, more, 10_000)
    assert memory(server) < before + 32 * 2**20


def memory(server: Server) -> int:
    """Bytes of memory that the server's own process has had at most, on Linux; elsewhere nothing is told."""
    status = Path(f"/proc/{server.process.pid}/status")
    return int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024 if status.exists() else 0


def test_an_idle_connection_is_closed_even_when_blank_lines_arrive(hasty: Server) -> None:
    with hasty.connect() as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert read_from(client).status == 200
        client.sendall(b"\r\n")
        assert read_from(client).error["code"] == "head-too-slow"


def test_more_connections_than_the_limit_are_refused(hasty: Server) -> None:
    clients = [hasty.connect() for _ in range(9)]
    try:
        reply = read_from(clients[-1])
        assert (reply.status, reply.error["code"]) == (503, "too-many-connections")
        assert reply.headers["retry-after"]
    finally:
        for client in clients:
            client.close()


def test_what_is_not_http_is_answered_in_the_one_shape(server: Server) -> None:
    with server.connect() as client:
        client.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        reply = read_from(client)
    assert (reply.status, reply.error["code"]) == (400, "request-malformed")
