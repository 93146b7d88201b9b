"""Answers requests still under way at shutdown in the one error shape."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.error_pages import bare_page, wants_page
from app.errors import stopping
from app.middleware.guard import with_headers


class Ending:
    """Answers requests that are cancelled at the end of the shutdown's grace period."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, watched)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not begun:
                failure = stopping()
                response = bare_page(failure) if wants_page(scope) else failure.response()
                await response(scope, receive, with_headers(send))
