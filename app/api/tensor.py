"""Part of a tensor of a walk, in full resolution."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/tensor", responses=answers("Window", "The cells"), openapi_extra=takes("tensor"))
async def window(request: Request) -> Response:
    """The cells of that rectangle; a large one is pooled."""
    return await compute_posted(request, "tensor")
