"""What is offered to be written instead: after the edits the text says what is meant, and walks where that was all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import backend
from backend.engine.language.errors import Refusal
from backend.pipeline import traced
from backend.program.request import read
from backend.services.fixes import with_fixes

TENSORS: dict[str, Any] = {
    "x": {"role": "parameter", "shape": [4, 5], "init": "randn", "seed": 1},
    "y": {"role": "target", "shape": [4, 5], "init": "rand", "seed": 2},
    "W": {"role": "parameter", "shape": [3, 5], "init": "randn", "seed": 3},
}


def edited(source: str, edits: list[Mapping[str, Any]]) -> str:
    """A text after these edits, whose columns count characters."""
    lines = [*source.split("\n"), ""]
    for edit in sorted(edits, key=lambda one: (one["line"], one["column"]), reverse=True):
        first, last = int(edit["line"]) - 1, int(edit["end_line"]) - 1
        head, tail = lines[first][: edit["column"] - 1], lines[last][edit["end_column"] - 1 :]
        lines[first : last + 1] = (head + edit["text"] + tail).split("\n")
    return "\n".join(lines).rstrip("\n")


def faults(source: str) -> list[Refusal]:
    """What the language itself refuses, with its fixes."""
    with pytest.raises(Refusal) as caught:
        traced(read({"source": source, "tensors": TENSORS}))
    with_fixes(caught.value, source)
    return [caught.value, *caught.value.others]


MENDED = {
    "h = torch.tahn(x)\nloss = h.sum()": "h = torch.tanh(x)\nloss = h.sum()",
    "h = x.mena()\nloss = h * 1": "h = x.mean()\nloss = h * 1",
    "h = F.relu(x, inplace=True)\nloss = h.sum()": "h = F.relu(x)\nloss = h.sum()",
    "print(x)\nloss = x.sum()": "loss = x.sum()",
    "import torch\nloss = x.sum()": "loss = x.sum()",
    "loss = x.sum()\nloss.backward()": "loss = x.sum()",
    "F = torch.exp(x)\nloss = F.sum()": "F_ = torch.exp(x)\nloss = F_.sum()",
    "ε = torch.exp(x)\nloss = ε.sum()": "epsilon = torch.exp(x)\nloss = epsilon.sum()",
    "loss = (x @ W).sum()": "loss = (x @ W.T).sum()",
    "h = x.data * 2\nloss = (h * x).sum()": "h = x.detach() * 2\nloss = (h * x).sum()",
}


@pytest.mark.parametrize("source", MENDED)
def test_what_is_offered_walks(source: str) -> None:
    first = faults(source)[0]
    assert first.fix is not None
    assert edited(source, first.fix["edits"]) == MENDED[source]
    backend.walk({"source": MENDED[source], "tensors": TENSORS})


@pytest.mark.parametrize(
    ("source", "sure"),
    [
        ("h = torch.tahn(x)\nloss = h.sum()", True),
        ("hidden = x * 2\nloss = hiden.sum()", False),  # a tensor of that name may be missing
        ("loss = (x @ W).sum()", False),  # the other factor may be the one to turn
        ("h = F.relu(x, inplace=True)\nloss = h.sum()", True),
        ("h = F.softmax(x, 1, temperature=2.0)\nloss = h.sum()", False),
    ],
)
def test_only_what_is_certainly_meant_is_sure(source: str, sure: bool) -> None:
    (fault,) = faults(source)
    assert fault.fix is not None
    assert fault.fix["sure"] is sure


def test_two_faults_are_mended_at_once() -> None:
    source = "h = torch.tahn(x)\nz = x.mena()\nloss = h.sum() + z"
    edits = [edit for one in faults(source) if one.fix and one.fix["sure"] for edit in one.fix["edits"]]
    backend.walk({"source": edited(source, edits), "tensors": TENSORS})


def test_what_is_not_known_is_not_offered() -> None:
    (fault,) = faults("h = torch.svd(x)\nloss = h.sum()")
    assert fault.fix is None
