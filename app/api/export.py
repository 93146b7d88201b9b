"""A program as a file that runs without gradwalk: plain PyTorch, forward, backward and a comparison."""

from typing import Literal

from fastapi import APIRouter, Request, Response

from app.api.compute import compute
from app.api.requests import Strict, WalkRequest

router = APIRouter()


class ExportRequest(Strict):
    """What to export, and as which kind of file."""

    walk: WalkRequest
    format: Literal["py", "ipynb"]


@router.post("/api/export")
async def export(request: Request, wanted: ExportRequest) -> Response:
    """The file's name, media type and text; 422 with the place in the source when the program is refused."""
    return await compute(request, "export", wanted.model_dump(exclude_none=True))
