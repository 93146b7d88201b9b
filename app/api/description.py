"""The description of this interface for machines."""

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from app.compute.ours import ours_of

router = APIRouter(include_in_schema=False)
REFERENCE = re.compile(r'"#/components/schemas/(\w+)"')


@router.get("/api/openapi.json")
async def description(request: Request) -> Response:
    """OpenAPI's own form of the interface; made once, and not on the event loop, which it would hold up."""
    state = request.app.state
    if not hasattr(state, "description"):
        document = await asyncio.to_thread(request.app.openapi)
        _, answers = await ours_of(request).answer("answer-schemas", referenced(document))
        document["components"]["schemas"] |= json.loads(answers)
        state.description = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(state.description, media_type="application/json")


def referenced(document: Mapping[str, Any]) -> list[str]:
    """The types that are named and not described: those of answers, which the engine knows and this process doesn't."""
    named = set(REFERENCE.findall(json.dumps(document)))
    return sorted(named - document["components"]["schemas"].keys())
