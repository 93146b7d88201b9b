"""The walk through a program: forward, backward, and every gradient checked."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.api.compute import compute_posted
from app.requests import WalkOptions


async def walk(request: Request, options: Annotated[WalkOptions, Query()]) -> Response:
    """The whole walk as one document, written as the options say."""
    return await compute_posted(request, "walk", arrays=options.arrays, steps=options.steps)
