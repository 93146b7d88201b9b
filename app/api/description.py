"""The description of this interface for machines."""

import asyncio
import json

from fastapi import APIRouter, FastAPI, Request, Response

router = APIRouter(include_in_schema=False)


@router.get("/api/openapi.json")
async def description(request: Request) -> Response:
    """OpenAPI's own form of the interface; made once, and not on the event loop, which it would hold up."""
    state = request.app.state
    if not hasattr(state, "description"):
        state.description = await asyncio.to_thread(described, request.app)
    return Response(state.description, media_type="application/json")


def described(app: FastAPI) -> bytes:
    """The description as JSON."""
    return json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode()
