"""The local Jacobian of one tensor by one of the tensors in its line."""

from fastapi import APIRouter, Request, Response

from app.api.compute import compute
from app.api.requests import Integer, Name, Strict, WalkRequest

router = APIRouter()


class JacobianRequest(Strict):
    """Which tensor by which input; with `example` for one entry of the leading axis that both share."""

    walk: WalkRequest
    node: Name
    input: Name
    example: Integer | None = None


@router.post("/api/jacobian")
async def jacobian(request: Request, wanted: JacobianRequest) -> Response:
    """The matrix, the gradient that arrives, and their product beside what the walk shows."""
    return await compute(request, "jacobian", wanted.model_dump(exclude_none=True))
