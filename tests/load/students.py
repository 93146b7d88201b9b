"""Students as asynchronous clients: each joins, follows, and answers once."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any

from tests.support.class_of import Someone, opened
from tests.tools.server import Server

PATIENCE = 120.0  # seconds, after which a run that hangs is given up


@dataclass
class Student:
    """One browser: a seat, and what its stream has told, each with the time at which it came."""

    address: tuple[str, int]
    path: str = ""
    cookie: str = ""
    told: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def join(self, code: str) -> None:
        """Take a seat."""
        head, body = await self._post("/api/class/join", {"code": code})
        assert head.startswith("HTTP/1.1 200"), head
        self.cookie = next(line for line in head.split("\r\n") if line.lower().startswith("set-cookie:"))
        self.cookie = self.cookie.partition(":")[2].partition(";")[0].strip()
        self.path = f"/api/class/{json.loads(body)['id']}"

    async def follow(self, until: str) -> None:
        """Hear everything until an event of that kind."""
        reader, writer = await asyncio.open_connection(*self.address)
        try:
            writer.write(
                f"GET {self.path}/events HTTP/1.1\r\nHost: {self._host()}\r\nCookie: {self.cookie}\r\n\r\n".encode()
            )
            while line := await reader.readline():
                if line.startswith(b"data: "):
                    self.told.append((time.perf_counter(), json.loads(line.removeprefix(b"data: "))))
                    self.news.set()
                    if self.told[-1][1]["kind"] == until:
                        return
        finally:
            writer.close()

    async def heard(self, count: int) -> None:
        """Until so many events have come."""
        while len(self.told) < count:
            self.news.clear()
            await self.news.wait()

    async def ask(self, method: str, rest: str, document: object) -> tuple[int, bytes]:
        """The answer to a request about the class."""
        head, body = await self._post(self.path + rest, document, method)
        return int(head.split()[1]), body

    async def answer(self, choice: int) -> float:
        """Answer the first question; how long it took until it was kept."""
        begun = time.perf_counter()
        given = {"question": 1, "round": 1, "revision": 0, "value": choice}
        head, _ = await self._post(f"{self.path}/answers", given)
        assert head.startswith("HTTP/1.1 201"), head
        return time.perf_counter() - begun

    def _host(self) -> str:
        return f"{self.address[0]}:{self.address[1]}"

    async def _post(self, path: str, document: object, method: str = "POST") -> tuple[str, bytes]:
        reader, writer = await asyncio.open_connection(*self.address)
        try:
            body = json.dumps(document).encode()
            head = f"{method} {path} HTTP/1.1\r\nHost: {self._host()}\r\nContent-Type: application/json\r\n"
            head += f"Content-Length: {len(body)}\r\nCookie: {self.cookie}\r\nConnection: close\r\n\r\n"
            writer.write(head.encode() + body)
            answer = await reader.read()
        finally:
            writer.close()
        told, _, rest = answer.partition(b"\r\n\r\n")
        return told.decode(), rest


@dataclass(frozen=True)
class Played:
    """What a class of so many took, in seconds, and what the teacher saw in the end."""

    joining: float
    steps: list[float]
    answers: list[float]
    bars: list[dict[str, Any]]
    told: list[list[str]]


async def play(server: Server, count: int, steps: int) -> Played:
    """A class from joining to the distribution of one question."""
    teacher, code, _ = await asyncio.to_thread(opened, server)
    students = [Student(server.address) for _ in range(count)]
    begun = time.perf_counter()
    await asyncio.gather(*(one.join(code) for one in students))
    joining = time.perf_counter() - begun
    following = [asyncio.create_task(one.follow("counted")) for one in students]
    try:
        async with asyncio.timeout(PATIENCE):
            await heard(students, 1)
            delays: list[float] = []
            for step in range(1, steps + 1):
                said = time.perf_counter()
                await say(teacher, "show", address=f"/walk/first-steps?step={step}")
                await heard(students, 1 + step)
                delays += [one.told[step][0] - said for one in students]
            ask = {"kind": "choice", "walk": {"lesson": "first-steps"}, "step": 0}
            choices = len((await say(teacher, "ask", ask=ask))["ask"]["choices"])
            answers = await asyncio.gather(*(one.answer(place % choices) for place, one in enumerate(students)))
            bars = (await say(teacher, "count"))["bars"]
            await asyncio.gather(*following)
    finally:
        for task in following:
            task.cancel()
    return Played(joining, delays, list(answers), bars, [[event["kind"] for _, event in one.told] for one in students])


async def say(teacher: Someone, kind: str, **more: object) -> dict[str, Any]:
    """What came of a word of the teacher's."""
    reply = await asyncio.to_thread(lambda: teacher.tell(kind, **more))
    assert reply.status == 200, reply.body
    told: dict[str, Any] = reply.json()
    return told


async def heard(students: list[Student], count: int) -> None:
    """Until everyone has heard so many events."""
    await asyncio.gather(*(one.heard(count) for one in students))
