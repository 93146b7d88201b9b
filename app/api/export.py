"""A program as a file that runs without gradwalk: plain PyTorch, forward, backward and a comparison."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/export", responses=answers("ExportedFile", "The file"), openapi_extra=takes("export"))
async def export(request: Request) -> Response:
    """The file's name, media type and text; 422 with the place in the source when the program is refused."""
    return await compute_posted(request, "export")
