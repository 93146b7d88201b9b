"""Somebody in a class: one who teaches, or who has a seat."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.tools.server import JSON, Reply, Server

LESSON = {"lesson": "makemore-mlp"}
ADDRESS = "/walk/makemore-mlp?step=40"


@dataclass
class Someone:
    """A browser, as far as a class is concerned: it keeps what proves its part."""

    server: Server
    path: str = ""
    cookies: dict[str, str] = field(default_factory=dict)

    def ask(self, method: str, rest: str, document: object = None) -> Reply:
        """The answer to a request about the class."""
        headers = dict(JSON) | {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None if document is None else json.dumps(document).encode()
        reply = self.server.ask(method, self.path + rest, body, headers)
        name, _, value = (reply.headers["set-cookie"] or "").partition(";")[0].partition("=")
        if name:
            self.cookies[name] = value
        return reply

    def tell(self, kind: str, **more: object) -> Reply:
        """What a teacher says."""
        return self.ask("POST", "/tell", {"kind": kind, **more})

    def answer(self, question: int, value: object, revision: int = 0, rounds: int = 1) -> Reply:
        """What a student answers."""
        given = {"question": question, "round": rounds, "revision": revision, "value": value}
        return self.ask("POST", "/answers", given)

    @contextmanager
    def events(self, rest: str = "/events") -> Iterator[Iterator[dict[str, Any]]]:
        """What a stream tells, as it comes."""
        connection = http.client.HTTPConnection(*self.server.address, timeout=240)
        try:
            cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            connection.request("GET", self.path + rest, headers={"Cookie": cookies})
            response = connection.getresponse()
            assert response.status == 200, response.read()
            yield told(response)
        finally:
            connection.close()


def board(teacher: Someone) -> dict[str, Any]:
    """What the teacher's board shows now."""
    with teacher.events("/board") as pictures:
        return next(pictures)


def told(response: http.client.HTTPResponse) -> Iterator[dict[str, Any]]:
    """The documents of a stream."""
    rest = b""
    while piece := response.read1(1 << 16):
        rest += piece
        while b"\n\n" in rest:
            block, _, rest = rest.partition(b"\n\n")
            for line in block.split(b"\n"):
                if line.startswith(b"data: "):
                    yield json.loads(line.removeprefix(b"data: "))


def opened(server: Server, address: str = ADDRESS) -> tuple[Someone, str, str]:
    """A class's teacher, its code, and the key of its board."""
    reply = server.post("/api/class", {"address": address})
    assert reply.status == 201, reply.body
    begun = reply.json()
    teacher = Someone(server, f"/api/class/{begun['id']}")
    assert teacher.ask("POST", "/enter", {"key": begun["teacher"]}).status == 200
    return teacher, begun["code"], begun["board"]


def joined(server: Server, code: str) -> Someone:
    """A student with a seat, who has begun to follow."""
    student = seated(server, code)
    with student.events() as told:
        next(told)
    return student


def seated(server: Server, code: str) -> Someone:
    """Somebody who has a seat, and has not followed yet."""
    student = Someone(server, "/api/class")
    reply = student.ask("POST", "/join", {"code": code})
    assert reply.status == 200, reply.body
    student.path += f"/{reply.json()['id']}"
    return student
