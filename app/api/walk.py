"""The walk through a program: forward, backward, and every gradient checked."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.api.compute import compute
from app.api.requests import WalkOptions, WalkRequest

router = APIRouter()


@router.post("/api/walk")
async def walk(request: Request, program: WalkRequest, options: Annotated[WalkOptions, Query()]) -> Response:
    """The whole walk as one document; 422 with the place in the source when the program is refused."""
    return await compute(request, "walk", {**program.model_dump(exclude_none=True), "arrays": options.arrays})
