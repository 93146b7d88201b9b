"""What may be asked of a class: to open, join and enter it, what its teacher says, and what is answered."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, FiniteFloat, RootModel, model_validator

from app.fields import Name, Position, Strict
from app.requests import WalkRequest
from app.tensor_values import wrong

LONGEST_ANSWER = 2000
MOST_REVISIONS = 50
MOST_CHOICES = 9
MOST_GRADIENTS = 500  # of an exercise
CELL = re.compile(r"\s*([A-Za-z_]\w{0,99})\s*(?:\[\s*(\d{1,9}(?:\s*,\s*\d{1,9}){0,7})\s*\])?\s*")
ADDRESS = re.compile(r"/((walk|code|learn|lab|practise)(/[\w.%-]{1,100})?)?(\?[^#\s]*)?(#\S*)?")


def readable(text: str) -> str:
    """Printable, on as many lines as one likes."""
    if not text.replace("\n", "").isprintable():
        raise wrong("must be printable text", "Use letters, digits, signs and spaces.")
    return text


def of_a_page(address: str) -> str:
    """The address of a page of ours, without the host."""
    if not ADDRESS.fullmatch(address):
        raise wrong("must be the address of a page of gradwalk", "Write it as in /walk/makemore-mlp?step=40.")
    return address


def of_one_cell(text: str) -> str:
    """A name, and the indices of one of its numbers unless it is one."""
    if not CELL.fullmatch(text):
        raise wrong("must be one number of a tensor", "Write it as in W[0, 1].")
    return text


def chosen_or_written(value: object) -> int | str:
    """The place of a choice, from 0, or a text."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_CHOICES:
        return value
    if isinstance(value, str) and 0 < len(value) <= LONGEST_ANSWER:
        return readable(value)
    raise wrong(
        "must be the place of a choice, or a text", f"Write 0, or a text of {LONGEST_ANSWER} characters at most."
    )


Address = Annotated[str, Field(max_length=8000), AfterValidator(of_a_page)]
Text = Annotated[str, Field(min_length=1, max_length=LONGEST_ANSWER), AfterValidator(readable)]

Cell = Annotated[str, Field(max_length=200), AfterValidator(of_one_cell)]


class ClassRequest(Strict):
    """What the class begins with: the address of a page, as the browser shows it."""

    address: Address


class JoinRequest(Strict):
    """The code that stands on the wall."""

    code: Annotated[str, Field(max_length=40)]


class EnterRequest(Strict):
    """The key of the link that a teacher or a board was given."""

    key: Annotated[str, Field(max_length=64)]


class ChoiceAsk(Strict):
    """What a walk asks first from one of its steps on; steps count from 0, the forward ones too."""

    kind: Literal["choice"]
    walk: WalkRequest
    step: Position


class GradientAsk(Strict):
    """A gradient to write, by the name of its tensor."""

    kind: Literal["gradient"]
    walk: WalkRequest
    target: Name


class ShapeAsk(Strict):
    """The shape of a tensor that a line makes."""

    kind: Literal["shape"]
    walk: WalkRequest
    tensor: Name


class AxisAsk(Strict):
    """How the gradient of a tensor that was broadcast is summed."""

    kind: Literal["axis"]
    walk: WalkRequest
    tensor: Name


class NumberAsk(Strict):
    """One number of a walk, as its programs would write it, such as `loss`, `h[0, 3]` or `dW[0, 1]`."""

    kind: Literal["number"]
    walk: WalkRequest
    cell: Cell


class DragAsk(Strict):
    """One number of a walk to be dragged until another one, such as `loss` or `dW[0, 1]`, is so much."""

    kind: Literal["drag"]
    walk: WalkRequest
    cell: Cell
    goal: Cell
    value: FiniteFloat


Ask = Annotated[ChoiceAsk | AxisAsk | GradientAsk | ShapeAsk | NumberAsk | DragAsk, Field(discriminator="kind")]


class ShowCommand(Strict):
    """The teacher has come to another place."""

    kind: Literal["show"]
    address: Address


class PaceCommand(Strict):
    """Whether students go where the teacher goes, no further than there, or where they like."""

    kind: Literal["pace"]
    pace: Literal["follow", "upto", "free"]


class AskCommand(Strict):
    """A question for all; the one before is closed by it."""

    kind: Literal["ask"]
    ask: Ask


class AskAgainCommand(Strict):
    """The same question once more, in a round of its own, after the class has talked."""

    kind: Literal["ask-again"]


class ActCommand(Strict):
    """A word of the teacher that needs no more: see `app/classroom/room.py`."""

    kind: Literal["close", "count", "answer", "lock", "unlock", "rotate", "keep", "end"]


class WallCommand(Strict):
    """An answer for the wall, or one to be taken from it."""

    kind: Literal["wall", "unwall"]
    text: Text


Command = Annotated[
    ShowCommand | PaceCommand | AskCommand | AskAgainCommand | ActCommand | WallCommand, Field(discriminator="kind")
]


class ClassCommand(RootModel[Command]):
    """What a teacher says to a class."""


class HereRequest(Strict):
    """Where a student is in an exercise: at which of its gradients, from 0, how many are written, and how often the
    one that is open was tried wrongly."""

    address: Address
    place: Position
    count: Annotated[int, Field(ge=1, le=MOST_GRADIENTS)]
    written: Position
    tries: Position

    @model_validator(mode="after")
    def within(self) -> Self:
        """No place is behind the last gradient."""
        if self.place >= self.count or self.written > self.count:
            raise wrong("is behind the last gradient", "Count the gradients of the exercise from 0.")
        return self


class ClassAnswerRequest(Strict):
    """One answer to a question: which choice, or what was written; a later revision takes the place of an earlier."""

    question: Position
    round: Position
    revision: Annotated[int, Field(ge=0, le=MOST_REVISIONS)]
    value: Annotated[object, AfterValidator(chosen_or_written)]
