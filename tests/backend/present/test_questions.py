"""What comes of a wrong answer, in numbers that a reader can check."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from backend.present.questions import ratio_text
from tests.support.asking import whole


def asked(source: str, **shapes: list[int]) -> list[dict[str, Any]]:
    """The questions of a program whose tensors have these shapes; `i` and `j` pick."""
    tensors = {name: {"role": "parameter", "shape": shape, "init": "randn"} for name, shape in shapes.items()}
    tensors |= {name: {"role": "target", "values": [0, 2, 2, 1]} for name in "ij" if name in source}
    steps = whole({"source": source, "tensors": tensors})["steps"]
    return [step["question"] for step in steps if step.get("question")]


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (31.0, "31 times too large"), (1 / 32, "32 times too small"), (-1.0, "with the wrong sign"),
        (384.0**2, "1.47·10⁵ times too large"), (320.0**-2, "1.02·10⁵ times too small"),
        (-(400.0**2), "1.6·10⁵ times too large, and with the wrong sign"),
    ],
)  # fmt: skip
def test_a_factor_is_told_to_a_hundredth_of_itself(ratio: float, text: str) -> None:
    assert ratio_text(ratio) == text


@pytest.mark.parametrize(
    ("source", "shape", "said"),
    [
        ("y = x[i]", [3], "A cell of `x`"), ("y = x[i]", [3, 2], "A row of `x`"), ("y = x[i]", [3, 2, 2], "A part of `x`"),
        ("y = x[i, j]", [3, 3, 2], "A row of `x`"),
    ],
)  # fmt: skip
def test_what_was_picked_is_called_by_its_name(source: str, shape: list[int], said: str) -> None:
    prompts = [one["prompt"] for one in asked(f"{source}\nloss = (y * y).sum()", x=shape) if one["kind"] == "repeats"]
    assert [prompt.partition(" is picked")[0] for prompt in prompts] == [said]


def test_the_gradients_of_a_part_are_what_the_line_adds_to_it() -> None:
    source = "y = (x[i] * w).sum(1)\nloss = (y * y).sum()"
    [question] = [one for one in asked(source, x=[3, 2], w=[4, 2]) if one["kind"] == "repeats"]
    assert question["prompt"].endswith("What happens to its gradients in `dy.unsqueeze(1) * w`?")


def test_no_answer_has_a_sign_before_a_mask_which_torch_refuses() -> None:
    source = "y = torch.sqrt(torch.clamp(2 - 2 * x, min=0.1))\nloss = (y * y * y).sum()"
    question = asked(source, x=[3])[-1]
    x = torch.ones(3)
    for choice in question["choices"]:
        y = loss = torch.ones(3)
        assert eval(choice["code"], {"torch": torch, "x": x, "y": y, "loss": loss}) is not None
    assert any("is missing" in choice["why"] for choice in question["choices"])
