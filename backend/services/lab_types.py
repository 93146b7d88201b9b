"""What GET /api/exhibits and GET /api/exhibits/{name} answer with: the lab of mistakes that happened."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict

from backend.present.picture_types import JsonNumber


class ExhibitSide(TypedDict):
    """One of the two programs of an exhibit."""

    key: str
    label: str
    link: Annotated[str, "the address of its walk"]


class ExhibitChapter(TypedDict):
    """A chapter that explains what an exhibit shows."""

    name: str
    title: str


class ExhibitThread(TypedDict):
    """A public thread in which it happened."""

    name: Annotated[str, "such as pytorch/pytorch#16045"]
    year: int | None


class ExhibitEntry(TypedDict):
    """An exhibit as it is listed; nothing here gives its answer away."""

    name: str
    kind: Annotated[Literal["bug", "suspect", "contrast"], "`suspect`: it only looks like a mistake"]
    title: str
    about: str
    shows: Literal["zeros", "none", "nan", "shape", "direction", "scale", "leak", "noise", "nothing"] | None
    chapters: list[ExhibitChapter]
    difficulty: Annotated[int, "1: seen in the picture; 3: needs a pencil"]
    threads: list[ExhibitThread]
    sides: list[ExhibitSide]


class ExhibitFault(TypedDict):
    """A file that can't be read as an exhibit."""

    file: str
    message: str
    hint: str


class Exhibits(TypedDict):
    """The answer of GET /api/exhibits."""

    exhibits: list[ExhibitEntry]
    faults: list[ExhibitFault]


class ExhibitRuns(TypedDict):
    """Two short runs of gradient descent on an exhibit's own numbers, each on its own gradients."""

    rate: float
    loss: Annotated[str, "how the program calls it"]
    meant: Annotated[list[JsonNumber], "the loss before each step, and at the end"]
    written: list[JsonNumber]
    judged: Annotated[list[JsonNumber] | None, "the loss as meant at the weights as written; null for other weights"]
    stopped: Annotated[str, "why the run as written takes no step; empty else"]


class ExhibitPage(TypedDict):
    """The answer of GET /api/exhibits/{name}: an exhibit whole."""

    entry: ExhibitEntry
    lines: Annotated[str, "the program as written; where only a backward line is wrong, that line behind it"]
    ask: str
    reveal: str
    sees: str
    look_at: list[str]
    runs: ExhibitRuns | None
    in_training: Annotated[str, "what is to be said of the runs, or why there are none; may be empty"]
