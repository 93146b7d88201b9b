"""Gradients from the loss's values alone: central differences beside the gradient that the lines computed."""

from typing import Annotated, Literal, Self

from fastapi import APIRouter, Request, Response
from pydantic import Field, model_validator

from app.api.compute import compute
from app.api.requests import MOST_AXES, Integer, Name, Seed, Strict, WalkRequest

MOST_CELLS = 64
router = APIRouter()


class NumericRequest(Strict):
    """Which tensor to nudge (`*`: each in turn), along one direction or cell by cell."""

    walk: WalkRequest
    node: Name
    mode: Literal["direction", "cells"] = "direction"
    cells: list[Annotated[list[Integer], Field(max_length=MOST_AXES)]] | None = Field(
        default=None, min_length=1, max_length=MOST_CELLS
    )
    seed: Seed = 0

    @model_validator(mode="after")
    def _cells_of_one_tensor(self) -> Self:
        if self.node == "*" and self.mode == "cells":
            raise ValueError("`cells` goes with one tensor: name it, or leave `mode` out")
        if self.cells is not None and self.mode != "cells":
            raise ValueError("`cells` goes with `mode: cells`")
        return self


@router.post("/api/numeric")
async def numeric(request: Request, wanted: NumericRequest) -> Response:
    """What central differences say of one gradient, or of all."""
    return await compute(request, "numeric", wanted.model_dump(exclude_none=True))
