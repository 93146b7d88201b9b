"""A walk as a program of one's own."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/program", responses=answers("StartingPoint", "The program"), openapi_extra=takes("program"))
async def program(request: Request) -> Response:
    """The request that walks the same with all tensors as values: a starting point like those of /api/starts."""
    return await compute_posted(request, "program")
