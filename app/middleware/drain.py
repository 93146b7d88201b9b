"""The answer to a request whose body was not read: given at once, and the connection kept until the client has sent.

A connection that is closed while a body still arrives is reset, and a client that is busy sending sees no answer.
"""

import asyncio
import contextlib

from starlette.types import Receive, Scope, Send

from app.errors import Failure
from app.problem import bare_page, wants_page

DRAINED_BYTES = 32 * 2**20
DRAINED_SECONDS = 5.0


async def answer(failure: Failure, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a failure, then read what still comes of the body, within bounds, and only then let go."""
    response = bare_page(failure) if wants_page(scope) else failure.response()
    await send({"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers})
    await send({"type": "http.response.body", "body": response.body, "more_body": True})
    if scope["method"] not in {"GET", "HEAD"}:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAINED_SECONDS):
                await drain(receive)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def drain(receive: Receive) -> None:
    """Read a body to its end, or to where it becomes too much, and forget it."""
    taken = 0
    while taken < DRAINED_BYTES:
        message = await receive()
        taken += len(message.get("body", b""))
        if not message.get("more_body", False):
            return
