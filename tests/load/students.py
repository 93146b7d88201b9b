"""Students as asynchronous clients: each joins, follows, and answers once."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.class_of import Someone, opened
from tests.tools.server import Server

PATIENCE = 120.0  # seconds, after which a run that hangs is given up
LOOK_EVERY = 0.002


@dataclass
class Stream(asyncio.Protocol):
    """Events as they arrive: a reader with lines would take longer than the server does, and be measured in its place.

    It is done when an event of a kind has come, or when the stream has ended.
    """

    told: list[tuple[float, dict[str, Any]]]
    until: str
    done: asyncio.Future[None]
    rest: bytes = b""
    last: int = 0

    def data_received(self, data: bytes) -> None:
        """Take what is whole."""
        now = time.perf_counter()
        *blocks, self.rest = (self.rest + data).split(b"\n\n")
        for block in blocks:
            before, found, document = block.partition(b"\ndata: ")
            if found:
                self.last = int(before.partition(b"id: ")[2] or self.last)
                self.told.append((now, json.loads(document)))
                if self.told[-1][1]["kind"] == self.until:
                    self._end()

    def connection_lost(self, _: Exception | None) -> None:
        """Whoever follows may come again."""
        self._end()

    def _end(self) -> None:
        if not self.done.done():
            self.done.set_result(None)


@dataclass
class Student:
    """One browser: a seat, and what its stream has told, each with the time at which it came."""

    address: tuple[str, int]
    own: str = "127.0.0.1"  # its own address
    path: str = ""
    cookie: str = ""
    told: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    last: int = 0  # the number of the latest event

    async def join(self, code: str) -> None:
        """Take a seat."""
        head, body = await self._post("/api/class/join", {"code": code})
        assert head.startswith("HTTP/1.1 200"), head
        self.cookie = next(line for line in head.split("\r\n") if line.lower().startswith("set-cookie:"))
        self.cookie = self.cookie.partition(":")[2].partition(";")[0].strip()
        self.path = f"/api/class/{json.loads(body)['id']}"

    async def follow(self, until: str) -> None:
        """Hear everything until an event of that kind."""
        loop = asyncio.get_running_loop()
        stream = Stream(self.told, until, loop.create_future())
        after = f"?after={self.last}" if self.last else ""
        transport, _ = await loop.create_connection(lambda: stream, *self.address, local_addr=(self.own, 0))
        try:
            head = f"GET {self.path}/events{after} HTTP/1.1\r\nHost: {self._host()}\r\nCookie: {self.cookie}\r\n\r\n"
            transport.write(head.encode())
            await stream.done
        finally:
            self.last = stream.last or self.last
            transport.close()

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

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(*self.address, local_addr=(self.own, 0))

    def _host(self) -> str:
        return f"{self.address[0]}:{self.address[1]}"

    async def _post(self, path: str, document: object, method: str = "POST") -> tuple[str, bytes]:
        reader, writer = await self._connected()
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


def crowd(server: Server, count: int) -> list[Student]:
    """So many, on machines of their own."""
    return [Student(server.address, f"127.0.{1 + place // 250}.{1 + place % 250}") for place in range(count)]


@dataclass
class Played:
    """What a class of so many took, in seconds and of the server's processor, and what the teacher saw in the end."""

    joining: float = 0.0
    steps: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    bars: list[dict[str, Any]] = field(default_factory=list)
    told: list[list[str]] = field(default_factory=list)
    processor: dict[str, float] = field(default_factory=dict)
    mib: float = 0.0  # of memory that the server has taken for it

    @contextmanager
    def costs(self, server: Server, part: str) -> Iterator[None]:
        """What the server spends in a part of it."""
        before = processor_seconds(server.process.pid)
        yield
        self.processor[part] = processor_seconds(server.process.pid) - before


def processor_seconds(process: int) -> float:
    """The processor time that a process has had, all its threads together; 0 where the system doesn't tell."""
    threads = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def resident_mib(process: int) -> float:
    """The memory that a process holds; 0 where the system doesn't tell."""
    told = Path(f"/proc/{process}/statm")
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20) if told.exists() else 0.0


async def play(server: Server, count: int, steps: int) -> Played:
    """A class from joining to the distribution of one question."""
    teacher, code, _ = await asyncio.to_thread(opened, server)
    students, played = crowd(server, count), Played()
    before = resident_mib(server.process.pid)
    begun = time.perf_counter()
    with played.costs(server, "join"):
        await asyncio.gather(*(one.join(code) for one in students))
    played.joining = time.perf_counter() - begun
    with played.costs(server, "follow"):
        following = [asyncio.create_task(one.follow("counted")) for one in students]
        await heard(students, 1)
    try:
        async with asyncio.timeout(PATIENCE):
            with played.costs(server, "step"):
                for step in range(1, steps + 1):
                    said = time.perf_counter()
                    await say(teacher, "show", address=f"/walk/first-steps?step={step}")
                    await heard(students, 1 + step)
                    played.steps += [one.told[step][0] - said for one in students]
            ask = {"kind": "choice", "walk": {"lesson": "first-steps"}, "step": 0}
            choices = len((await say(teacher, "ask", ask=ask))["ask"]["choices"])
            await heard(students, 2 + steps)
            played.mib = resident_mib(server.process.pid) - before
            with played.costs(server, "answer"):
                answers = (one.answer(place % choices) for place, one in enumerate(students))
                played.answers = await asyncio.gather(*answers)
            played.bars = (await say(teacher, "count"))["bars"]
            await asyncio.gather(*following)
    finally:
        for task in following:
            task.cancel()
    played.told = [[event["kind"] for _, event in one.told] for one in students]
    return played


async def say(teacher: Someone, kind: str, **more: object) -> dict[str, Any]:
    """What came of a word of the teacher's."""
    reply = await asyncio.to_thread(lambda: teacher.tell(kind, **more))
    assert reply.status == 200, reply.body
    told: dict[str, Any] = reply.json()
    return told


async def heard(students: list[Student], count: int) -> None:
    """Until everyone has heard so many events; to wake one waiter for each would cost what is to be measured."""
    async with asyncio.timeout(PATIENCE):
        while any(len(one.told) < count for one in students):  # noqa: ASYNC110 - see above
            await asyncio.sleep(LOOK_EVERY)
