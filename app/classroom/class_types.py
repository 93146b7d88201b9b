"""What a class is told and answers with: events for everyone, the state of a seat, the picture of a board."""

from typing import Literal, NotRequired, TypedDict

Pace = Literal["follow", "upto", "free"]
Part = Literal["teacher", "board"]


class OfferedChoice(TypedDict):
    """One answer to choose: code, or words where no code says it."""

    code: str
    words: str


class Dragged(TypedDict):
    """The number that is dragged in the walk at an address, from its value on."""

    tensor: str
    index: list[int]
    value: float
    address: str


class ClassAsk(TypedDict):
    """A question as everyone sees it."""

    kind: Literal["choice", "axis", "gradient", "shape", "number", "drag"]
    prompt: str
    drag: NotRequired[Dragged]
    choices: NotRequired[list[OfferedChoice]]
    names: NotRequired[list[str]]  # what an answer may use


class Bar(TypedDict):
    """One bar of a distribution: a choice, or a kind of mistake, and how many gave it."""

    text: str
    code: NotRequired[str]  # of the mistake
    message: NotRequired[str]
    students: int
    right: bool


class ClassShown(TypedDict):
    """The class is at another place."""

    kind: Literal["shown"]
    address: str


class Paced(TypedDict):
    """Students follow, or go where they like: anywhere, or no further than the class is."""

    kind: Literal["paced"]
    pace: Pace


class Asked(TypedDict):
    """A question, or one asked again, is open."""

    kind: Literal["asked"]
    question: int
    round: int
    ask: ClassAsk
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
    where: tuple[int, int] | None
    students: int


class Unwalled(TypedDict):
    """An answer is taken from the wall."""

    kind: Literal["unwalled"]
    question: int
    text: str


class ClassSwitched(TypedDict):
    """Joining is closed or open again, the code changes every minute or stays, or the class has ended."""

    kind: Literal["locked", "unlocked", "rotating", "steady", "ended"]


class Coded(TypedDict):
    """The class has another code; the one before holds for a while."""

    kind: Literal["coded"]
    code: str
    at: float


ClassEvent = ClassShown | Paced | Asked | Closed | Counted | Answered | Walled | Unwalled | ClassSwitched | Coded


class ClassMissed(TypedDict):
    """In place of events that are forgotten: ask for the state."""

    kind: Literal["missed"]
    first: int
    last: int


class ClassReset(TypedDict):
    """The class has lost its latest events: ask for the state."""

    kind: Literal["reset"]


ClassTold = ClassEvent | ClassMissed | ClassReset


class ClassNumbered(TypedDict):
    """An event with its number."""

    number: int
    told: ClassTold


class ClassNews(TypedDict):
    """What a class is told after an event; empty where nothing came in the time that was waited."""

    events: list[ClassNumbered]


class ClassBegun(TypedDict):
    """A new class: its name, its code, and the keys of its teacher and its board."""

    id: str
    code: str
    teacher: str
    board: str


class Seated(TypedDict):
    """The class that one has a seat in."""

    id: str


class Entered(TypedDict):
    """Whose key it was, the code to join by, and the key of the board."""

    part: Part
    code: str
    board: str


class AnswerKept(TypedDict):
    """An answer is kept; `late`: after the question was closed."""

    late: bool


class ClassVerdict(TypedDict):
    """What is to be said of one text, whoever wrote it."""

    kind: Literal["judged"]
    question: int
    text: str
    correct: bool
    code: str
    message: str
    where: tuple[int, int] | None


class RightAnswer(TypedDict):
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


class ClassQuestion(TypedDict):
    """A question as everyone may see it."""

    question: int
    round: int
    ask: ClassAsk
    closed: bool
    counts: Counts | None
    answer: RightAnswer | None
    wall: list[Walled]


class OwnQuestion(ClassQuestion):
    """The same for one seat."""

    mine: Mine | None


class WrittenAnswer(TypedDict):
    """Something that was written, by how many, and what is to be said of it."""

    text: str
    students: int
    verdict: ClassVerdict | None
    walled: bool


class QuestionStanding(ClassQuestion):
    """The same for a board: how many have answered, and what, where that may be seen."""

    answered: int
    late: int
    rounds: NotRequired[list[list[Bar]]]
    waiting: NotRequired[int]
    texts: NotRequired[list[WrittenAnswer]]


class ClassPlace(TypedDict):
    """Where a class is."""

    number: int
    code: str
    address: str
    pace: Pace
    locked: bool
    ended: bool


class ClassState(ClassPlace):
    """What somebody who comes late needs."""

    question: OwnQuestion | None


class Strip(TypedDict):
    """Where students are in an exercise: of each gradient how many have it open, and how many of them have tried it
    wrongly several times; and of each number of gradients, from none to all, how many have written so many."""

    here: list[int]
    stuck: list[int]
    written: list[int]


class ClassPicture(ClassPlace):
    """What a board shows."""

    join: str  # the address where one joins
    reachable: bool  # from other machines too
    present: int
    rotating: bool  # the code changes every minute
    question: QuestionStanding | None
    strip: NotRequired[Strip | None]  # for the teacher, where students are in an exercise that the class is shown


class NumberedPicture(TypedDict):
    """A picture, with a number that is another one once something has changed."""

    number: int
    told: ClassPicture


class ClassPictures(TypedDict):
    """The picture of a board as it is now."""

    events: list[NumberedPicture]
