"""The lessons: what there is to walk."""

from fastapi import APIRouter, Request, Response

from app.api.compute import compute

router = APIRouter(prefix="/api/lessons")


@router.get("")
async def lessons(request: Request) -> Response:
    """Every lesson's name, title and subject."""
    return await compute(request, "lessons")


@router.get("/{name}")
async def lesson(request: Request, name: str) -> Response:
    """One lesson whole: program, tensors, axis names, narration, questions; 404 for an unknown name."""
    return await compute(request, "lesson", name)
