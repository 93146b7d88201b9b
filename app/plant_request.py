"""What a request may plant in a walk's backward pass: a mistake by its name, or a line of one's own."""

from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, model_validator

from app.fields import Position, Strict
from app.options import OPTIONS
from app.tensor_values import wrong

MOST_PLANTED = 2_000  # characters of a line that is planted
PLANT = 'Write {"step": 24, "mistake": "missing-sum"}, or {"step": 24, "code": "dx = dy * w"}.'

if TYPE_CHECKING:  # made of the options, which a type checker can't read
    Mistake = str
else:
    Mistake = Literal[tuple(OPTIONS["mistakes"])]


class Plant(Strict):
    """A mistake planted at one backward `step`, counted as in the walk with its `changes`.

    `mistake` is one of those that POST /api/mistakes lists for the step; `code` is a line, or a few, of one's own.
    """

    step: Position
    mistake: Mistake | None = None
    code: Annotated[str, Field(min_length=1, max_length=MOST_PLANTED)] | None = None

    @model_validator(mode="after")
    def _one_way_to_plant(self) -> Self:
        if (self.mistake is None) == (self.code is None):
            raise wrong("give either `mistake` or `code`", PLANT)
        return self
