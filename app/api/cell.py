"""One number of a walk, opened: the terms that it is the sum of."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/cell", responses=answers("OpenedCell", "The terms"), openapi_extra=takes("cell"))
async def cell(request: Request) -> Response:
    """The terms behind one number; 422 where there is no such tensor, cell, gradient or step."""
    return await compute_posted(request, "cell")
