"""A walk's tensors cell by cell, as the answers about its single steps have them: `static/js/walk/closeup.js`.

A whole walk of many tensors draws the large ones in blocks, until a page asks for the step that it looks at. A folder
has nobody to ask, so that its walks are recorded with what such a question would bring.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from app.site.question import Document, Question
from app.site.server import Answers

AT_ONCE = 32  # tensors that one question may name
Spent = Callable[[], bool]  # whether there is nothing left to ask with


def never() -> bool:
    """For what may ask all."""
    return False


def answer(answers: Answers, question: Question, spent: Spent = never) -> bytes | None:
    """An answer; a whole walk's with what its steps have cell by cell, until what there is for that is `spent`."""
    told = answers.answer(question)
    if told is None or question.path != "/api/walk?steps=all" or b'"coarse":true' not in told:
        return told
    document: Document = json.loads(told)
    if "steps" in document and question.body:
        refine(answers, document, question.body, spent)
        _settle(document)
    return json.dumps(document, ensure_ascii=False).encode()


def refine(answers: Answers, document: Document, walk: Document, spent: Spent) -> None:
    """Put the tensors of its steps in the place of their blocks."""
    for step in document["steps"]:
        if _is_coarse(step) and not spent():
            _refine_step(step, _asked(answers, walk, step["index"], []))
    coarse = [node for node in document["nodes"] if _is_coarse(node)]
    for first in range(0, len(coarse), AT_ONCE):
        some = [] if spent() else coarse[first : first + AT_ONCE]
        sent = _asked(answers, walk, 0, [node["name"] for node in some])["nodes"] if some else {}
        for node in some:
            _put(node, "value", sent[node["name"]]["value"])
            for column in ("manual", "autograd", "difference"):
                _put(node["gradient"], column, sent[node["name"]][column])


def _settle(value: Any) -> None:
    """Nobody has more of what is still in blocks."""
    if isinstance(value, list):
        for one in value:
            _settle(one)
    elif isinstance(value, dict):
        if value.get("coarse") is True:
            value["coarse"] = False
        for one in value.values():
            _settle(one)


def _asked(answers: Answers, walk: Document, index: int, nodes: list[str]) -> Document:
    sent: Document = json.loads(
        answers.answer(Question("/api/step", {"walk": walk, "index": index, "nodes": nodes})) or b"{}"
    )
    return sent


def _refine_step(step: Document, sent: Document) -> None:
    for column in ("contribution", "accumulated"):
        _put(step, column, sent[column])
    picture = step["picture"]
    for drawn, tensor in zip(_drawn(picture) if picture else (), sent["operands"], strict=True):
        _put(drawn, "tensor", tensor)
    if picture and picture.get("product"):
        _put(picture["product"], "tensor", sent["product"])


def _drawn(picture: Document) -> Iterator[Document]:
    """What a picture draws besides its step's own tensor, in the order in which it is sent."""
    yield from picture["operands"]
    made = [picture.get("met"), *(stage["result"] for stage in picture.get("stages", ()))]
    yield from (one for one in made if one)


def _put(holder: Document | None, name: str, tensor: Document | None) -> None:
    if holder and tensor and _is_coarse(holder.get(name)):
        holder[name] = tensor


def _is_coarse(value: Any) -> bool:
    """Whether something in it is in blocks of which there is more to be had."""
    if isinstance(value, list):
        return any(map(_is_coarse, value))
    return isinstance(value, dict) and (value.get("coarse") is True or any(map(_is_coarse, value.values())))
