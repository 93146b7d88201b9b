"""Which gradients are a tug-of-war: those that are softmax minus one-hot over the rows, and no others."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.pipeline import new_run
from backend.present.tug_of_war import tugs_of_war
from backend.program.runs import Run
from tests.support.programs import REQUESTS, run_for, some

TENSORS = {
    "x": {"role": "data", "shape": [6, 4], "init": "randn", "seed": 1},
    "W": {"role": "parameter", "shape": [4, 3], "init": "randn", "seed": 2},
    "y": {"role": "target", "values": [0, 2, 1, 1, 0, 2]},
}


def run_of(source: str) -> Run:
    request: dict[str, Any] = {"source": source, "tensors": TENSORS}
    return new_run(request)


@pytest.mark.parametrize(
    "loss",
    [
        "loss = F.cross_entropy(logits, y)",
        "loss = F.nll_loss(F.log_softmax(logits, 1), y)",
        "p = torch.softmax(logits, dim=1)\nloss = -p[torch.arange(6), y].log().mean()",
    ],
)
def test_every_spelling_of_a_mean_cross_entropy_is_one(loss: str) -> None:
    assert tugs_of_war(run_of(f"logits = x @ W\n{loss}")) == {"logits": "y"}


@pytest.mark.parametrize(
    "loss",
    [
        "loss = F.cross_entropy(logits, y, reduction='sum')",
        "loss = F.cross_entropy(logits, y, label_smoothing=0.1)",
        "loss = F.cross_entropy(logits * 2, y)",
        "loss = (logits ** 2).mean()",
        "loss = F.cross_entropy(logits, y) + 0.1 * (logits ** 2).mean()",
    ],
)
def test_what_only_looks_like_one_is_none(loss: str) -> None:
    assert "logits" not in tugs_of_war(run_of(f"logits = x @ W\n{loss}"))


def test_of_two_tensors_with_one_softmax_the_first_is_it() -> None:
    assert tugs_of_war(run_for("makemore")) == {"logits": "Yb"}


@pytest.mark.parametrize("name", some(REQUESTS, 8))
def test_what_is_found_pulls_as_the_closed_form_says(name: str) -> None:
    run = run_for(name)
    for logits, target in tugs_of_war(run).items():
        node = run.plan.by_name[logits]
        shares = torch.softmax(run.forward.tensors[node.variable].double(), 1)
        right = run.forward.tensors[run.plan.by_name[target].variable]
        shares[torch.arange(len(right)), right] -= 1
        torch.testing.assert_close(
            run.gradients["d" + node.variable].double(), shares / len(right), rtol=1e-3, atol=1e-7
        )
