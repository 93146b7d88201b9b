"""The steps inside: a fused operation written out in the small steps that it consists of."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/open", responses=answers("OpenedProgram", "The program"), openapi_extra=takes("open"))
async def opened(request: Request) -> Response:
    """The program with that line opened; 422 when there is nothing to open on it."""
    return await compute_posted(request, "open")
