"""Is this program one that can be walked? Asked while somebody is still typing it."""

from fastapi import APIRouter, Request, Response

from app.api.compute import compute
from app.api.requests import WalkRequest

router = APIRouter()


@router.post("/api/check")
async def check(request: Request, program: WalkRequest) -> Response:
    """The shape that every line makes; 422 with the place in the source when the program is refused."""
    return await compute(request, "check", program.model_dump(exclude_none=True))
