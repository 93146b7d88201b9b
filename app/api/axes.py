"""Which axis to sum: every choice for a tensor that was broadcast."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/axes", responses=answers("AxisChoices", "The choices"), openapi_extra=takes("axes"))
async def axes(request: Request) -> Response:
    """Every axis that a broadcast tensor's gradient could be summed over, the shape that comes out, and why not."""
    return await compute_posted(request, "axes")
