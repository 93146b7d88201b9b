"""Answers without an end, told from outside of all that was needed to begin them.

What a framework keeps for a request, of which a class of a thousand has a thousand for an hour, is gone by then: some
dozen calls that wait for each other, stacks of what is to be closed, and how the address was read.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping

from fastapi.responses import StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

TOLD = "gradwalk.told"  # under which an endpoint's answer is found in the scope


class LeftError(Exception):
    """Whoever followed has left."""


class Followed(StreamingResponse):
    """Events as they come; whoever follows them has left when this ends, however it ends."""

    def __init__(
        self, events: AsyncGenerator[bytes, None], headers: Mapping[str, str], leave: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(events, media_type="text/event-stream", headers=headers)
        self.events, self.leave = events, leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - as in Starlette
        """Have it told once everything else about the request is done."""
        scope[TOLD] = self

    async def tell(self, receive: Receive, send: Send) -> None:
        """Send events until the client, the topic or the server has gone."""
        try:
            async with asyncio.TaskGroup() as both:
                leaving = both.create_task(left(receive))
                await self._send(send)
                leaving.cancel()
        except* LeftError:
            pass
        finally:
            self.leave()

    async def _send(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with contextlib.aclosing(self.events) as events:
            async for lines in events:
                await send({"type": "http.response.body", "body": lines, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def left(receive: Receive) -> None:
    """Wait until the client has gone; raises LeftError then."""
    while (await receive())["type"] != "http.disconnect":
        pass
    raise LeftError


class Streams:
    """Tells what an endpoint has answered without an end."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        followed = await self._begun(scope, receive, send)
        if followed is not None:
            await followed.tell(receive, send)

    async def _begun(self, scope: Scope, receive: Receive, send: Send) -> Followed | None:
        """What is to be told; the copy of the scope, in which much is noted meanwhile, is gone when this has ended."""
        inner = {**scope}
        await self.app(inner, receive, send)
        return inner.get(TOLD)
