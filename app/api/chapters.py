"""The chapters of the course: what there is to learn, and each as a page."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, kept

router = APIRouter(prefix="/api/chapters")


@router.get("", responses=answers("Chapters", "The chapters"))
async def chapters(request: Request) -> Response:
    """Every chapter's name, title, promise and programs, in order; and the files that can't be read."""
    return await kept(request, "chapters")


@router.get("/{name}", responses=answers("ChapterPage", "The chapter"))
async def chapter(request: Request, name: str) -> Response:
    """One chapter as a page: its prose as HTML, its figures and questions, every number computed."""
    return await kept(request, "chapter", name)


async def answer(request: Request, name: str) -> Response:
    """Whether something answers a question of the chapter."""
    return await compute_posted(request, "chapters-answer", chapter=name)
