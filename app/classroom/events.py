"""What is told in a class, by topic: `show` is for everyone, `answers` for whoever teaches."""

from typing import Literal, NotRequired, TypedDict

Pace = Literal["follow", "free"]


class Choice(TypedDict):
    """One answer to choose: code, or words where no code says it."""

    code: str
    words: str


class Ask(TypedDict):
    """A question as everyone sees it."""

    kind: Literal["choice", "gradient", "shape"]
    prompt: str
    choices: NotRequired[list[Choice]]
    names: NotRequired[list[str]]  # what an answer may use


class Truth(TypedDict):
    """What judges the answers to a question, and is nobody's to see."""

    walk: dict[str, object]
    right: NotRequired[int]  # of the choices
    because: NotRequired[list[str]]  # of each choice, what is wrong with it
    shape: NotRequired[list[int]]
    target: NotRequired[str]


class Bar(TypedDict):
    """One bar of a distribution: a choice, or a kind of mistake, and how many gave it."""

    text: str
    code: NotRequired[str]  # of the mistake
    message: NotRequired[str]
    students: int
    right: bool


class Shown(TypedDict):
    """The class is at another place."""

    kind: Literal["shown"]
    address: str


class Paced(TypedDict):
    """Students follow, or go where they like."""

    kind: Literal["paced"]
    pace: Pace


class Asked(TypedDict):
    """A question, or one asked again, is open."""

    kind: Literal["asked"]
    question: int
    round: int
    ask: Ask
    at: float


class Closed(TypedDict):
    """Answers that come from now on count as late."""

    kind: Literal["closed"]
    question: int
    round: int


class Counted(TypedDict):
    """The distribution, for everyone."""

    kind: Literal["counted"]
    question: int
    round: int
    bars: list[Bar]
    waiting: int  # answers that have yet to be judged, after which it is told again


class Answered(TypedDict):
    """The right answer, for everyone."""

    kind: Literal["answered"]
    question: int
    value: str
    because: str


class Walled(TypedDict):
    """An answer on the wall; `where` are the characters that are wrong."""

    kind: Literal["walled"]
    question: int
    round: int
    text: str
    correct: bool
    message: str
    where: list[int] | None
    students: int


class Unwalled(TypedDict):
    """An answer is taken from the wall."""

    kind: Literal["unwalled"]
    question: int
    text: str


class Plain(TypedDict):
    """Joining is closed or open again, or the class has ended."""

    kind: Literal["locked", "unlocked", "ended"]


Show = Shown | Paced | Asked | Closed | Counted | Answered | Walled | Unwalled | Plain


class Truthful(TypedDict):
    """What judges a question; it is kept before the question is asked."""

    kind: Literal["truth"]
    question: int
    truth: Truth


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


class Judged(TypedDict):
    """What is to be said of one text, whoever wrote it."""

    kind: Literal["judged"]
    question: int
    text: str
    correct: bool
    code: str
    message: str
    where: list[int] | None


class Opened(TypedDict):
    """The first event of a class, which nobody is told."""

    kind: Literal["opened"]
    code: str
    secret: str
    at: float


Private = Truthful | Given | Judged | Opened


class Answer(TypedDict):
    """The right answer, and why."""

    value: str
    because: str


class Mine(TypedDict):
    """What a seat has answered."""

    revision: int
    value: int | str


class Counts(TypedDict):
    """A distribution that everyone was shown, and how many answers were still to be judged."""

    bars: list[Bar]
    waiting: int


class Open(TypedDict):
    """A question as everyone may see it."""

    question: int
    round: int
    ask: Ask
    closed: bool
    counts: Counts | None
    answer: Answer | None
    wall: list[Walled]


class OwnQuestion(Open):
    """The same for one seat."""

    mine: Mine | None


class Text(TypedDict):
    """Something that was written, by how many, and what is to be said of it."""

    text: str
    students: int
    verdict: Judged | None
    walled: bool


class Standing(Open):
    """The same for a board: how many have answered, and what, where that may be seen."""

    answered: int
    late: int
    rounds: NotRequired[list[list[Bar]]]
    waiting: NotRequired[int]
    texts: NotRequired[list[Text]]


class Place(TypedDict):
    """Where a class is."""

    number: int
    code: str
    address: str
    pace: Pace
    locked: bool
    ended: bool


class State(Place):
    """What somebody who comes late needs."""

    question: OwnQuestion | None


class Picture(Place):
    """What a board shows."""

    present: int
    question: Standing | None
