"""One number of a walk, opened: the terms that it is the sum of."""

from typing import Annotated, Literal, Self

from fastapi import APIRouter, Request, Response
from pydantic import Field, model_validator

from app.api.compute import compute
from app.api.requests import LARGEST_INTEGER, MOST_AXES, Strict, WalkRequest

router = APIRouter()
Place = Annotated[int, Field(ge=0, le=LARGEST_INTEGER)]


class CellRequest(Strict):
    """Which cell of which tensor; a contribution is that of one backward step, by its index in the walk."""

    walk: WalkRequest
    tensor: str
    which: Literal["value", "gradient", "contribution"]
    index: Annotated[list[Place], Field(max_length=MOST_AXES)]
    step: Place | None = None

    @model_validator(mode="after")
    def _step_with_contribution(self) -> Self:
        if (self.which == "contribution") != (self.step is not None):
            raise ValueError("`step` goes with a contribution, and is needed there")
        return self


@router.post("/api/cell")
async def cell(request: Request, wanted: CellRequest) -> Response:
    """The terms behind one number; 422 where there is no such tensor, cell, gradient or step."""
    return await compute(request, "cell", wanted.model_dump(exclude_none=True))
