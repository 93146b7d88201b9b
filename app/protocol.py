"""Patience with slow clients: how long a request's head may take is the one limit that uvicorn has no setting for."""

import asyncio
import socket

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from app.errors import Failure
from app.security import CLOSE, SECURITY_HEADERS
from app.settings import Settings

SEND_BUFFER = 1 << 20  # a whole walk fits, so the event loop hands it to the kernel in one go


class PatientProtocol(HttpToolsProtocol):
    """One connection: closed when a request's head does not arrive in time, refused when there are too many."""

    settings: Settings
    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Give the connection its limits."""
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        if len(self.connections) > self.settings.connections:
            self._refuse(Failure(503, "too-many-connections", "The server is busy.", headers={"Retry-After": "1"}))
        else:
            self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the timer."""
        self._head_arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Set the timer when a request has begun and its head is not whole."""
        super().data_received(data)
        if self.cycle is None or self.cycle.response_complete:
            self._expect_head()

    def on_headers_complete(self) -> None:
        """The head is whole."""
        self._head_arrived()
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP in the one error shape."""
        self._refuse(Failure(400, "request-malformed", msg, headers=CLOSE))

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
        response = failure.response()
        headers = b"".join(b"%s: %s\r\n" % pair for pair in (*response.raw_headers, *SECURITY_HEADERS))
        self.transport.write(STATUS_LINE[failure.status] + headers + b"\r\n" + bytes(response.body))
        self.transport.close()


def patient(settings: Settings) -> type[PatientProtocol]:
    """The connection class that keeps the limits of `settings` (uvicorn builds its instances itself)."""
    return type("PatientProtocol", (PatientProtocol,), {"settings": settings})
