"""What an exhibit is once its file has been read: two programs, what one sees, and where it happened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

Kind = Literal["bug", "suspect", "contrast"]
KINDS: tuple[Kind, ...] = get_args(Kind)
# What one sees of a mistake in the gradients, most telling first.
Shown = Literal["zeros", "none", "nan", "shape", "direction", "scale", "leak", "noise", "nothing"]
SHOWN: tuple[Shown, ...] = get_args(Shown)
# How the two sides are called, by the kind; of a contrast the file says it.
SIDES = {"bug": ("meant", "written"), "suspect": ("meant", "written"), "contrast": ("left", "right")}
LABELS = {"meant": "as meant", "written": "as written"}


@dataclass(frozen=True)
class Side:
    """One of the two programs: what it is called, and the walk that it is.

    `program` is a request of its own, walked by the name `walk["lesson"]`. Without one it is the other side's program
    with a wrong backward line: `walk` then plants it.
    """

    key: str
    label: str
    walk: Mapping[str, Any]
    program: Mapping[str, Any] | None


@dataclass(frozen=True)
class Training:
    """The symptom in training: so many steps of gradient descent on the exhibit's own numbers, at this rate."""

    rate: float
    steps: int


@dataclass(frozen=True)
class Thread:
    """Where it happened: a public thread, such as `pytorch/pytorch#16045`, and its year where that is known."""

    name: str
    year: int | None

    @property
    def address(self) -> str:
        """Its page; a pull request is found under the same number."""
        place, _, number = self.name.partition("#")
        return f"https://github.com/{place}/issues/{number}"


@dataclass(frozen=True)
class Exhibit:
    """One exhibit; `look_at` are the gradients (`dW`) or values that it is about, the first one is asked for.

    `in_training` is said of its two runs, or says why it has none; `places` are the lines of its file, by keys.
    """

    name: str
    file: str
    kind: Kind
    title: str
    about: str
    shows: Shown | None
    lessons: tuple[str, ...]
    difficulty: int
    threads: tuple[Thread, ...]
    ask: str
    reveal: str
    sees: str
    look_at: tuple[str, ...]
    sides: tuple[Side, Side]
    training: Training | None
    in_training: str
    places: Mapping[tuple[str, ...], int]
