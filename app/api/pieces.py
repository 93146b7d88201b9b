"""Pieces for single steps of a walk: which ones it has, and each of them."""

from fastapi import APIRouter, Request, Response

from app.api.compute import compute_posted, takes

router = APIRouter()


@router.post("/api/pieces", openapi_extra=takes("pieces"))
async def pieces(request: Request) -> Response:
    """Which pieces a walk has: kind, tensor, and the steps at which each is offered."""
    return await compute_posted(request, "pieces")


@router.post("/api/derivation", openapi_extra=takes("derivation"))
async def derivation(request: Request) -> Response:
    """A closed form stage by stage, each run and held against the one before; 422 where nothing collapses."""
    return await compute_posted(request, "derivation")
