"""The lessons: what there is to walk."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.api.compute import answers, compute, kept
from app.fields import LARGEST_SEED

router = APIRouter(prefix="/api/lessons")


@router.get("", responses=answers("Lessons", "The lessons"))
async def lessons(request: Request) -> Response:
    """Every lesson's name, title and subject."""
    return await kept(request, "lessons")


@router.get("/{name}", responses=answers("WholeLesson", "The lesson"))
async def lesson(request: Request, name: str) -> Response:
    """One lesson whole: program, tensors, axis names, narration, questions; 404 for an unknown name."""
    return await kept(request, "lesson", name)


@router.get("/{name}/program", responses=answers("StartingPoint", "The program"))
async def program(
    request: Request, name: str, seed: Annotated[int | None, Query(ge=0, le=LARGEST_SEED)] = None
) -> Response:
    """A lesson as a program of one's own, with its tensors as values: a starting point like those of /api/starts."""
    if seed is None:
        return await kept(request, "program", {"walk": {"lesson": name}})
    return await compute(request, "program", {"walk": {"lesson": name, "seed": seed}})
