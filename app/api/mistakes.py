"""The mistakes that can be planted at a step of a walk."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/mistakes", responses=answers("Mistakes", "The mistakes"), openapi_extra=takes("mistakes"))
async def mistakes(request: Request) -> Response:
    """The mistakes of one backward step, each with its label and its line; 422 where the step is no backward one."""
    return await compute_posted(request, "mistakes")
