"""Bodies that are too large, endless or slow, heads that never end: each is answered in time and costs nothing."""

import socket
from collections.abc import Iterator

import pytest

from app.settings import Settings
from tests.tools.server import JSON, Server, read_from, running

LIMIT = Settings().body_bytes
POST = b"POST /api/walk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
CHUNK = b"1000\r\n" + b" " * 0x1000 + b"\r\n"


@pytest.fixture(scope="module")
def hasty() -> Iterator[Server]:
    """A server with little patience."""
    with running(workers=1, body_seconds=0.3, header_seconds=0.3, idle_seconds=1, connections=8) as server:
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
        sent = send_until_cut_off(client)
        assert sent < 64 * 2**20
        reply = read_from(client)
    assert (reply.status, reply.error["code"]) == (413, "body-too-large")
    assert server.get("/healthz").status == 200


def send_until_cut_off(client: socket.socket) -> int:
    """Send chunks until the server has closed the connection; the number of bytes it took."""
    for count in range(100_000):
        try:
            client.sendall(CHUNK)
        except OSError:
            return count * len(CHUNK)
    return 100_000 * len(CHUNK)


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


def test_an_idle_connection_is_closed_even_when_blank_lines_arrive(hasty: Server) -> None:
    with hasty.connect(timeout=5) as client:
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
