"""A connection that its client has left: nothing holds it, and it takes no place any more."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.server import ServerState

from app.connection.places import STREAMING, streaming
from app.connection.protocol import PatientProtocol, patient
from app.settings import Settings

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


@asynccontextmanager
async def served(app: ASGIApp) -> AsyncIterator[tuple[type[PatientProtocol], ServerState, int]]:
    """An application behind connections of ours; their class, the connections that there are, and the port."""
    protocol, state = patient(Settings()), ServerState()
    config = uvicorn.Config(app, http=protocol, ws="none", lifespan="off", log_level="error")
    config.load()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: protocol(config, state, {}), "127.0.0.1", 0)
    async with server:
        yield protocol, state, server.sockets[0].getsockname()[1]


def holder(scope: Scope) -> PatientProtocol:
    """The connection that a request came by."""
    connection: PatientProtocol = scope["extensions"][STREAMING]["begin"].__self__
    return connection


def test_a_connection_is_gone_at_once() -> None:
    """Two thousand of a class that joined waited for a collection, with all that their requests had needed."""
    held: list[weakref.ref[PatientProtocol]] = []

    async def answer(scope: Scope, _receive: Receive, send: Send) -> None:
        held.append(weakref.ref(holder(scope)))
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def main() -> None:
        async with served(answer) as (_, state, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(REQUEST)
            await reader.read()
            writer.close()
            while state.connections or state.tasks or held[0]() is not None:  # noqa: ASYNC110 - none tells of its end
                await asyncio.sleep(0.001)

    gc.disable()
    try:
        asyncio.run(asyncio.wait_for(main(), 20))
    finally:
        gc.enable()


def test_a_stream_whose_client_left_before_it_began_takes_no_place() -> None:
    """It was held for good: what gives places back had gone by already."""
    asked: asyncio.Queue[bool] = asyncio.Queue()

    async def late(scope: Scope, receive: Receive, _send: Send) -> None:
        may_begin = streaming(scope)  # as what counts unread bytes looks it up
        while (await receive())["type"] != "http.disconnect":
            pass
        await asked.put(may_begin())

    async def main() -> None:
        async with served(late) as (protocol, _, port):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(REQUEST)
            writer.close()
            assert not await asked.get()
            assert not protocol.places.streams
            assert protocol.places.count == 0

    asyncio.run(asyncio.wait_for(main(), 20))
