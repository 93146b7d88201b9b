"""The local Jacobian of one tensor by one of the tensors in its line."""

from fastapi import APIRouter, Request, Response

from app.api.compute import answers, compute_posted, takes

router = APIRouter()


@router.post("/api/jacobian", responses=answers("JacobianAnswer", "The matrix"), openapi_extra=takes("jacobian"))
async def jacobian(request: Request) -> Response:
    """The matrix, the gradient that arrives, and their product beside what the walk shows."""
    return await compute_posted(request, "jacobian")
