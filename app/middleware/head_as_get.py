"""HEAD is GET without the body, wherever there is a GET."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
    """Asks the application as for GET and sends the head alone; whoever would send more finds that nobody is there."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope.get("method") != "HEAD":
            await self.app(scope, receive, send)
            return
        told = asyncio.Event()

        async def head(message: Message) -> None:
            if message["type"] != "http.response.start":
                return
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            told.set()

        async def gone() -> Message:
            """What is received: once the head is sent, as if the client had left, so that no stream goes on."""
            if told.is_set():
                return {"type": "http.disconnect"}
            waiting = [asyncio.ensure_future(one) for one in (receive(), told.wait())]
            try:
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                message = waiting[0].result() if waiting[0].done() else {"type": "http.disconnect"}
                return message if isinstance(message, dict) else {"type": "http.disconnect"}
            finally:
                for one in waiting:
                    one.cancel()

        await self.app({**scope, "method": "GET"}, gone, head)
