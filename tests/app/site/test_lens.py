"""Numbers opened in the page, by the formula that is recorded of their tensor: as the server opens them."""

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.site import lens
from app.site.question import Document
from backend.inspect.cell.cell import cell_of
from backend.pipeline import run_of
from tests.support.asking import whole
from tests.tools.node import find

OPENED = Path(__file__).parents[2] / "js" / "opened.js"
CHAPTERS = (
    *("first-steps", "broadcasting", "elementwise", "why-by-hand", "softmax-cross-entropy"),
    *("batchnorm", "makemore-mlp", "layernorm", "attention", "recurrent"),
)
EACH, WANTED = 64, 500
CLOSE = 2e-5  # of the largest term: the server's local derivatives are float32's, the page's float64's
EQUAL = "tensor", "which", "index", "formula", "agrees", "adds", "count", "because"
pytestmark = pytest.mark.filterwarnings("ignore:reduction")
Pair = tuple[Document, Document]


def drawn(chapter: str) -> tuple[Document, list[Document], list[Document]]:
    """A chapter's walk, some of its cells with what is recorded of their tensors, and the server's answers."""
    run, chance = run_of({"lesson": chapter}), random.Random(chapter)
    document = whole({"lesson": chapter})
    known, asked, answers = lens.names_in(document), list[Document](), list[Document]()
    sheets = [sheet for sheet in lens.sheets(document) if sheet.finite]
    while len(asked) < EACH:
        sheet = chance.choice(sheets)
        index, corners = (
            [chance.randrange(size) for size in sheet.shape],
            ([0] * len(sheet.shape), [size - 1 for size in sheet.shape]),
        )
        outline = lens.outline([cell_of(run, sheet.tensor, sheet.which, tuple(at), sheet.step) for at in corners])
        if lens.can_be_worked_out(outline["formula"], outline["paths"], known):
            step = {} if sheet.step is None else {"step": sheet.step}
            asked.append(
                {"outline": outline, "pick": {"tensor": sheet.tensor, "which": sheet.which, "index": index, **step}}
            )
            answers.append(json.loads(json.dumps(cell_of(run, sheet.tensor, sheet.which, tuple(index), sheet.step))))
    return document, asked, answers


@pytest.fixture(scope="module")
def opened() -> list[Pair]:
    """The server's answer and the page's, for every cell that was drawn; a kink is left to the server."""
    node, pairs = find(), list[Pair]()
    if node is None:
        pytest.skip("Node is not there")
    for chapter in CHAPTERS:
        document, asked, answers = drawn(chapter)
        given = json.dumps({"walk": document, "asked": asked})
        done = subprocess.run([node, str(OPENED)], input=given, capture_output=True, text=True, check=True, timeout=300)
        pairs += [pair for pair in zip(answers, json.loads(done.stdout), strict=True) if pair[1] is not None]
    # Of a number that isn't the largest the server lists the term, too, where one of four drawn tensors makes it so.
    return [pair for pair in pairs if "(argmax_" not in pair[0]["formula"]]


@pytest.mark.exhaustive
def test_five_hundred_numbers_of_ten_chapters_are_opened_as_by_the_server(opened: list[Pair]) -> None:
    assert len(opened) >= WANTED
    apart = [found for served, made in opened for found in differences(served, made)]
    assert not apart, apart


def differences(served: Document, made: Document) -> Iterator[Any]:
    """What two answers don't agree in."""
    about = served["tensor"], served["which"], served["index"], served["formula"]
    size = max((abs(number(one["product"] or one["local"])) for one in served["terms"]), default=0.0)
    yield from ((*about, key, served[key], made[key]) for key in EQUAL if served[key] != made[key])
    for key in ("shown", "sum"):
        if not close(served[key], made[key], size):
            yield *about, key, served[key], made[key]
    if told(served["numbers"]) != told(made["numbers"]):
        yield *about, told(served["numbers"]), told(made["numbers"])
    if [{**path, "sum": 0} for path in served["paths"]] != [{**path, "sum": 0} for path in made["paths"]]:
        yield *about, served["paths"], made["paths"]
    yield from ((*about, place, *pair) for place, pair in other_terms(served, made, size))


def other_terms(served: Document, made: Document, size: float) -> Iterator[tuple[Any, Any]]:
    """The terms in which two answers don't agree."""
    ours, theirs = terms(served), terms(made)
    if ours.keys() != theirs.keys():
        yield "all", (list(ours), list(theirs))
        return
    largest = max((abs(number(one["local"])) for one in ours.values()), default=0.0)
    for place, term in ours.items():
        other = theirs[place]
        same = term["factor"] == other["factor"] and (term["product"] is None) == (other["product"] is None)
        near = close(term["local"], other["local"], largest) and close(term["product"], other["product"], size)
        if not (same and near):
            yield place, (term, other)


def terms(answer: Document) -> dict[tuple[str, str], Document]:
    """The terms by where they go through."""
    return {(term["through"], str(term["cell"])): term for term in answer["terms"]}


def told(numbers: Document | None) -> Any:
    """A formula's numbers in four digits; of many terms those of one size may change places."""
    if numbers is None:
        return None
    listed = [(one["text"], [f"{number(value):.4g}" for value in one["values"]]) for one in numbers["terms"]]
    return numbers["count"], sorted(map(str, listed)) if numbers["count"] <= len(listed) else len(listed)


def close(one: Any, other: Any, size: float) -> bool:
    return abs(number(one or 0.0) - number(other or 0.0)) <= CLOSE * size + 1e-30


def number(value: Any) -> float:
    return float(value)


def test_what_the_page_does_not_know_is_recorded_number_by_number() -> None:
    known = lens.FUNCTIONS | lens.SAID | {"x", "dx", "dy", "dh"}
    path: list[Document] = [{"through": "y"}]
    assert lens.can_be_worked_out("dx[i,j] = Σ_k exp(x[i,k]) · dy[k,j]", path, known)
    assert lens.can_be_worked_out("dx[i] = dy[i] if argmax_k(x[k]) == i else 0", path, known)
    assert lens.can_be_worked_out("", [], known)  # it is given before the walk begins
    assert not lens.can_be_worked_out("", path, known)
    assert not lens.can_be_worked_out("dx[i] = digamma(x[i]) · dy[i]", path, known)
    assert not lens.can_be_worked_out("dx[i,j] = Σ_k dh_sum[i,k] · x[k,j]", path, known)
