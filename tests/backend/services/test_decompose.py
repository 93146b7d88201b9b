"""A fused operation written in small steps: under the names that a lesson gives them, as far as these are free."""

import re
from typing import Any

import pytest

import backend
from backend.pipeline import run_of

STEPS = ["maxes", "norm", "counts", "counts_sum", "counts_sum_inv", "probs", "logprobs", "loss"]


def program(source: str, **more: Any) -> Any:
    tensors = {
        "logits": {"role": "parameter", "shape": [5, 4], "init": "randn", "seed": 1},
        "y": {"role": "target", "values": [0, 3, 1, 2, 3]},
    }
    return {"source": source, "tensors": tensors} | more


def opened(source: str, line: int = 1, **more: Any) -> list[str]:
    request = program(source, **more)
    made = backend.opened(request, line)["source"]
    before, after = run_of(request), run_of(request | {"source": made})
    name = before.plan.graph.loss.name
    assert after.plan.graph.loss.name == name
    assert after.gradients["dlogits"].allclose(before.gradients["dlogits"], rtol=1e-5, atol=1e-7)
    return re.findall(r"^(\w+) = ", made, re.MULTILINE)


def test_steps_have_the_names_of_the_lesson() -> None:
    assert opened("loss = F.cross_entropy(logits, y)") == STEPS


@pytest.mark.parametrize(
    ("source", "line", "name"),
    [
        ("counts = logits * 2\nloss = F.cross_entropy(counts, y)", 2, "loss_counts"),
        ("probs = logits * n\nloss = F.cross_entropy(probs, y)", 2, "loss_probs"),
        ("loss = F.cross_entropy(logits, y)\nloss = loss * maxes", 1, "loss_maxes"),
        ("dcounts = logits * 2\nloss = F.cross_entropy(dcounts, y)", 2, "loss_counts"),
    ],
)
def test_a_name_that_is_taken_or_a_gradients_is_not_taken_again(source: str, line: int, name: str) -> None:
    if "loss = loss" in source:
        source = source.replace("loss = loss", "total = loss")
    names = opened(source, line, constants={"n": 3, "maxes": 2.0})
    assert name in names
    assert len(set(names)) == len(names)
