"""The walk through a program: forward, backward, and every gradient checked."""

import json
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from app.api.compute import answers, compute_posted, takes
from app.requests import WalkOptions

router = APIRouter()
# Written by `python -m tests.tools.documents` from the engine's types, which this process does not load.
SCHEMAS: dict[str, Any] = json.loads(resources.files("app.api").joinpath("answers.json").read_text(encoding="utf-8"))


@router.post("/api/walk", responses=answers("WalkAnswer", "The walk"), openapi_extra=takes("walk"))
async def walk(request: Request, options: Annotated[WalkOptions, Query()]) -> Response:
    """The whole walk as one document; 422 with the place in the source when the program is refused."""
    return await compute_posted(request, "walk", arrays=options.arrays, steps=options.steps)
