"""The loss as one number of a walk moves."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/curve", responses=answers("Curve", "The loss"), openapi_extra=takes("curve"))
async def curve(request: Request) -> Response:
    """The loss along one cell, beside its gradient's straight line; 422 where there is no such cell or gradient."""
    return await compute_posted(request, "curve")
