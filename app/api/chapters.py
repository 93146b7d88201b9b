"""The chapters of the course: what there is to learn, and each as a page."""

from fastapi import APIRouter, Request, Response

from app.api.compute import compute

router = APIRouter(prefix="/api/chapters")
PAGE = {
    "description": "The chapter",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ChapterPage"}}},
}


@router.get("")
async def chapters(request: Request) -> Response:
    """Every chapter's name, title, promise and programs, in order; and the files that can't be read."""
    return await compute(request, "chapters")


@router.get("/{name}", responses={200: PAGE})
async def chapter(request: Request, name: str) -> Response:
    """One chapter as a page: its prose as HTML, its figures and questions, every number computed."""
    return await compute(request, "chapter", name)
