"""What only a teacher's side of a class knows of; what is told is in `class_types.py`."""

from typing import Literal, NotRequired, TypedDict

from app.classroom.class_types import ClassVerdict, Strip


class Reached(TypedDict):
    """What a dragged number has to reach, and how closely."""

    cell: str
    goal: str
    value: float
    within: float


class Truth(TypedDict):
    """What judges the answers to a question, and is nobody's to see."""

    walk: dict[str, object]
    right: NotRequired[int]  # of the choices
    because: NotRequired[list[str]]  # of each choice, what is wrong with it
    why: NotRequired[str]  # the right one is right
    shape: NotRequired[list[int]]
    number: NotRequired[float]
    dragged: NotRequired[Reached]
    target: NotRequired[str]


class Truthful(TypedDict):
    """What judges a question; it is kept before the question is asked."""

    kind: Literal["truth"]
    question: int
    truth: Truth


class Came(TypedDict):
    """A seat follows for the first time; until then it is a promise that anybody with the code can draw."""

    kind: Literal["came"]
    seat: int


class Given(TypedDict):
    """An answer of a seat."""

    kind: Literal["given"]
    seat: int
    question: int
    round: int
    revision: int
    value: int | str
    late: bool
    at: float


class Opened(TypedDict):
    """The first event of a class, which nobody is told."""

    kind: Literal["opened"]
    code: str
    secret: str
    at: float


class Around(TypedDict):
    """What one server knows of those who follow a class there; it is no event."""

    present: int
    strip: Strip | None


Private = Truthful | Came | Given | ClassVerdict | Opened
