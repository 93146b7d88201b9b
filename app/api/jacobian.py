"""The local Jacobian of one tensor by one of the tensors in its line."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import Field

from app.api.compute import compute
from app.api.requests import MOST_AXES, Integer, Name, Strict, WalkRequest

router = APIRouter()


class JacobianRequest(Strict):
    """Which tensor by which input; with `example` for one entry of the leading axis that both share.

    With `cell` (of `tensor`, one of the two; else of the input) the answer is what can be drawn of it: the whole, or
    the block that holds this cell, along axes that both share; too large a one is an answer without a matrix.
    """

    walk: WalkRequest
    node: Name
    input: Name
    example: Integer | None = None
    tensor: Name | None = None
    cell: Annotated[list[Integer], Field(max_length=MOST_AXES)] | None = None


@router.post("/api/jacobian")
async def jacobian(request: Request, wanted: JacobianRequest) -> Response:
    """The matrix, the gradient that arrives, and their product beside what the walk shows."""
    return await compute(request, "jacobian", wanted.model_dump(exclude_none=True))
