"""Checks host, origin, content type and body size of every request before any framework code reads it."""

import asyncio
import re
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.errors import Failure
from app.middleware import drain
from app.settings import Settings

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Plotly adds an empty <style> element and sets inline style attributes: the hash is that of the empty text.
POLICY = (
    "default-src 'none'; script-src 'self'; "
    "style-src-elem 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types default"
)
SECURITY_HEADERS = tuple(
    (name.lower().encode(), value.encode())
    for name, value in {
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }.items()
)
NO_STORE = (b"cache-control", b"no-store")
CLOSE = {"Connection": "close"}
LARGE = 1 << 16
EMBEDDABLE = re.compile(r"/(?:walk|learn)/[^/]+$")
IN_A_CLASS = re.compile(r"/(?:walk|learn|practise|lab|code)(?:/[^/]+)?$")  # which stand in a frame of ours alone


class Guard:
    """Lets a request through only from an allowed host and origin, as JSON, with a body that is small and in time."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self.turns = asyncio.Lock()
        self.hosts = LOOPBACK | {settings.host} | set(settings.allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check one request and pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        guarded = with_headers(send, framed_by(scope, self.settings.embed_in))
        try:
            headers = dict(scope["headers"])
            self._check_sender(scope, headers)
            if scope["method"] not in SAFE_METHODS:
                body = await self._body(headers, receive)
                if len(body) > LARGE:
                    await self._turn()
                receive = replay(body, receive)
        except Failure as failure:
            await drain.answer(failure, scope, receive, guarded)
        else:
            await self.app(scope, receive, guarded)

    def _check_sender(self, scope: Scope, headers: dict[bytes, bytes]) -> None:
        host = one_value(scope, b"host")
        if host is None or host_name(host) not in self.hosts:
            hint = "Use localhost, or name this host in GRADWALK_ALLOWED_HOSTS."
            raise Failure(400, "host-refused", "This server does not answer to that host name.", hint, CLOSE)
        self._check_site(scope, headers, f"{scope['scheme']}://{host}")
        if scope["method"] in SAFE_METHODS:
            return
        if has_body(headers) and media_type(headers) != "application/json":
            hint = "Set the header Content-Type: application/json."
            raise Failure(415, "not-json", "A request's body must be JSON.", hint, CLOSE)

    def _check_site(self, scope: Scope, headers: dict[bytes, bytes], own: str) -> None:
        """Refuse requests from other sites' pages, by two headers that browsers set and pages can't forge."""
        origin = headers[b"origin"].decode("latin-1") if b"origin" in headers else None
        known = origin in {own, *self.settings.allowed_origins}
        foreign = origin is not None and scope["method"] not in SAFE_METHODS
        if scope["path"].startswith("/api/"):  # pages may be linked to from anywhere; computing is for their scripts
            foreign |= headers.get(b"sec-fetch-site") == b"cross-site"
        if foreign and not known:
            hint = "Open the page from this server itself."
            raise Failure(403, "origin-refused", "This request was sent by another site's page.", hint, CLOSE)

    async def _turn(self) -> None:
        """Let one large body through in each turn of the event loop: many at once would keep everybody else waiting."""
        async with self.turns:
            await asyncio.sleep(0)

    async def _body(self, headers: dict[bytes, bytes], receive: Receive) -> bytes:
        limit = self.settings.body_bytes
        if int(headers.get(b"content-length", b"0")) > limit:
            raise too_large(limit)
        try:
            async with asyncio.timeout(self.settings.body_seconds):
                return await read(receive, limit)
        except TimeoutError:
            raise Failure(408, "body-too-slow", "The body did not arrive in time.", headers=CLOSE) from None


async def read(receive: Receive, limit: int) -> bytes:
    """Read a whole body, however it is framed, and give up as soon as it passes `limit` bytes."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise Failure(400, "client-gone", "The connection closed before the body was complete.")
        body += message.get("body", b"")
        if len(body) > limit:
            raise too_large(limit)
        if not message.get("more_body", False):
            return bytes(body)


def replay(body: bytes, receive: Receive) -> Receive:
    """A receive channel that hands out `body` first and the connection's own messages afterwards."""
    messages: Iterable[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def again() -> Message:
        for message in messages:
            return message
        return await receive()

    return again


def framed_by(scope: Scope, others: tuple[str, ...]) -> tuple[str, ...] | None:
    """Whose pages beside our own may show this one in a frame; None where not even ours may.

    A step, a figure or an exercise of a chapter may be a part of somebody else's page; what a class is shown, of ours.
    """
    if b"embed" not in re.split(b"[&=]", scope["query_string"]):
        return None
    if EMBEDDABLE.match(scope["path"]):
        return others
    return () if IN_A_CLASS.match(scope["path"]) else None


def headers_for(framed_by: tuple[str, ...] | None) -> Iterable[tuple[bytes, bytes]]:
    """The security headers of an answer; unless it is None, our own pages and these origins may show it in a frame."""
    if framed_by is None:
        return SECURITY_HEADERS
    told = dict(SECURITY_HEADERS)
    told[b"x-frame-options"] = b"SAMEORIGIN"
    if framed_by:  # the older header can't name them
        del told[b"x-frame-options"]
    policy = POLICY.replace("frame-ancestors 'none'", "frame-ancestors " + " ".join(("'self'", *framed_by)))
    return (told | {b"content-security-policy": policy.encode()}).items()


def with_headers(send: Send, framed_by: tuple[str, ...] | None = None) -> Send:
    """A send channel that adds the security headers, and `no-store` where nothing was said about caching."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), *headers_for(framed_by)]
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append(NO_STORE)
            message["headers"] = headers
        await send(message)

    return guarded


def one_value(scope: Scope, name: bytes) -> str | None:
    """The value of a header that must occur exactly once."""
    values = [value for key, value in scope["headers"] if key == name]
    return values[0].decode("latin-1") if len(values) == 1 else None


def host_name(host: str) -> str:
    """`localhost` of `localhost:8000`, and `[::1]` of `[::1]:8000`."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


def has_body(headers: dict[bytes, bytes]) -> bool:
    """Whether a body comes with this request."""
    return b"transfer-encoding" in headers or int(headers.get(b"content-length", b"0")) > 0


def media_type(headers: dict[bytes, bytes]) -> str:
    """The content type without its parameters."""
    return headers.get(b"content-type", b"").partition(b";")[0].strip().lower().decode("latin-1")


def too_large(limit: int) -> Failure:
    """The refusal of a body over `limit` bytes."""
    return Failure(413, "body-too-large", f"A request may have at most {limit // 1024} KiB.", headers=CLOSE)
