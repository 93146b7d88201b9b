"""The local Jacobians of a walk, block by block as its page shows them: what is said of each, and how it is cut.

Their numbers follow from the formula of the tensor that is differentiated: `static/js/formulas/jacobian-answer.js`
works them out. Only where no formula says them are they kept, too.
"""

import json
import re
from collections.abc import Iterator, Set
from itertools import product
from math import prod

from app.site import lean
from app.site.question import Document, Question
from app.site.server import Answers

OTHERS = "arriving", "result"  # numbers that follow from the matrix and from the walk's gradients
# What no formula says: that a value's slope is left out, and which slope it has at a corner.
HELD = re.compile(r"detach|no_grad|inference_mode|set_grad_enabled|\.data\b")
CORNER = re.compile(r"\b(?:max|min)\(")
CORNERS = 64  # cells of a tensor, of which some may stand at one


def of_walk(
    answers: Answers, document: Document, walk: Document, worked_out: Set[str]
) -> Iterator[tuple[Question, bytes]]:
    """All blocks of each one, under the question that names its two tensors; those of a tensor that is `worked_out`
    without their numbers."""
    nodes = {node["name"]: node for node in document["nodes"] if node["gradient"]}
    for node in nodes.values():
        for source in (nodes[name] for name in node["inputs"] if name in nodes):
            about = {"walk": walk, "node": node["name"], "input": source["name"]}
            blocks = [_told(one, node["name"] in worked_out) for one in _blocks(answers, about, node, source)]
            if blocks:
                yield Question("/api/jacobian", about), lean.answer(lean.compact({"blocks": blocks}).encode())


def can_be_worked_out(formula: str, shape: list[int], document: Document) -> bool:
    """Whether the slopes of a tensor follow from its formula, which the page knows to work out."""
    if HELD.search(document["forward_source"]):
        return False
    return CORNER.search(formula) is None or prod(shape) > CORNERS


def _blocks(answers: Answers, about: Document, node: Document, source: Document) -> Iterator[Document]:
    """The block that a page shows first, the others beside it, and those of every other way to cut it."""
    first = _asked(answers, about, source, [], [])
    if first is None:
        return
    yield first
    usual = first["along"]
    for along in [usual, *([pair] for pair in first.get("ways", ()) if [pair] != usual)]:
        chosen = None if along == usual else along[0]
        for at in product(*(range(node["shape"][axis]) for axis, _ in along)):
            found = None if chosen is None and not any(at) else _asked(answers, about, source, along, at, chosen)
            if found is not None:
                yield found


def _asked(
    answers: Answers,
    about: Document,
    source: Document,
    along: list[list[int]],
    at: Iterator[int] | tuple[int, ...] | list[int],
    chosen: list[int] | None = None,
) -> Document | None:
    """The block at this place of the axes along which it is cut."""
    cell = [0] * len(source["shape"])
    for (_, axis), place in zip(along, at, strict=True):
        cell[axis] = place
    asked = {**about, "tensor": source["name"], "cell": cell, "along": chosen}
    found = answers.answer(Question("/api/jacobian", asked))
    return None if found is None else json.loads(found)


def _told(block: Document, is_worked_out: bool) -> Document:
    """What is kept of it."""
    if block["jacobian"] is None:
        return block
    follows = is_worked_out and block["structure"] != "not finite"  # where zero meets infinity formulas give zero
    left = {*OTHERS, *(("jacobian",) if follows else ())}
    return {key: one for key, one in block.items() if key not in left} | {"shown": block["shown"] is not None}
