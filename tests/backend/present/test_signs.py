"""What the sign of a gradient means is said once, where the first negative number is, and the loss does as it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import torch

import backend
from backend.engine.execute.run import Contribution
from backend.engine.verify.compare import verify
from backend.pipeline import new_run
from backend.present.signs import is_negative
from tests.support import prose_lint
from tests.support.programs import REQUESTS, some, walk_for

LESSONS = ("makemore-mlp", "makemore-closed-form", "relu-classifier")


def told(document: Any) -> list[tuple[Any, str]]:
    """The steps that say it, each with what they say."""
    said = [(step, item) for step in document["steps"] for item in step["explanation"] if item["kind"] == "sign"]
    return [(step, item["text"]) for step, item in said]


def cells(nested: Any) -> Iterator[float]:
    """The numbers of nested lists, those too that JSON has as texts, such as -Infinity."""
    if isinstance(nested, list):
        for part in nested:
            yield from cells(part)
    else:
        yield float(nested)


def room(step: Any) -> bool:
    """Whether a step has the words to spare that it takes."""
    others = [item["text"] for item in step["explanation"] if item["kind"] != "sign"]
    return sum(map(prose_lint.words, others)) + 12 <= prose_lint.MOST_IN_STEP


@pytest.mark.parametrize("name", some(REQUESTS, 8))
def test_it_is_told_at_the_first_gradient_with_a_negative_number(name: str) -> None:
    document = walk_for(name)
    levels = {node["name"]: (node["gradient"] or {"verdict": {}})["verdict"].get("level") for node in document["nodes"]}
    backward = [step for step in document["steps"] if step["direction"] == "backward"]
    negative = [
        step["index"]
        for step in backward
        if levels.get(step["node"]) != "zero" and any(cell < 0 for cell in cells(step["accumulated"])) and room(step)
    ]
    assert [step["index"] for step, _ in told(document)] == negative[:1]
    assert [fault for _, text in told(document) for fault in prose_lint.problems(text)] == []


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_lesson_says_it_of_the_loss(lesson: str) -> None:
    document = json.loads(backend.walk({"lesson": lesson, "arrays": "lists"}))
    ((step, text),) = told(document)
    assert text == "**Negative gradient**: the loss falls as the number grows; **positive**: it rises."
    first = {"makemore-mlp": "logprobs"}.get(lesson, "logits")
    assert step["node"] == first
    assert not list(prose_lint.of_step(item["text"] for item in step["explanation"]))


def test_the_loss_has_the_name_that_the_program_gives_it() -> None:
    x = {"role": "parameter", "shape": [3], "init": "randn"}
    document = json.loads(backend.walk({"source": "cost = -x.sum()", "tensors": {"x": x}}))
    assert [text for _, text in told(document)] == [
        "**Negative gradient**: `cost` falls as the number grows; **positive**: it rises."
    ]


def test_the_loss_goes_the_way_that_the_sign_says() -> None:
    """By PyTorch alone: each log-probability is nudged, and the loss computed anew."""
    logprobs = torch.log_softmax(torch.randn(5, 4, generator=torch.Generator().manual_seed(1)).double(), 1)
    weights = torch.tensor([0.5, -1.0, 2.0, -0.25]).double()
    tensors = {
        "logprobs": {"role": "parameter", "values": logprobs.tolist()},
        "w": {"role": "data", "values": weights.tolist()},
    }
    request = {"source": "p = logprobs.exp()\nloss = (p * w).sum()", "tensors": tensors, "dtype": "float64"}
    document = json.loads(backend.walk(request | {"arrays": "lists"}))
    ((step, _),) = told(document)
    assert step["node"] == "p"
    before = (logprobs.exp() * weights).sum()
    for place, cell in enumerate(cells(step["accumulated"])):
        nudged = logprobs.exp().flatten()
        nudged[place] += 1e-6
        after = (nudged.view(5, 4) * weights).sum()
        assert (after < before) == (cell < 0)
        assert (after > before) == (cell > 0)


def test_what_rounding_left_of_a_zero_has_no_sign() -> None:
    """A bias before a mean is taken away has the gradient zero; the numbers left of it go either way."""
    tensors = {
        "x": {"role": "data", "shape": [6, 4], "init": "randn", "seed": 1},
        "b": {"role": "parameter", "shape": [4], "init": "randn", "seed": 2},
    }
    run = new_run({"source": "h = x + b\nc = h - h.mean(0)\nloss = (c ** 2).sum()", "tensors": tensors})
    verdicts = verify(run)
    left = run.gradients["db"]
    assert 0 < left.abs().max() < 1e-5
    place = [line.target.variable for line in run.plan.lines].index("b")
    line, brought = run.plan.lines[place], Contribution(left, -left.abs())
    assert not is_negative(line, brought, verdicts)
    assert is_negative(line, brought, {})
    assert not is_negative(line, Contribution(left, -left.abs(), lost="a line before it was planted"), {})
