"""HEAD is GET without the body, wherever there is a GET."""

from starlette.types import ASGIApp, Receive, Scope, Send


class HeadAsGet:
    """Asks the application as for GET; uvicorn, which knows better, sends the head alone."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        await self.app({**scope, "method": "GET"} if scope.get("method") == "HEAD" else scope, receive, send)
