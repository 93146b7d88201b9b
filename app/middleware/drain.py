"""Answers a request before its body has been read, then reads and drops the body.

If the connection were closed while the body still arrives, it would be reset and the client would see no answer.
"""

import asyncio
import contextlib

from starlette.types import Receive, Scope, Send

from app.error_pages import bare_page, wants_page
from app.errors import Failure

DRAINED_BYTES = 32 * 2**20
DRAINED_SECONDS = 5.0


async def answer(failure: Failure, scope: Scope, receive: Receive, send: Send) -> None:
    """Send a failure, then drain the body, within bounds."""
    response = bare_page(failure) if wants_page(scope) else failure.response()
    await send({"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers})
    await send({"type": "http.response.body", "body": response.body, "more_body": True})
    if scope["method"] not in {"GET", "HEAD"}:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(DRAINED_SECONDS):
                await drain(receive)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def drain(receive: Receive) -> None:
    """Read a body to its end or up to the bounds, and drop it."""
    taken = 0
    while taken < DRAINED_BYTES:
        message = await receive()
        taken += len(message.get("body", b""))
        if not message.get("more_body", False):
            return
