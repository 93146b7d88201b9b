"""Flow control for answers: sent in pieces as the client reads them, with a limit of unread bytes per client."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.client import client_name
from app.connection.places import streaming
from app.errors import Failure
from app.settings import Settings

PIECE = 1 << 18  # what the event loop keeps a copy of per connection while the kernel has no room
EVENTS = b"text/event-stream"
UNCOUNTED = 1 << 16  # smaller answers fit in the kernel's own buffer


class Meter:
    """Sends large answers in pieces, and refuses further ones to a client with too many unread bytes.

    Only answers made for one client count; static files are the same bytes for all. An answer over the limit is
    refused rather than queued, because a queue would fill the memory that the limit protects. Of a stream without an
    end, what it has sent last counts.
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
        answer = Answer(self, client, send, streaming(scope))
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
    may_stream: Callable[[], bool]
    counted: int = 0
    refused: bool = False
    endless: bool = False

    async def send(self, message: Message) -> None:
        """Send the next part, or a refusal in place of it all."""
        if message["type"] == "http.response.start":
            await self._start(message)
        elif self.endless:
            await self._next(message)
        elif not self.refused:
            await self._pieces(message)

    def forget(self) -> None:
        """Stop counting: the answer was read, or the client is gone."""
        self._count(-self.counted)

    async def _start(self, message: Message) -> None:
        size, endless = length(message), is_endless(message)
        if endless and not self.may_stream():
            await self._refuse(streams_full())
            return
        if self.client is None or (size <= UNCOUNTED and not endless):
            await self.raw_send(message)
            return
        before = self.meter.unread[self.client]
        if before and before + size > self.meter.limit:
            await self._refuse(unread())
            return
        self.endless = endless
        self._count(size)
        await self.raw_send(message)

    async def _next(self, message: Message) -> None:
        """Send on a stream: the server waits until the client has taken the part before, which counts until then."""
        before, size = self.counted, len(message.get("body", b""))
        self._count(size)
        await self.raw_send(message)
        self._count(-before)

    def _count(self, size: int) -> None:
        if self.client is None or not size:
            return
        self.counted += size
        self.meter.unread[self.client] += size
        if not self.meter.unread[self.client]:
            del self.meter.unread[self.client]

    async def _refuse(self, failure: Failure) -> None:
        self.refused = True
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


def unread() -> Failure:
    """The 503 for a client that does not read what it is sent."""
    hint = "Read the answers that are on their way, then ask again."
    return Failure(503, "answers-unread", "Too many answers to you are unread.", hint, {"Retry-After": "1"})


def streams_full() -> Failure:
    """The 503 while as many streams are followed as the server has places for."""
    hint = "Close a page that follows something, or try again in a moment."
    return Failure(503, "streams-full", "Too many pages are following something.", hint, {"Retry-After": "5"})


def part(body: bytes, more: bool) -> Message:
    """A message with part of an answer's body."""
    return {"type": "http.response.body", "body": body, "more_body": more}


def is_endless(message: Message) -> bool:
    """Whether an answer is a stream of events."""
    return any(name == b"content-type" and value.startswith(EVENTS) for name, value in message.get("headers", ()))


def length(message: Message) -> int:
    """The number of bytes that an answer's head announces, 0 when it doesn't."""
    return next((int(value) for name, value in message.get("headers", ()) if name == b"content-length"), 0)
