"""Is this program one that can be walked? Asked while somebody is still typing it."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from app.api.compute import compute
from app.api.requests import Strict, WalkRequest

router = APIRouter()


class CheckRequest(WalkRequest):
    """A program that may still be in the making: `unfinished` names inputs that are not described yet."""

    unfinished: list[Annotated[str, Field(max_length=64)]] | None = Field(default=None, max_length=1000)


class CheckOptions(Strict):
    """What a refusal is: a failed request, or an answer like any other (status 200)."""

    refusals: Literal["status", "answer"] = "status"


@router.post("/api/check")
async def check(request: Request, program: CheckRequest, options: Annotated[CheckOptions, Query()]) -> Response:
    """The shape that every line makes; 422 with the place in the source when the program is refused.

    With `refusals=answer` the status is 200 either way, for pages that ask at every pause in the typing:
    `{"ok": true, "report": …}` or `{"ok": false, "error": …}`.
    """
    reply = await compute(request, "check", program.model_dump(exclude_none=True))
    if options.refusals == "answer" and reply.status_code in (200, 422):
        body = bytes(reply.body)
        told = b'"ok":true,"report":' + body if reply.status_code == 200 else b'"ok":false,' + body[1:-1]
        return Response(b"{" + told + b"}", media_type="application/json")
    return reply
