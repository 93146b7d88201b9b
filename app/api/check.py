"""Checks whether a program can be walked, while it is still being typed."""

import json
from typing import Annotated

from fastapi import Query, Request, Response

from app.api.compute import compute_posted
from app.requests import CheckOptions


async def check(request: Request, options: Annotated[CheckOptions, Query()]) -> Response:
    """The shape that every line makes, or why there is none, as a status or as an answer."""
    reply = await compute_posted(request, "check")
    body = bytes(reply.body)
    if options.refusals == "answer" and (reply.status_code == 200 or _of_the_program(reply.status_code, body)):
        told = b'"ok":true,"report":' + body if reply.status_code == 200 else b'"ok":false,' + body[1:-1]
        return Response(b"{" + told + b"}", media_type="application/json")
    return reply


def _of_the_program(status: int, body: bytes) -> bool:
    """Whether it is the program that is refused, and not the request."""
    return status == 422 and json.loads(body)["error"]["code"] != "request-invalid"
