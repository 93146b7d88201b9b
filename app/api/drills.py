"""Short drills, one rule each."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from app.api.compute import answers, compute

router = APIRouter()
LARGEST = 10**9


@router.get("/api/drills", responses=answers("Drills", "The drills"))
async def drills(
    request: Request,
    seed: Annotated[int, Query(ge=0, le=LARGEST)] = 1,
    groups: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """The groups of drills, and the drills of those named, such as `reductions,products`; a seed repeats its own.

    Each has the lines of its program, the gradient to be written, the names in scope with their shapes, and as `walk`
    what POST /api/practice/check is asked with.
    """
    return await compute(request, "drills", (seed, tuple(filter(None, groups.split(",")))))
