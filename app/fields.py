"""What the fields of requests are made of: strict models, finite numbers, regular arrays, indices, names."""

from itertools import islice
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError, PydanticKnownError

LARGEST_INTEGER = 2**53
LARGEST_SEED = 2**63 - 1
MOST_CELLS = 2**20
MOST_AXES = 8
MOST_ENTRIES = 400  # tensors, constants or named axes of one program
MOST_UNKNOWN = 6  # fields that nobody knows: so many are named, the rest is not looked at
ALONG = "Write 3 for one place along the axis, [0, 4] for the places 0 to 3, or null for all of them."


def wrong(message: str, hint: str) -> PydanticCustomError:
    """What is wrong, and what to write instead."""
    return PydanticCustomError("value", "{message}", {"message": message, "hint": hint})


class Strict(BaseModel):
    """A model that converts nothing and knows all of its fields."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _few_unknown(cls, given: Any) -> Any:
        known = cls.model_fields
        if not isinstance(given, dict) or len(given) <= len(known) + MOST_UNKNOWN:
            return given
        unknown = islice((name for name in given if name not in known), MOST_UNKNOWN)
        return {name: given[name] for name in (*filter(given.__contains__, known), *unknown)}


def counted(given: object) -> object:
    """A dictionary of few entries: its length is looked at before any entry is, each of which could be a mistake."""
    if isinstance(given, dict) and len(given) > MOST_ENTRIES:
        facts = {"field_type": "Dictionary", "max_length": MOST_ENTRIES, "actual_length": len(given)}
        raise PydanticKnownError("too_long", facts)
    return given


Counted = BeforeValidator(counted)


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
        level = [cell for row in level if isinstance(row, list) for cell in row]
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


def along(given: object) -> object:
    """Where along an axis: a place, a range `[start, stop)`, or everywhere."""
    ends: list[Any] = given if isinstance(given, list) else [0, 1] if given is None else [0, given]
    if any(isinstance(end, bool) or not isinstance(end, int) or end > LARGEST_INTEGER for end in ends):
        raise wrong("must hold whole numbers, ranges of them, or null", ALONG)
    if any(end < 0 for end in ends):
        raise PydanticKnownError("greater_than_equal", {"ge": 0})
    if isinstance(given, list) and (len(given) != 2 or given[0] >= given[1]):
        raise wrong("a range has two ends, the second after the first", ALONG)
    return given


Name = Annotated[str, Field(min_length=1, max_length=100)]


def writable(text: str) -> str:
    """Half of a surrogate pair is no text: it could be read, and not be sent back."""
    if not text.isprintable():
        raise wrong("must be printable text", "Use letters, digits and spaces.")
    return text


Label = Annotated[str, Field(max_length=64), AfterValidator(writable)]
AxisNames = Annotated[list[Label], Field(max_length=MOST_AXES)]
Integer = Annotated[int, Field(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
Index = Annotated[list[Integer], Field(max_length=MOST_AXES)]
Place = Annotated[int, Field(ge=0, le=LARGEST_INTEGER)]
Along = Annotated[
    object,
    AfterValidator(along),
    WithJsonSchema({"description": "One place, a range [start, stop), or null", "type": ["integer", "array", "null"]}),
]
Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]
Number = Annotated[object, AfterValidator(finite), WithJsonSchema({"type": "number"})]
Values = Annotated[
    object,
    AfterValidator(rectangular),
    WithJsonSchema(
        {"description": "A number or a truth value, or nested lists of them", "type": ["number", "boolean", "array"]}
    ),
]
