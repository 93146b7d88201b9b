"""Who may ask: hosts, origins, content types; and the headers that every answer carries."""

from typing import Any

import pytest
from pydantic import ValidationError

from app.settings import Settings
from tests.tools.forked import forked
from tests.tools.server import JSON, Server, read_from

LESSON = b'{"lesson": "makemore-mlp"}'
EVERYWHERE = [("GET", "/"), ("GET", "/healthz"), ("GET", "/api/lessons"), ("GET", "/nothing"), ("POST", "/api/walk")]


@pytest.mark.parametrize(("method", "path"), EVERYWHERE)
def test_security_headers_are_on_every_answer(server: Server, method: str, path: str) -> None:
    headers = server.ask(method, path, LESSON if method == "POST" else None, JSON).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe-eval" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cache-control"]
    assert headers["server"] is None
    assert headers["access-control-allow-origin"] is None


@pytest.mark.parametrize("site", ["https://a.example; script-src *", "'self'", "*", "a.example", "https://a.example/x"])
def test_only_origins_may_be_named_for_frames(site: str) -> None:
    assert Settings(embed_in=("https://a.example", "http://*.b.example:81")).embed_in
    with pytest.raises(ValidationError):
        Settings(embed_in=(site,))


@pytest.mark.parametrize(
    "path", ["/walk/first-steps?step=2&embed", "/practise/first-steps?at=dx&embed", "/lab?embed", "/code?embed"]
)
def test_a_part_may_be_framed_by_our_own_pages_alone(server: Server, path: str) -> None:
    headers = server.get(path).headers
    assert "frame-ancestors 'self';" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "SAMEORIGIN"


def test_a_part_may_be_framed_where_the_operator_says() -> None:
    with forked(embed_in="https://a.example,https://b.example") as server:
        headers = server.get("/walk/first-steps?step=2&embed").headers
        assert "frame-ancestors 'self' https://a.example https://b.example;" in headers["content-security-policy"]
        assert headers["x-frame-options"] is None
        headers = server.get("/practise/first-steps?embed").headers
        assert "frame-ancestors 'self';" in headers["content-security-policy"], (
            "what a class is shown is not for others"
        )
        assert headers["x-frame-options"] == "SAMEORIGIN"
        for path in (
            "/walk/first-steps",
            "/walk/first-steps?step=embedded",
            "/api/lessons?embed",
            "/?embed",
            "/practise",
        ):
            assert server.get(path).headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]", "[::1]:8000", "LOCALHOST"])
def test_loopback_hosts_are_served(server: Server, host: str) -> None:
    assert server.get("/healthz", Host=host).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "evil.example:localhost", "", "::1"]
)
def test_other_hosts_are_refused(server: Server, host: str) -> None:
    reply = server.get("/healthz", Host=host)
    assert (reply.status, reply.error["code"]) == (400, "host-refused")
    assert "content-security-policy" in reply.headers


@pytest.mark.parametrize("hosts", [b"", b"Host: localhost\r\nHost: evil.example\r\n"])
def test_no_host_and_two_hosts_are_refused(server: Server, hosts: bytes) -> None:
    with server.connect() as client:
        client.sendall(b"GET /healthz HTTP/1.1\r\n" + hosts + b"\r\n")
        assert read_from(client).error["code"] == "host-refused"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost.evil.example", "https://{host}", ""]
)
def test_other_origins_are_refused(server: Server, origin: str) -> None:
    host = "{}:{}".format(*server.address)
    reply = server.ask("POST", "/api/walk", LESSON, JSON | {"Origin": origin.format(host=host)})
    assert (reply.status, reply.error["code"]) == (403, "origin-refused")


def test_another_port_of_this_machine_is_another_origin(server: Server) -> None:
    reply = server.ask("POST", "/api/walk", LESSON, JSON | {"Origin": "http://127.0.0.1:1"})
    assert reply.error["code"] == "origin-refused"


def test_its_own_origin_is_served(server: Server) -> None:
    assert server.ask("POST", "/api/walk", LESSON, JSON | {"Origin": server.url}).status == 200


@pytest.mark.parametrize("path", ["/api/lessons/makemore-mlp/program?seed=3", "/api/starts", "/api/nothing"])
def test_pages_of_other_sites_start_no_work(server: Server, path: str) -> None:
    reply = server.get(path, **{"Sec-Fetch-Site": "cross-site"})
    assert (reply.status, reply.error["code"]) == (403, "origin-refused")
    assert server.ask("POST", "/api/walk", LESSON, JSON | {"Sec-Fetch-Site": "cross-site"}).status == 403


@pytest.mark.parametrize("site", ["same-origin", "same-site", "none"])
def test_what_its_own_pages_and_address_bars_ask_for_is_served(server: Server, site: str) -> None:
    assert server.get("/api/lessons", **{"Sec-Fetch-Site": site}).status == 200
    assert server.ask("POST", "/api/walk", LESSON, JSON | {"Sec-Fetch-Site": site}).status == 200


@pytest.mark.parametrize("path", ["/", "/code", "/walk/first-steps"])
def test_pages_may_be_linked_to_from_anywhere(server: Server, path: str) -> None:
    assert server.get(path, **{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}).status == 200


def test_the_content_type_may_have_parameters(server: Server) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert server.ask("POST", "/api/walk", LESSON, headers).status == 200


def test_configured_hosts_and_origins_are_served() -> None:
    settings: dict[str, Any] = {
        "allowed_hosts": "class.example, other.example",
        "allowed_origins": "https://class.example",
    }
    with forked(workers=1, **settings) as server:
        assert server.get("/healthz", Host="other.example:8000").status == 200
        headers = JSON | {"Host": "class.example", "Origin": "https://class.example"}
        for more in ({}, {"Sec-Fetch-Site": "cross-site"}):
            assert server.ask("POST", "/api/walk", LESSON, headers | more).status == 200
        assert server.get("/healthz", Host="third.example").error["code"] == "host-refused"
