"""The walk through a program: forward, backward, and every gradient checked."""

import json
from importlib import resources
from typing import Annotated, Any

from fastapi import Query, Request, Response

from app.api.compute import compute_posted
from app.requests import WalkOptions

# Written by `python -m tests.tools.documents` from the engine's types, which this process does not load.
SCHEMAS: dict[str, Any] = json.loads(resources.files("app.api").joinpath("answers.json").read_text(encoding="utf-8"))


async def walk(request: Request, options: Annotated[WalkOptions, Query()]) -> Response:
    """The whole walk as one document, written as the options say."""
    return await compute_posted(request, "walk", arrays=options.arrays, steps=options.steps)
