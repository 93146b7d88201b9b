"""The exhibits of the lab: what there is, and each as a page."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, kept

router = APIRouter(prefix="/api/exhibits")


@router.get("", responses=answers("Exhibits", "The exhibits"))
async def exhibits(request: Request) -> Response:
    """Every exhibit with its two programs, in the order of the room; and the files that can't be read."""
    return await kept(request, "exhibits")


@router.get("/{name}", responses=answers("ExhibitPage", "The exhibit"))
async def exhibit(request: Request, name: str) -> Response:
    """One exhibit: its question, what is revealed then, and two short runs that show its symptom."""
    return await kept(request, "exhibit", name)
