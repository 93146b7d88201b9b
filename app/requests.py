"""What a request may say: strict types, nothing unknown, every number finite."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

LARGEST_INTEGER = 2**53
LARGEST_SEED = 2**63 - 1
MOST_CELLS = 2**20
MOST_AXES = 8
VALUES_OR_INIT = 'Write {"values": [1.0, 2.0]}, or {"shape": [2], "init": "randn", "seed": 1}; `role` beside either.'
RANDINT = 'Write {"shape": [5], "init": "randint", "low": 0, "high": 10}: whole numbers from 0 to 9.'
LESSON_OR_PROGRAM = (
    'Write {"lesson": "first-steps", "seed": 2}, or {"source": "y = x * 3", "tensors": {"x": '
    '{"role": "parameter", "values": 2.0}}}.'
)


def wrong(message: str, hint: str) -> PydanticCustomError:
    """What is wrong, and what to write instead."""
    return PydanticCustomError("value", "{message}", {"message": message, "hint": hint})


class Strict(BaseModel):
    """A model that converts nothing and knows all of its fields."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def rectangular(values: object) -> object:
    """Nested lists of finite numbers, or of truth values, all rows of one depth equally long.

    They are looked through level by level, so that depth costs no stack.
    """
    level, cells = [values], 1
    for _ in range(MOST_AXES + 1):
        if not isinstance(level[0], list):
            if not all(isinstance(cell, bool) for cell in level):
                for cell in level:
                    finite(cell)
            return values
        lengths = {len(row) if isinstance(row, list) else -1 for row in level}
        if len(lengths) > 1:
            raise wrong(
                "the rows of nested lists must be equally long", "Write a regular array, such as [[1, 2], [3, 4]]."
            )
        cells *= lengths.pop()
        if cells > MOST_CELLS:
            raise wrong(f"a tensor has at most {MOST_CELLS:,} cells", "Use fewer examples or fewer features.")
        if cells == 0:
            raise wrong("a tensor needs at least one cell", "Write at least one number.")
        level = [cell for row in level for cell in row]  # type: ignore[attr-defined]
    raise wrong(f"a tensor has at most {MOST_AXES} axes", "Nest the lists less deep.")


def finite(cell: object) -> object:
    """A finite number, and no truth value passing for one."""
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        raise wrong("must be a number", "Write digits, such as 1.5: no quotes, no null; true and false in masks only.")
    if isinstance(cell, int) and abs(cell) > LARGEST_INTEGER:
        raise wrong("must lie within ±2^53", "Use a smaller number, or a decimal such as 1e20.")
    if isinstance(cell, float) and not abs(cell) < float("inf"):
        raise wrong("must be finite", "NaN and Infinity can be computed, not given: use a finite number.")
    return cell


Name = Annotated[str, Field(min_length=1, max_length=100)]


def writable(text: str) -> str:
    """Half of a surrogate pair is no text: it could be read, and not be sent back."""
    if not text.isprintable():
        raise wrong("must be printable text", "Use letters, digits and spaces.")
    return text


Label = Annotated[str, Field(max_length=64), AfterValidator(writable)]
Integer = Annotated[int, Field(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]
Number = Annotated[object, AfterValidator(finite), WithJsonSchema({"type": "number"})]
Values = Annotated[
    object,
    AfterValidator(rectangular),
    WithJsonSchema(
        {"description": "A number or a truth value, or nested lists of them", "type": ["number", "boolean", "array"]}
    ),
]


class Tensor(Strict):
    """One input of a program: either `values`, or a `shape` with the `init` that fills it."""

    role: Literal["parameter", "data", "target"]
    values: Values = None
    shape: list[Annotated[int, Field(ge=0, le=LARGEST_INTEGER)]] | None = Field(default=None, max_length=MOST_AXES)
    init: Literal["randn", "rand", "zeros", "ones", "arange", "randint"] | None = None
    seed: Seed | None = None
    scale: Number = 1.0
    shift: Number = 0.0
    low: Integer | None = None
    high: Integer | None = None

    @model_validator(mode="after")
    def _one_way_to_fill(self) -> Self:
        drawn = self.model_fields_set - {"role", "values"}
        if "values" in self.model_fields_set:
            if drawn:
                raise wrong(f"`values` stands alone: leave out {', '.join(sorted(drawn))}", VALUES_OR_INIT)
        elif self.shape is None or self.init is None:
            raise wrong("give `values`, or `shape` and `init`", VALUES_OR_INIT)
        elif (self.init == "randint") != (self.high is not None):
            raise wrong("`high` goes with `init: randint`, and is needed there", RANDINT)
        elif self.high is not None and self.high <= (self.low or 0):
            raise wrong("`high` must be more than `low`, which is 0 unless given", RANDINT)
        return self


class WalkRequest(Strict):
    """What to walk: a `lesson`, or a program (`source`) with its `tensors`."""

    lesson: str | None = None
    seed: Seed | None = None
    source: str | None = None
    tensors: dict[str, Tensor] | None = None
    constants: dict[str, Number] | None = None
    loss: str | None = None
    dtype: Literal["float32", "float64"] | None = None
    dims: dict[Name, Annotated[list[Label], Field(max_length=MOST_AXES)]] | None = None
    exact: bool = False

    @model_validator(mode="after")
    def _lesson_or_program(self) -> Self:
        given = {name for name in self.model_fields_set if getattr(self, name) is not None} - {"exact"}
        if self.lesson is not None:
            if others := given - {"lesson", "seed"}:
                raise wrong(
                    f"a lesson brings its own program: leave out {', '.join(sorted(others))}", LESSON_OR_PROGRAM
                )
        elif self.source is None or self.tensors is None:
            raise wrong("give a `lesson`, or `source` and `tensors`", LESSON_OR_PROGRAM)
        elif self.seed is not None:
            raise wrong("`seed` goes with a lesson; in a program every tensor has its own", LESSON_OR_PROGRAM)
        return self


class WalkOptions(Strict):
    """How to write the answer."""

    arrays: Literal["typed", "lists"] = "typed"
