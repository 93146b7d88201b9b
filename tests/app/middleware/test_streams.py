"""Answers without an end: what they keep while they are told, and what they leave."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

import pytest
from starlette.types import Message, Receive, Scope, Send

from app.middleware.streams import Followed, Streams

LINE = b"data: 1\n\n"


class Noted:
    """What a framework notes in a scope."""


class Client:
    """One side of a connection: what it was sent, and whether it is still there."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.gone, self.told = asyncio.Event(), asyncio.Event()

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)
        if message.get("body"):
            self.told.set()


class Topic:
    """Something to follow, and who has left it."""

    def __init__(self, ends: BaseException | None = None) -> None:
        self.more, self.ends = asyncio.Event(), ends
        self.closed = self.left = 0
        self.noted: weakref.ref[Noted] | None = None

    async def events(self) -> AsyncGenerator[bytes, None]:
        try:
            yield LINE
            await self.more.wait()
            if self.ends is not None:
                raise self.ends
        finally:
            self.closed += 1

    def leave(self) -> None:
        self.left += 1

    async def endpoint(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as an endpoint does, deep in what handles it."""
        noted = scope["noted"] = Noted()
        self.noted = weakref.ref(noted)
        await Followed(self.events(), {}, self.leave)(scope, receive, send)


@dataclass
class Following:
    """A client that follows a topic, and what tells it."""

    client: Client
    topic: Topic
    telling: asyncio.Task[None]


async def followed(topic: Topic) -> Following:
    """A client that has been told the first event."""
    client = Client()
    telling = asyncio.create_task(Streams(topic.endpoint)({"type": "http"}, client.receive, client.send))
    await client.told.wait()
    return Following(client, topic, telling)


def test_nothing_of_how_an_answer_was_begun_is_kept_while_it_is_told() -> None:
    """A class of a thousand took thirty calls that waited for each other for every student."""

    async def main() -> None:
        one = await followed(Topic())
        assert one.topic.noted is not None
        assert one.topic.noted() is None
        one.client.gone.set()
        await one.telling

    asyncio.run(asyncio.wait_for(main(), 20))


# What ends it.
ENDINGS: dict[str, Callable[[Following], object]] = {
    "the topic": lambda one: one.topic.more.set(),
    "the client": lambda one: one.client.gone.set(),
    "the server": lambda one: one.telling.cancel(),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_whoever_followed_has_left_whatever_ends_it(ending: str) -> None:
    async def main() -> None:
        one = await followed(Topic())
        ENDINGS[ending](one)
        (raised,) = await asyncio.gather(one.telling, return_exceptions=True)
        assert isinstance(raised, asyncio.CancelledError) == (ending == "the server")
        assert (one.topic.closed, one.topic.left) == (1, 1)
        bodies = [message["body"] for message in one.client.sent[1:]]
        assert bodies == ([LINE, b""] if ending == "the topic" else [LINE])

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_mistake_in_it_is_no_silence() -> None:
    async def main() -> None:
        one = await followed(Topic(ZeroDivisionError()))
        one.topic.more.set()
        with pytest.raises(ExceptionGroup) as raised:
            await one.telling
        assert raised.group_contains(ZeroDivisionError)
        assert (one.topic.closed, one.topic.left) == (1, 1)

    asyncio.run(asyncio.wait_for(main(), 20))
