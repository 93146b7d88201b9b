"""What may be asked about the tensors of a walk's steps: all of one step, what belongs to some, a window into one."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.fields import Integer, Name, Position
from app.requests import MOST_CHANGES, AboutTensor, AboutWalk, Change

MOST_SHOWN = 32  # tensors beside one step
MOST_NEAR = 8  # steps at once, all of whose tensors come whole: a reader's neighbours, and no more


class StepRequest(AboutWalk):
    """Which step of the walk, which of its named tensors besides, and which answer to its question.

    With `changes`, what the step shows once these take the place of the walk's own; a step or a gradient that is no
    longer there is null. With `thumbnails`, small pictures of what all other tensors hold by this step.
    """

    index: Position
    choice: Annotated[Integer, Field(ge=0, le=8)] | None = None
    nodes: Annotated[list[Name], Field(max_length=MOST_SHOWN)]
    changes: list[Change] | None = Field(default=None, max_length=MOST_CHANGES)
    thumbnails: bool = False


class StepsRequest(AboutWalk):
    """Which steps of the walk, and which tensors' autograd columns; every backward step's gradient, every question."""

    steps: Annotated[list[Position], Field(max_length=MOST_NEAR)]
    judged: Annotated[list[Name], Field(max_length=MOST_NEAR)]
    gradients: bool = False
    questions: bool = False


class WindowRequest(AboutTensor):
    """Which tensor, which of its numbers, and which rectangle of its sheet: [row0, row1, column0, column1)."""

    which: Literal["value", "manual", "autograd", "difference", "contribution", "accumulated"]
    step: Integer | None = None
    window: Annotated[list[Integer], Field(min_length=4, max_length=4)]

    @model_validator(mode="after")
    def _step_where_it_belongs(self) -> Self:
        if (self.which in ("contribution", "accumulated")) != (self.step is not None):
            raise ValueError("`step` goes with `contribution` and `accumulated`, and is needed there")
        return self
