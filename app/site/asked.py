"""Which questions the recorded pages ask: of every walk, of a chapter's blocks, and of what is listed."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from app.site import tried
from app.site.question import Document, Question
from app.site.server import Answers

PIECES = ("derivation", "order", "threeways", "saturation", "throughtime")
RATES = [0.01, 0.1, 1, 10]  # of the step of gradient descent at a walk's end
DOWNHILL = (1, 10)  # steps, which the opening looks ahead


def of_walk(answers: Answers, walk: Document) -> Iterator[Question]:
    """What the page of a walk asks of it, one part after the other as a reader comes to it."""
    yield Question("/api/walk?steps=all", walk)
    yield Question("/api/descent", {"walk": walk, "rates": RATES})
    yield Question("/api/numeric", {"walk": walk, "node": "*", "mode": "direction"})
    yield Question("/api/practice/tasks", {"walk": walk})
    yield from _pieces(answers, walk)


def of_tensors(document: Document, walk: Document) -> Iterator[Question]:
    """The nudges that a reader may ask for, of single tensors."""
    for node in document["nodes"]:
        if node["gradient"]:
            yield Question("/api/numeric", {"walk": walk, "node": node["name"], "mode": "direction"})


def of_opening(answers: Answers, walk: Document) -> Iterator[Question]:
    """What the opening shows: a walk, every gradient, and the probabilities after steps downhill."""
    yield Question("/api/walk?steps=all", walk)
    nodes = whole(answers, walk)["nodes"]
    gradients = [f"d{node['variable']}" for node in nodes if node["gradient"]]
    yield Question("/api/walk?steps=all", {**walk, "only": gradients})
    for steps in DOWNHILL:
        changed = {**walk, "changes": [{"descend": RATES[1], "steps": steps}]}
        yield Question("/api/walk?steps=all", {**changed, "only": ["probs"]})


def _pieces(answers: Answers, walk: Document) -> Iterator[Question]:
    listing = Question("/api/pieces", {"walk": walk})
    yield listing
    known = json.loads(answers.answer(listing) or b'{"pieces": []}')
    for piece in known["pieces"]:
        question = {"walk": walk, "tensor": piece["tensor"]}
        yield Question(f"/api/{piece['kind']}", question)


def of_chapter(answers: Answers, page: str, chapter: str) -> Iterator[Question]:
    """What the blocks of a chapter's page ask beside its walks."""
    reader = _Blocks()
    reader.feed(page)
    for block in reader.blocks:
        walk = {"lesson": f"{chapter}.{block['program']}" if block["program"] else chapter}
        yield from _of_block(answers, block, walk, chapter)


def _of_block(answers: Answers, block: Document, walk: Document, chapter: str) -> Iterator[Question]:
    props = block["props"]
    if block["kind"] == "drag":
        yield Question("/api/curve", {"walk": walk, **tensor_and_index(block["argument"]), "within": within(props)})
    if block["kind"] in PIECES:
        yield Question(f"/api/{block['kind']}", {"walk": walk, "tensor": block["argument"].removeprefix("d")})
        yield Question(f"/api/{block['kind']}", {"walk": walk, "tensor": block["argument"]})
    if block["kind"] == "jacobian":
        node, given = block["argument"].split()
        sizes = {one["name"]: one["shape"] for one in whole(answers, walk)["nodes"]}
        cell = {"tensor": given, "cell": [0] * len(sizes.get(given, ()))}
        yield Question("/api/jacobian", {"walk": walk, "node": node, "input": given, **cell})
    if block["kind"] == "cell":
        yield Question("/api/cell", {"walk": walk, **tensor_and_index(block["argument"]), "which": "gradient"})
    if block["kind"] in ("quiz", "fill"):
        yield from _of_quiz(answers, f"/api/chapters/{chapter}/answer", block["id"], props.get("slips", []))
    if block["kind"] == "write":
        yield from _of_line(answers, walk, block["argument"])


def _of_quiz(answers: Answers, path: str, block: str, slips: list[str]) -> Iterator[Question]:
    """The right answer to a written question, and what it is mistaken for: the chapter's own slips, too."""
    show = Question(path, {"block": block, "show": True})
    yield show
    known = answers.answer(show)
    for answer in [*slips, *tried.of_quiz(json.loads(known)["answer"])] if known else ():
        yield Question(path, {"block": block, "answer": answer})


def _of_line(answers: Answers, walk: Document, name: str) -> Iterator[Question]:
    """The right line, its slips and the mistakes that can be planted in it; with "" the hints alone."""
    steps = [step for step in whole(answers, walk)["steps"] if step["direction"] == "backward"]
    own = [step for step in steps if re.match(rf"{name}\b", step["code"])]
    lines = {"": None, "\n".join(step["code"] for step in own): None}
    for step in own:
        listed = json.loads(answers.answer(Question("/api/mistakes", {"walk": walk, "step": step["index"]})) or b"{}")
        lines |= dict.fromkeys(one["code"] for one in listed.get("mistakes", ()))
    if len(own) == 1:
        lines |= dict.fromkeys(tried.of_line(own[0]["code"]))
    for line in lines if own else ():
        yield Question("/api/practice/check", {"walk": walk, "target": own[0]["node"], "answer": line, "hints": 3})


def tensor_and_index(argument: str) -> Document:
    """`{tensor: "w", index: [0, 1]}` of `dw[0, 1]` or `w[0, 1]`."""
    name, _, rest = argument.partition("[")
    numbers = [int(word) for word in rest.rstrip("]").split(",") if word.strip()]
    return {"tensor": name, "index": numbers}


def within(props: Document) -> Document | None:
    """From where to where a number is dragged, if the chapter says so."""
    if "from" not in props:
        return None
    return {"least": props["from"], "greatest": props["to"], "log": props.get("axis") == "log"}


def whole(answers: Answers, walk: Document) -> Document:
    """A walk as a document, without its tensors' numbers in lists."""
    found: Document = json.loads(answers.answer(Question("/api/walk?steps=all", walk)) or b"{}")
    return found


class _Blocks(HTMLParser):
    """The blocks of a chapter's page, with their properties."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Document] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - of any element
        """Collect what has a kind."""
        said = dict(attrs)
        if "data-kind" in said:
            block = {key: said.get(f"data-{key}") or "" for key in ("kind", "argument", "program", "asks")}
            self.blocks.append({**block, "id": said["id"], "props": json.loads(said.get("data-props") or "{}")})
