"""What may be asked of a network with a bug in it: which one it is, and what is looked at."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from app.fields import Index, Name, Position, Seed, Strict
from app.options import OPTIONS

GRADES = 3

if TYPE_CHECKING:  # made of the options, which a type checker can't read
    Network = str
else:
    Network = Literal[tuple(OPTIONS["networks"])]


class BugRequest(Strict):
    """Which network, and the seed that its wrong line is drawn from."""

    network: Network
    seed: Seed


class BugLineRequest(BugRequest):
    """Which backward line, counted from 0."""

    line: Position


class BugCellRequest(BugLineRequest):
    """Which cell of the gradient that a line makes."""

    index: Index


class BugHintRequest(BugRequest):
    """Which hint: 1 tells the least."""

    grade: Annotated[int, Field(ge=1, le=GRADES)]


class BugAccuseRequest(BugLineRequest):
    """Which line is accused, and once that is right, of which mistake."""

    mistake: Name | None = None


class BugRevealRequest(BugRequest):
    """The line and the mistake, for who has found them, or that they are given up."""

    line: Position | None = None
    mistake: Name | None = None
    given_up: bool = False
