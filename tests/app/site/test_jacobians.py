"""Local Jacobians in the page, by the formula that is recorded of their tensor: as the server answers them."""

import base64
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.site import jacobians, tensors
from app.site.build import answered
from app.site.question import Document, Question
from gradwalk.answers import here
from tests.tools.node import find

WORKED_OUT = Path(__file__).parents[2] / "js" / "jacobians.js"
FEW = "broadcasting", "elementwise", "elementwise.base", "batchnorm", "softmax-cross-entropy", "why-by-hand.root"
MANY = (
    "small-numbers.stable",
    "makemore-mlp",
    "attention",
    "relu-classifier",
    "depth.relu",
    "depth.residual",
    "no-gradient",
    "gpt-block",
)
NUMBERS = "jacobian", "arriving", "result"
CLOSE = 3e-5  # of the largest number: the server's are float32's, the page's are rounded to it once
Block = dict[str, Any]


@pytest.mark.parametrize("lesson", [*FEW, *(pytest.param(one, marks=pytest.mark.exhaustive) for one in MANY)])
def test_every_block_is_worked_out_as_by_the_server(lesson: str) -> None:
    """Every block that a reader can come to, by every cell and every way to cut it."""
    document, blocks = recorded({"lesson": lesson})
    made = worked_out(document, [block for block, _ in blocks])
    assert len(blocks) == len(made) > 0
    pairs = zip(blocks, made, strict=True)
    assert [fault for (block, served), one in pairs for fault in differences(block, served, one)] == []
    assert len({str((one["node"], one["input"], one["along"], one["at"])) for one, _ in blocks}) == len(blocks)


def recorded(walk: Document) -> tuple[Document, list[tuple[Block, Block]]]:
    """A walk, and its blocks as they are recorded, each with the formula and beside what the server answers."""
    answers = here({})
    document = json.loads(answered(answers, Question("/api/walk?steps=all", walk)) or b"")
    found = list(tensors.of_walk(answers, document, walk))
    outlines = {json.dumps(one.body): json.loads(answer) for one, answer in found if one.path == "/api/cell"}
    blocks = list[tuple[Block, Block]]()
    for question, answer in found:
        if question.path != "/api/jacobian":
            continue
        about = {"walk": walk, "tensor": (question.body or {})["node"], "which": "value"}
        for block in json.loads(answer)["blocks"]:
            if "arriving" not in block and block.get("jacobian", "") is not None:
                matrix = block.get("jacobian") or outlines[json.dumps(about)]["formula"]
                blocks.append((block | {"matrix": matrix}, served_as(answers, question, block)))
    return document, blocks


def served_as(answers: Any, question: Question, block: Block) -> Block:
    """The server's answer to who looks at this block."""
    cell = [place or 0 for place in block["columns"]["fixed"]]
    asked = {**(question.body or {}), "tensor": block["input"], "cell": cell}
    served: Block = json.loads(answers.told(Question(question.path, asked)))
    if served["along"] != block["along"]:  # one that is cut another way
        served = json.loads(answers.told(Question(question.path, asked | {"along": block["along"][0]})))
    return served


def worked_out(document: Document, blocks: list[Block]) -> list[Block | None]:
    """What the page makes of them."""
    node = find()
    if node is None:
        pytest.skip("Node is not there")
    given = json.dumps({"walk": document, "asked": [{"told": one, "matrix": one["matrix"]} for one in blocks]})
    done = subprocess.run([node, str(WORKED_OUT)], input=given, capture_output=True, text=True, check=True, timeout=600)
    made: list[Block | None] = json.loads(done.stdout)
    return made


def differences(block: Block, served: Block, made: Block | None) -> Iterator[object]:
    """What a block says otherwise than the server."""
    about = block["node"], block["input"], block["at"]
    if made is None:
        yield *about, "not worked out"
        return
    for key in ("words", "structure", "along", "at", "ways", "rows", "columns", "agrees", "across", "itself"):
        if block[key] != served[key]:
            yield *about, key, block[key], served[key]
    if block["shown"] != (served["shown"] is not None):
        yield *about, "shown"
    for key in NUMBERS:
        one, other = numbers(served[key]), numbers(made[key])
        if one.shape != other.shape or not np.allclose(
            one, other, rtol=CLOSE, atol=CLOSE * np.nanmax(np.abs(one), initial=0), equal_nan=True
        ):
            yield *about, key, one, other


def numbers(wire: dict[str, str]) -> Any:
    sizes = [int(size) for size in wire["shape"].split(",")]
    return np.frombuffer(base64.b64decode(wire["bdata"]), f"<{wire['dtype']}").astype(float).reshape(sizes)


def test_what_no_formula_says_keeps_its_numbers() -> None:
    """A held value, a corner in what is small, and what has no formula."""
    plain: Document = {"forward_source": "h = x @ w"}
    assert jacobians.can_be_worked_out("h[i,j] = Σ_k x[i,k] · w[k,j]", [4, 4], plain)
    assert not jacobians.can_be_worked_out("h[i] = x[i]", [4], {"forward_source": "h = x.detach()"})
    assert not jacobians.can_be_worked_out("h[i] = max(x[i], 0)", [4], plain)
    assert jacobians.can_be_worked_out("h[i] = x[i] - max_j(x[j])", [4], plain)
