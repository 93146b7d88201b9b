"""Gradients from the loss's values alone: central differences beside the gradient that the lines computed."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/numeric", responses=answers("Differences", "The differences"), openapi_extra=takes("numeric"))
async def numeric(request: Request) -> Response:
    """What central differences say of one gradient, or of all."""
    return await compute_posted(request, "numeric")
