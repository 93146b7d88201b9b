"""The one shape every error has: {"error": {"code", "message", "hint", "where"?}} and a proper status."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

STATUSES = {
    400: ("request-malformed", "The request is not well formed.", "Send the body as valid JSON."),
    404: ("not-found", "There is nothing at this address.", "GET /api/openapi.json lists the addresses."),
    405: ("method-not-allowed", "This address does not answer that method.", "The Allow header lists the methods."),
}

SHOWN_CHARACTERS, SHOWN_PROBLEMS = 64, 6
# The framework's own sentences speak of its classes; these speak of the request.
SAYINGS = {
    "missing": "this is needed",
    "extra_forbidden": "there is no such field",
    "model_attributes_type": "must be a JSON object",
    "model_type": "must be a JSON object",
    "dict_type": "must be a JSON object",
    "list_type": "must be a list",
    "string_type": "must be a text",
    "int_type": "must be an integer",
    "bool_type": "must be true or false",
    "literal_error": "must be one of {expected}",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "too_long": "may have at most {max_length} entries",
    "string_too_long": "may have at most {max_length} characters",
    "string_too_short": "may not be empty",
    "string_unicode": "must be printable text",
}

# What to write instead, by the same kinds.
WRITE = {
    "missing": "Add it; GET /api/openapi.json describes every field.",
    "extra_forbidden": "Leave it out, or look for a slip in its name: GET /api/openapi.json lists the fields.",
    "model_attributes_type": 'Write it between braces, such as {"lesson": "first-steps"}.',
    "model_type": 'Write it between braces, such as {"role": "data", "values": [1.0]}.',
    "dict_type": 'Write it between braces, such as {"n": 32}.',
    "list_type": "Write it between brackets, such as [2, 3].",
    "string_type": 'Write it between quotes, such as "loss".',
    "int_type": "Write a whole number, without a point and without quotes.",
    "bool_type": "Write true or false, without quotes.",
    "literal_error": "Write one of them exactly so, between quotes.",
    "greater_than_equal": "Use {ge} or a number above it.",
    "less_than_equal": "Use {le} or a number below it.",
    "too_long": "Leave some out.",
    "string_too_long": "Make it shorter.",
    "string_unicode": "Use letters, digits and spaces.",
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


Answerer = Callable[[Request, Failure], Awaitable[Response]]


async def as_json(_: Request, failure: Failure) -> Response:
    """The answer to programs, and to everyone where no page was asked for."""
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
    """What GET answers, HEAD does: the framework's list of methods does not know."""
    if headers is None or "GET" not in headers.get("Allow", "").split(", "):
        return headers
    return {**headers, "Allow": headers["Allow"].replace("GET", "GET, HEAD")}


def _unexpected(_: Exception) -> Failure:
    message = "Something went wrong inside the server."
    return Failure(500, "internal", message, "The server's own log says more; please report it.")


def _invalid(error: RequestValidationError) -> Failure:
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        hint = "Look at the brackets, quotes and commas just before it."
        return Failure(400, "json-invalid", f"The body is not valid JSON, at character {first['loc'][-1]}.", hint)
    hint = " ".join(filter(None, (_instead(first), _others(error))))
    return Failure(422, "request-invalid", f"{_place(first)}: {_saying(first)}.", hint)


READINGS: dict[type[Exception], Callable[[Any], Failure]] = {
    Failure: lambda failure: failure,
    HTTPException: _http,
    RequestValidationError: _invalid,
    Exception: _unexpected,
}


def _place(problem: Mapping[str, Any]) -> str:
    return ".".join(str(part)[:SHOWN_CHARACTERS] for part in problem["loc"][1:]) or "the body"


def _saying(problem: Mapping[str, Any]) -> str:
    own = str(problem["msg"]).removeprefix("Value error, ").rstrip(".")
    return SAYINGS.get(problem["type"], own).format_map(problem.get("ctx", {}))


def _instead(problem: Mapping[str, Any]) -> str:
    facts = problem.get("ctx", {})
    hint = facts.get("hint") or WRITE.get(problem["type"], "GET /api/openapi.json describes what is expected there.")
    return str(hint).replace("{ge}", str(facts.get("ge"))).replace("{le}", str(facts.get("le")))


def _others(error: RequestValidationError) -> str:
    places = [_place(problem) for problem in error.errors()[1:SHOWN_PROBLEMS]]
    return f"Also look at {', '.join(places)}." if places else ""
