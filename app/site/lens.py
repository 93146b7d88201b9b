"""What a page needs to open any number of a walk: of each tensor one answer's formula and paths, without its terms."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.site import lean
from app.site.question import Document, Question
from app.site.server import Answers

FEW_CELLS = 512  # of a whole walk: where no formula says its numbers, each is recorded by itself
WORD = re.compile(r"[^\W\d]\w*")
# What the page knows to work out: static/js/formulas.
LETTERS = r"_[a-zA-Z](?:<\d+)?(?:,[a-zA-Z](?:<\d+)?)*"
FOLD = re.compile(rf"(?:arg)?(?:max|min){LETTERS}(?=\()|[ΣΠ]{LETTERS}")
FUNCTIONS = frozenset((
    *("exp", "log", "log2", "log10", "log1p", "expm1", "sqrt", "tanh", "sigmoid", "abs", "sin", "cos", "tan", "atan"),
    *("sinh", "cosh", "erf", "sign", "floor", "ceil", "trunc", "max", "min"),
))  # fmt: skip
SAID = frozenset(("if", "else", "and", "or", "not", "pi", "inf"))


@dataclass(frozen=True)
class Sheet:
    """The cells of one tensor: its values, its gradient, or what one step brings."""

    tensor: str
    which: str
    shape: list[int]
    finite: bool
    step: int | None = None

    def about(self, walk: Document) -> Document:
        """What a question about it says of it."""
        told = {"walk": walk, "tensor": self.tensor, "which": self.which}
        return told if self.step is None else {**told, "step": self.step}


def sheets(document: Document) -> Iterator[Sheet]:
    """Every tensor whose numbers can be opened."""
    backward = [step for step in document["steps"] if step["direction"] == "backward"]
    for node in document["nodes"]:
        name, shape, finite = node["name"], node["shape"], node["not_finite"] is None
        if 0 in shape:
            continue
        yield Sheet(name, "value", shape, finite)
        if node["gradient"]:
            finite = finite and node["gradient"]["not_finite"] is None
            yield Sheet(name, "gradient", shape, finite)
            steps = [step["index"] for step in backward if step["node"] == name]
            yield from (Sheet(name, "contribution", shape, finite, step) for step in steps if len(steps) > 1)


def can_be_worked_out(formula: str, paths: list[Document], known: frozenset[str]) -> bool:
    """Whether the page knows all that a formula is made of; what is given before the walk has none."""
    if not formula:
        return not paths
    return all(len(word) == 1 or word in known for word in WORD.findall(FOLD.sub("", formula)))


def names_in(document: Document) -> frozenset[str]:
    """All that a formula may name: what is there with every number, and what the page knows by itself."""
    values = {node["variable"] for node in document["nodes"] if "pooled" not in node["value"]}
    gradients = {f"d{node['variable']}" for node in document["nodes"] if node["gradient"]}
    return FUNCTIONS | SAID | values | gradients | set[str](document["constants"])


def outlined(answers: Answers, sheet: Sheet, walk: Document, known: frozenset[str]) -> Document | None:
    """What is the same for all of its cells, as two of them say it; None where it isn't enough."""
    corners = [[0] * len(sheet.shape), [size - 1 for size in sheet.shape]]
    asked = (answers.answer(Question("/api/cell", {**sheet.about(walk), "index": index})) for index in corners)
    found = [json.loads(answer) for answer in asked if answer is not None]
    told = outline(found) if found and sheet.finite else None
    return told if told and can_be_worked_out(told["formula"], told["paths"], known) else None


def outline(opened: list[Document]) -> Document:
    """What is said of every cell: taken from the one of these with the most terms, whose sums tell the most."""
    most = max(opened, key=lambda one: int(one["count"]))
    told = ("through", "step", "line", "code", "formula", "broadcast")
    return {"formula": most["formula"], "paths": [{key: path[key] for key in told} for path in most["paths"]]}


def cells(answers: Answers, sheet: Sheet, walk: Document) -> Iterator[tuple[Question, bytes]]:
    """Every number of a tensor opened."""
    questions = [Question("/api/cell", {**sheet.about(walk), "index": index}) for index in places(sheet.shape)]
    found = ((question, answers.answer(question)) for question in questions)
    yield from ((question, lean.answer(answer)) for question, answer in found if answer is not None)


def places(shape: list[int]) -> Iterator[list[int]]:
    """The index of every cell."""
    if not shape:
        yield []
        return
    for first in range(shape[0]):
        yield from ([first, *rest] for rest in places(shape[1:]))
