"""Part of a tensor of a walk, in full resolution."""

from typing import Annotated, Literal, Self

from fastapi import APIRouter, Request, Response
from pydantic import Field, model_validator

from app.api.compute import compute
from app.api.requests import Integer, Name, Strict, WalkRequest

router = APIRouter()


class WindowRequest(Strict):
    """Which tensor, which of its numbers, and which rectangle of its sheet: [row0, row1, column0, column1)."""

    walk: WalkRequest
    tensor: Name
    which: Literal["value", "manual", "autograd", "difference", "contribution", "accumulated"]
    step: Integer | None = None
    window: Annotated[list[Integer], Field(min_length=4, max_length=4)]

    @model_validator(mode="after")
    def _step_where_it_belongs(self) -> Self:
        if (self.which in ("contribution", "accumulated")) != (self.step is not None):
            raise ValueError("`step` goes with `contribution` and `accumulated`, and is needed there")
        return self


@router.post("/api/tensor")
async def window(request: Request, wanted: WindowRequest) -> Response:
    """The cells of that rectangle; a large one is pooled."""
    return await compute(request, "tensor", wanted.model_dump(exclude_none=True))
