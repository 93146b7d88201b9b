"""HTTP protocol with limits on slow or endless heads, unread answers, and the number of connections.

uvicorn has settings for none of these.
"""

import asyncio
import socket
import struct

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app.client import client_name, within
from app.connection.places import STREAMING, TEACHING, Places
from app.errors import Failure
from app.middleware.guard import CLOSE, SECURITY_HEADERS
from app.settings import Settings

SEND_BUFFER = 1 << 20  # a whole walk fits, so the event loop hands it to the kernel in one go
READ_AT_ONCE = 1 << 16  # asyncio takes four times as much, and so long does it keep everybody else waiting
MOST_HEADERS = 100
AT_ONCE = struct.pack("ii", 1, 0)  # closing waits zero seconds for what was not sent


class PatientProtocol(HttpToolsProtocol):
    """One connection: closed if its head is late or too long or its answer is not read, refused above the limit."""

    settings: Settings
    places: Places
    client_name = ""
    _head: asyncio.TimerHandle | None = None
    _stall: asyncio.TimerHandle | None = None
    _loose = 0  # bytes since the last whole head or piece of a body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Give the connection its limits."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        transport.max_size = READ_AT_ONCE  # type: ignore[attr-defined]  # asyncio doesn't declare it
        transport.set_write_buffer_limits(high=0)  # pause_writing tells of whatever the kernel does not take at once
        self.proxy = within(self.client, self.settings.trusted_proxies)
        self.client_name = client_name(self.client)
        if self.places.enter(self):
            self._expect_head()
        else:
            self.turn_away()

    @property
    def idle(self) -> bool:
        """Whether no request is being answered."""
        return self.cycle is None or self.cycle.response_complete

    def turn_away(self) -> None:
        """Close the connection for want of places."""
        failure = Failure(503, "too-many-connections", "The server is busy.", headers={"Retry-After": "1", **CLOSE})
        if self.idle:
            self._refuse(failure)
        else:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timers."""
        self._head_arrived()
        self._taken()
        self.places.leave(self)
        super().connection_lost(exc)
        if self.scope:  # else each would hold the other until garbage is collected
            self.scope["extensions"].clear()

    def on_message_begin(self) -> None:
        """A request begins; whoever answers it may say that it is a teacher's.

        Or that the answer goes on, and hears whether there is room.
        """
        super().on_message_begin()
        self.scope["extensions"] = {STREAMING: {"begin": self._streaming}, TEACHING: {"prove": self._teaching}}

    def _streaming(self) -> bool:
        return not self.transport.is_closing() and self.places.begin_stream(self)

    def _teaching(self) -> None:
        self.places.teach(self)

    def on_response_complete(self) -> None:
        """An answer is whole."""
        self.places.end_stream(self)
        super().on_response_complete()

    def data_received(self, data: bytes) -> None:
        """Read on, in pieces that end where a head has become too long; set the timer when a head has only begun."""
        rest = memoryview(data)
        while rest and not self.transport.is_closing():
            piece, rest = rest[: self._room], rest[self._room :]
            self._loose += len(piece)
            super().data_received(piece)  # type: ignore[arg-type]  # any bytes-like object does
            if not self._room:
                self._refuse(self._too_long())
        if self.idle:
            self._expect_head()

    @property
    def _room(self) -> int:
        return max(self.settings.header_bytes - self._loose, 0)

    def _too_long(self) -> Failure:
        kib = self.settings.header_bytes // 1024
        message = f"A request's head may have at most {kib} KiB and {MOST_HEADERS} headers."
        return Failure(431, "head-too-large", message, "Send fewer and shorter headers.", CLOSE)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header, or a trailer, unless there are too many."""
        super().on_header(name, value)
        if len(self.headers) > MOST_HEADERS:
            self._refuse(self._too_long())
            raise ValueError  # ends the parser's work on this connection

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._loose = 0
        self._head_arrived()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of the body is there."""
        self._loose = 0
        super().on_body(body)

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP in the one error shape."""
        self._refuse(Failure(400, "request-malformed", msg, headers=CLOSE))

    def pause_writing(self) -> None:
        """Something was written that the client has yet to take: give it time."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """The client has taken it all."""
        self._taken()
        super().resume_writing()

    def _watch(self) -> None:
        left = self.transport.get_write_buffer_size()
        self._stall = self.loop.call_later(self.settings.stalled_seconds, self._look_again, left)

    def _look_again(self, before: int) -> None:
        if self.transport.get_write_buffer_size() < before:
            self._watch()
        else:  # and the kernel, too, forgets what it was to send
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)
            self.transport.abort()

    def _taken(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def _expect_head(self) -> None:
        if self._head is None:
            late = Failure(408, "head-too-slow", "The request's head did not arrive in time.", headers=CLOSE)
            self._head = self.loop.call_later(self.settings.header_seconds, self._refuse, late)

    def _head_arrived(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _refuse(self, failure: Failure) -> None:
        if self.transport.is_closing():
            return
        if not self._answering():  # words in the middle of another answer would be taken for part of it
            response = failure.response()
            headers = b"".join(b"%s: %s\r\n" % pair for pair in (*response.raw_headers, *SECURITY_HEADERS))
            self.transport.write(STATUS_LINE[failure.status] + headers + b"\r\n" + bytes(response.body))
        self.transport.close()

    def _answering(self) -> bool:
        """Whether an answer to an earlier request may have begun."""
        return not self.idle and (self.cycle.response_started or bool(self.pipeline))


def patient(settings: Settings) -> type[PatientProtocol]:
    """The connection class that keeps the limits of `settings` (uvicorn builds its instances itself)."""
    return type("PatientProtocol", (PatientProtocol,), {"settings": settings, "places": Places(settings)})
