"""The operations: what a program may use."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute

router = APIRouter()


@router.get("/api/ops", responses=answers("Operations", "The operations"))
async def operations(request: Request) -> Response:
    """Every operation with its spellings, rules and reasons."""
    return await compute(request, "operations")
