"""The steps inside: a fused operation written out in the small steps that it consists of."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from app.api.compute import compute
from app.api.requests import LARGEST_INTEGER, Strict, WalkRequest

router = APIRouter()


class OpenRequest(Strict):
    """Which line of which program to open; lines count from 1."""

    walk: WalkRequest
    line: Annotated[int, Field(ge=1, le=LARGEST_INTEGER)]


@router.post("/api/open")
async def opened(request: Request, wanted: OpenRequest) -> Response:
    """The program with that line opened; 422 when there is nothing to open on it."""
    return await compute(request, "open", wanted.model_dump(exclude_none=True))
