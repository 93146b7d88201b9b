"""Flow control for answers: sent in pieces as the client reads them, with a limit of unread bytes per client."""

from collections import Counter
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.client import client_name
from app.errors import Failure
from app.settings import Settings

PIECE = 1 << 18  # what the event loop keeps a copy of per connection while the kernel has no room
UNCOUNTED = 1 << 16  # smaller answers fit in the kernel's own buffer


class Meter:
    """Sends large answers in pieces, and refuses further ones to a client with too many unread bytes.

    Only answers made for one client count; static files are the same bytes for all. An answer over the limit is
    refused rather than queued, because a queue would fill the memory that the limit protects.
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.limit = app, settings.unread_mib << 20
        self.unread: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = client_name(scope.get("client")) if scope["path"].startswith("/api/") else None
        answer = Answer(self, client, send)
        try:
            await self.app(scope, receive, answer.send)
        finally:
            answer.forget()


@dataclass
class Answer:
    """One answer; without a client its bytes don't count."""

    meter: Meter
    client: str | None
    raw_send: Send
    counted: int = 0
    refused: bool = False

    async def send(self, message: Message) -> None:
        """Send the next part, or a refusal in place of it all."""
        if message["type"] == "http.response.start":
            await self._start(message)
        elif not self.refused:
            await self._pieces(message)

    def forget(self) -> None:
        """Stop counting: the answer was read, or the client is gone."""
        if self.client is not None and self.counted:
            self.meter.unread[self.client] -= self.counted
            if not self.meter.unread[self.client]:
                del self.meter.unread[self.client]

    async def _start(self, message: Message) -> None:
        size = length(message)
        if self.client is None or size <= UNCOUNTED:
            await self.raw_send(message)
            return
        before = self.meter.unread[self.client]
        if before and before + size > self.meter.limit:
            self.refused = True
            await self._refuse()
            return
        self.counted = size
        self.meter.unread[self.client] += size
        await self.raw_send(message)

    async def _refuse(self) -> None:
        hint = "Read the answers that are on their way, then ask again."
        failure = Failure(503, "answers-unread", "Too many answers to you are unread.", hint, {"Retry-After": "1"})
        response = failure.response()
        await self.raw_send(
            {"type": "http.response.start", "status": response.status_code, "headers": response.raw_headers}
        )
        await self.raw_send({"type": "http.response.body", "body": response.body})

    async def _pieces(self, message: Message) -> None:
        """The server waits before each part until the client has taken the one before."""
        body = memoryview(message.get("body", b""))
        if len(body) <= PIECE and not self.counted:
            await self.raw_send(message)
            return
        for start in range(0, len(body), PIECE):
            await self.raw_send(part(body[start : start + PIECE].tobytes(), more=True))
        await self.raw_send(part(b"", more=message.get("more_body", False)))


def part(body: bytes, more: bool) -> Message:
    """A message with part of an answer's body."""
    return {"type": "http.response.body", "body": body, "more_body": more}


def length(message: Message) -> int:
    """The number of bytes that an answer's head announces, 0 when it doesn't."""
    return next((int(value) for name, value in message.get("headers", ()) if name == b"content-length"), 0)
