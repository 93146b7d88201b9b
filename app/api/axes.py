"""Which axis to sum: every choice for a tensor that was broadcast."""

from fastapi import APIRouter, Request, Response

from app.api.compute import compute_posted, takes

router = APIRouter()
CHOICES = {
    "description": "The choices",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/AxisChoices"}}},
}


@router.post("/api/axes", responses={200: CHOICES}, openapi_extra=takes("axes"))
async def axes(request: Request) -> Response:
    """Every axis that a broadcast tensor's gradient could be summed over, the shape that comes out, and why not."""
    return await compute_posted(request, "axes")
