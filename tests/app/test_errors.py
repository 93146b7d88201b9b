"""Every error has the one shape and a proper status, whoever raised it."""

import asyncio
import json

import pytest
from fastapi import FastAPI
from starlette.types import Message

from app import errors
from tests.tools.server import JSON, Server


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "code"),
    [
        ("GET", "/api/nothing", None, {}, 404, "not-found"),
        ("GET", "/nothing", None, {}, 404, "not-found"),
        ("GET", "/api/walk", None, {}, 405, "method-not-allowed"),
        ("DELETE", "/api/lessons", b"{}", JSON, 405, "method-not-allowed"),
        ("DELETE", "/api/walk", None, {}, 405, "method-not-allowed"),
        ("PATCH", "/api/walk", None, {}, 405, "method-not-allowed"),
        ("TRACE", "/", None, {}, 405, "method-not-allowed"),
        ("PUT", "/code", None, {}, 405, "method-not-allowed"),
        ("POST", "/api/walk", None, {}, 422, "request-invalid"),
        ("POST", "/api/walk", b"{", JSON, 400, "json-invalid"),
        ("POST", "/api/walk", b"\xff\xfe{}", JSON, 400, "json-invalid"),
        ("POST", "/api/walk", b'"\xff"', JSON, 400, "request-malformed"),
        ("POST", "/api/walk", b"[" * 100_000, JSON, 400, "request-malformed"),
        ("POST", "/api/walk", b"9" * 10_000, JSON, 400, "request-malformed"),
        ("POST", "/api/walk", b"{}", {"Content-Type": "text/plain"}, 415, "not-json"),
        ("POST", "/api/walk", b"{}", {}, 415, "not-json"),
        ("POST", "/api/walk", b"{}", JSON, 422, "request-invalid"),
        ("POST", "/api/walk", b"[]", JSON, 422, "request-invalid"),
        ("POST", "/api/walk", b"", JSON, 422, "request-invalid"),
        ("POST", "/api/walk?arrays=strings", b'{"lesson": "makemore-mlp"}', JSON, 422, "request-invalid"),
        ("POST", "/api/walk?array=lists", b'{"lesson": "makemore-mlp"}', JSON, 422, "request-invalid"),
    ],
)
def test_malformed_requests(
    server: Server, method: str, path: str, body: bytes | None, headers: dict[str, str], status: int, code: str
) -> None:
    reply = server.ask(method, path, body, headers)
    assert (reply.status, reply.error["code"]) == (status, code)
    assert reply.error["message"].endswith(".")


def test_a_405_names_the_methods(server: Server) -> None:
    assert server.get("/api/walk").headers["allow"] == "POST"
    assert server.ask("DELETE", "/api/lessons").headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/api/lessons", "/api/ops", "/api/lessons/first-steps", "/code"]
)
def test_head_is_get_without_the_body(server: Server, path: str) -> None:
    head, get = server.ask("HEAD", path), server.get(path)
    assert (head.status, head.body) == (200, b"")
    for name in ("content-type", "content-length", "cache-control"):
        assert head.headers[name] == get.headers[name]


@pytest.mark.parametrize(("path", "status"), [("/nothing", 404), ("/api/lessons/nothing", 404), ("/api/walk", 405)])
def test_head_of_what_is_not_there(server: Server, path: str, status: int) -> None:
    assert server.ask("HEAD", path).status == status


@pytest.mark.parametrize("path", ["/api/lessons/nothing", "/api/lessons/..%2f..%2fetc", "/api/lessons/%00"])
def test_an_unknown_lesson(server: Server, path: str) -> None:
    reply = server.get(path)
    assert reply.status == 404
    assert reply.error["message"]


def test_an_unknown_lesson_to_walk(server: Server) -> None:
    reply = server.post("/api/walk", {"lesson": "nothing"})
    assert reply.status == 404
    assert reply.error["message"]


async def _answer(app: FastAPI, path: str) -> tuple[int, bytes]:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
    with pytest.raises(ZeroDivisionError):  # raised again for the server's log, after the answer
        await app(scope, receive, send)
    return sent[0]["status"], sent[1]["body"]


def test_a_fault_of_ours_tells_nothing_of_its_cause() -> None:
    app = FastAPI()
    errors.install(app)

    @app.get("/fault")
    async def fault() -> float:
        secret = 0
        return 1 / secret

    status, body = asyncio.run(_answer(app, "/fault"))
    assert status == 500
    assert json.loads(body)["error"]["code"] == "internal"
    for word in ("Traceback", "ZeroDivision", "division", "secret"):
        assert word.encode() not in body
