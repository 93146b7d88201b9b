"""The one shape every error has: {"error": {"code", "message", "hint", "where"?}} and a proper status."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from app.validation_messages import said

STATUSES = {
    400: ("request-malformed", "The request is not well formed.", "Send the body as valid JSON."),
    404: ("not-found", "There is nothing at this address.", "GET /api/openapi.json lists the addresses."),
    405: ("method-not-allowed", "This address does not answer that method.", "The Allow header lists the methods."),
}


class Failure(Exception):  # noqa: N818 - most of these are the client's doing, not errors of ours
    """An answer other than success, raised anywhere in `app` and sent in the one error shape."""

    def __init__(
        self, status: int, code: str, message: str, hint: str = "", headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.hint, self.headers = status, code, message, hint, headers

    def response(self) -> JSONResponse:
        """This failure as a response."""
        error = {"code": self.code, "message": self.message, "hint": self.hint}
        return JSONResponse({"error": error}, self.status, self.headers)


def stopping() -> Failure:
    """The 503 for requests still under way at shutdown."""
    headers = {"Retry-After": "1", "Connection": "close"}
    return Failure(503, "stopping", "The server is being stopped.", "Try again in a moment.", headers)


Answerer = Callable[[Request, Failure], Awaitable[Response]]


async def as_json(_: Request, failure: Failure) -> Response:
    """The JSON answer, for API clients and wherever no page was asked for."""
    return failure.response()


def install(app: FastAPI, answer: Answerer = as_json) -> None:
    """Make every error of `app` take the one shape, the framework's own included; `answer` may make a page of it."""
    for kind, read in READINGS.items():
        app.add_exception_handler(kind, _handler(read, answer))


def _handler(read: Callable[[Any], Failure], answer: Answerer) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def handle(request: Request, error: Exception) -> Response:
        return await answer(request, read(error))

    return handle


def _http(error: HTTPException) -> Failure:
    code, message, hint = STATUSES.get(error.status_code, STATUSES[400])
    return Failure(error.status_code, code, message, hint, _with_head(error.headers))


def _with_head(headers: Mapping[str, str] | None) -> Mapping[str, str] | None:
    """Adds HEAD to an `Allow` header with GET, which the framework leaves out."""
    if headers is None or "GET" not in headers.get("Allow", "").split(", "):
        return headers
    return {**headers, "Allow": headers["Allow"].replace("GET", "GET, HEAD")}


def _unexpected(_: Exception) -> Failure:
    message = "Something went wrong inside the server."
    return Failure(500, "internal", message, "The server's own log says more; please report it.")


def _invalid(error: RequestValidationError) -> Failure:
    return Failure(422, "request-invalid", *said(error.errors()))


READINGS: dict[type[Exception], Callable[[Any], Failure]] = {
    Failure: lambda failure: failure,
    HTTPException: _http,
    RequestValidationError: _invalid,
    Exception: _unexpected,
}
