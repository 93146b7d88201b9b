"""One step of gradient descent from a walk's parameters."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/descent", responses=answers("Descent", "The losses"), openapi_extra=takes("descent"))
async def descent(request: Request) -> Response:
    """The loss after one step of gradient descent, at each learning rate; 422 where no parameter has a gradient."""
    return await compute_posted(request, "descent")
