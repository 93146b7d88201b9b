"""What a chapter is as a page: GET /api/chapters/{name} answers with it, and the page is made from it."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict


class ChapterNeed(TypedDict):
    """A chapter that another one rests on."""

    name: str
    title: str
    number: Annotated[int, "its place on the path, from 1"]


class ChapterProgram(TypedDict):
    """One program of a chapter; figures name it."""

    name: Annotated[str, "empty for the chapter's own"]
    lesson: Annotated[str, 'what a walk is asked for: {"lesson": …}']


class ChapterChoice(TypedDict):
    """One answer to choose, with what is said when it is chosen."""

    html: str
    shape: Annotated[list[int] | None, "of what it gives, where that is a tensor"]
    fits: Annotated[bool, "it is right, or has the right shape"]
    right: bool
    why: Annotated[str, "HTML: why it is right or wrong"]
    axes: Annotated[list[int] | None, "of a sum: what it sums over"]
    keepdim: bool


class ChapterPart(TypedDict):
    """Prose, or a block: a figure, a number to drag, or a question."""

    kind: Annotated[str, "`prose`, or the name of the directive"]
    family: Literal["prose", "figure", "touch", "question"]
    id: Annotated[str, "the block's place in the page's address; empty for prose"]
    program: str
    argument: str
    label: Annotated[str, "what the block is called aloud"]
    props: Annotated[dict[str, str | int | float | list[str] | list[int] | None], "what the figure shows, by kind"]
    asks: Annotated[
        Literal["", "choice", "number", "shape", "expression", "line", "blank"],
        "how it is answered: by a choice, or by a text that POST /api/chapters/{name}/answer judges (a line: "
        "/api/practice/check); empty where nothing is asked",
    ]
    html: Annotated[str, "the prose; of a block what stands in it"]
    fallback: Annotated[str, "HTML: what the figure says to somebody who does not see it"]
    choices: list[ChapterChoice]
    answer: Annotated[str, "HTML for the key of a printed chapter: what is right, or of an open exercise its answer"]


class ChapterPage(TypedDict):
    """A chapter with everything computed."""

    name: str
    title: str
    promise: str
    minutes: Annotated[int, "to read it, look at its figures and answer its questions"]
    needs: Annotated[list[ChapterNeed], "what to have read before"]
    programs: list[ChapterProgram]
    parts: list[ChapterPart]


class TapeLine(TypedDict):
    """A line of what the reader's engine did, and the walk's line in the same place."""

    own: str
    walk: str


class ChapterAnswer(TypedDict):
    """What POST /api/chapters/{name}/answer found of an answer."""

    right: bool
    message: Annotated[str, "HTML: what is wrong with it, or why it is right"]
    answer: Annotated[str, "HTML: the chapter's own answer, once this one is right, or to be shown"]
    tape: Annotated[list[TapeLine], "of a blank in the engine: its backward lines beside the walk's"]


class ChapterEntry(TypedDict):
    """A chapter in the list of all of them."""

    name: str
    title: str
    promise: str
    minutes: int
    needs: list[ChapterNeed]
    questions: Annotated[int, "how many it asks"]
    programs: list[ChapterProgram]


class ChapterFault(TypedDict):
    """A file that can't be read as a chapter."""

    file: str
    line: int
    message: str
    hint: str


class Chapters(TypedDict):
    """The answer of GET /api/chapters."""

    chapters: list[ChapterEntry]
    faults: list[ChapterFault]
