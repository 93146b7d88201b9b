"""What the page of a walk asks, answered beforehand for its file."""

import json
from collections.abc import Iterator
from itertools import chain

from app.site import asked, closeup, lean, packing, tensors
from app.site.closeup import Spent, never
from app.site.counted import PACKED, counted
from app.site.here import Here
from app.site.letters import letters
from app.site.question import OWN, Document, Question
from app.site.server import Answers


def exported(answers: Here, walk: Document, seconds: float) -> Document:
    """What `alone.page` makes the file of, with the file's name: as much as a worker has so much processor time for.

    Raises Refusal where the walk is refused.
    """
    few, document = counted(answers, whole_walk(walk), seconds)
    found, whole = answered(few, walk, few.spent)
    text, size = letters(packing.packed(found, steps=seconds * PACKED))
    name = str(walk.get("lesson", "gradwalk")).replace("-", "_")
    told = {"title": document["title"], "answers": text, "size": size, "whole": whole}
    return {"filename": f"{name}.html", "page": told}


def answered(answers: Answers, walk: Document, spent: Spent = never) -> tuple[dict[str, Document], bool]:
    """What the page will ask of the walk, by the spelling of the question, under the walk's name in its file; and
    whether all of it was asked before what there is for that was `spent`."""
    found: dict[str, Document] = {}
    for question, answer in chain(_of_walk(answers, walk, spent), _of_tensors(answers, walk, found)):
        found[_own(question, walk).spelling] = json.loads(answer)
        if spent():
            return found, False
    return found, True


def _of_walk(answers: Answers, walk: Document, spent: Spent) -> Iterator[tuple[Question, bytes]]:
    for question in asked.of_walk(answers, walk):
        answer = closeup.answer(answers, question, spent)
        if answer is not None:
            yield question, lean.answer(answer)


def _of_tensors(answers: Answers, walk: Document, found: dict[str, Document]) -> Iterator[tuple[Question, bytes]]:
    """What is asked of the walk as it was found."""
    yield from tensors.of_walk(answers, found[_own(whole_walk(walk), walk).spelling], walk)


def whole_walk(walk: Document) -> Question:
    """What the page asks first."""
    return Question("/api/walk?steps=all", walk)


def _own(question: Question, walk: Document) -> Question:
    """The same question, of the walk by its name in the file."""
    own: Document = {"lesson": OWN}
    body = own if question.body == walk else {**(question.body or {}), "walk": own}
    return Question(question.path, body)
