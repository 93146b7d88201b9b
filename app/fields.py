"""What the fields of requests are made of: strict models, numbers, indices, names."""

from itertools import islice
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic_core import PydanticKnownError

from app.tensor_values import LARGEST_INTEGER, MOST_AXES, cells_given, finite, wrong

LARGEST_SEED = 2**63 - 1
MOST_ENTRIES = 400  # tensors, constants or named axes of one program
MOST_UNKNOWN = 6  # fields that nobody knows: so many are named, the rest is not looked at
ALONG = "Write 3 for one place along the axis, [0, 4] for the places 0 to 3, or null for all of them."


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
Position = Annotated[int, Field(ge=0, le=LARGEST_INTEGER)]
Along = Annotated[
    object,
    AfterValidator(along),
    WithJsonSchema({"description": "One place, a range [start, stop), or null", "type": ["integer", "array", "null"]}),
]
Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]
Number = Annotated[object, AfterValidator(finite), WithJsonSchema({"type": "number"})]
Values = Annotated[
    object,
    AfterValidator(cells_given),
    WithJsonSchema(
        {
            "description": "A number, a truth value, Infinity or -Infinity in quotes, nested lists of them, or a typed "
            "array as answers have it",
            "type": ["number", "boolean", "string", "array", "object"],
        }
    ),
]
