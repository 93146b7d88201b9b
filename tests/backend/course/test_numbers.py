"""Numbers in a chapter's text are the engine's, rounded and set as in a book."""

from __future__ import annotations

from contextlib import suppress

import pytest
import torch

import backend
from backend.course.numbers import form_of, number_of, number_shown
from backend.engine.language.errors import Refusal
from backend.pipeline import run_of
from backend.program.runs import Run

SOFTMAX = {
    "source": "p = F.softmax(logits, 0)\nloss = -p[0].log()",
    "tensors": {"logits": {"role": "parameter", "values": [2.0, 1.0, 0.1]}},
}


@pytest.fixture(scope="module")
def run() -> Run:
    return run_of(SOFTMAX)


def test_a_number_reads_differently_from_one_that_it_is_said_to_differ_from(run: Run) -> None:
    """With as many digits as that takes, and no more than are asked for where they do; equal numbers can't."""
    assert form_of(run, "p[0] | 3 apart from p[1]") == "p[0] | 3"
    other = "p[0] * (1 + 3e-6)"
    pair = [form_of(run, text) for text in (f"p[0] | 3 apart from {other}", f"{other} | 3 apart from p[0]")]
    one, another = (number_of(run, text) for text in pair)
    assert one != another
    assert one[:5] == another[:5] == number_of(run, "p[0] | 4")[:5]
    with pytest.raises(Refusal):
        form_of(run, "p[0] | 3 apart from p[0]")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("dlogits", "[−0.341, 0.242, 0.099]"),
        ("dlogits[0]", "−0.341"),
        ("dlogits[2]", "0.0986"),
        ("dlogits[2] | .3", "0.099"),
        ("dlogits[1] | 6", "0.242433"),
        ("p.sum() | .2", "1.00"),
        ("logits.shape[0]", "3"),
        ("len(logits)", "3"),
        ("-loss", "−0.417"),
        ("p.argmax()", "0"),
        ("logits * 0", "[0, 0, 0]"),
        ("p[0] > 0.5", "True"),
        ("p[0] * 1e-7", "6.6·10⁻⁸"),
        ("math.log(27) | .2", "3.30"),
    ],
)
def test_an_expression_is_computed_and_rounded(run: Run, text: str, told: str) -> None:
    assert number_of(run, text) == told


@pytest.mark.parametrize(
    "text",
    ["", "dnothing[0]", "dlogits[7]", "x = 3", "import os", "p.__class__", "dlogits | 99", "'text'", "p.unknown()",
     "logits[None, :] * logits[:, None]", "p\np", "open('/etc/passwd')"],
)  # fmt: skip
def test_what_is_no_number_is_refused(run: Run, text: str) -> None:
    with pytest.raises(Refusal) as caught:
        number_of(run, text)
    assert caught.value.hint


def test_a_number_that_rounds_to_zero_has_no_sign() -> None:
    assert number_shown(-0.0001, 2, True, "") == "0.00"
    assert number_shown(torch.tensor([-1e-9, 3.0]), 3, False, "") == "[0.00, 3.00]"


def test_what_is_not_finite_is_said_as_such(run: Run) -> None:
    assert number_of(run, "torch.log(logits[0] * 0)") == "−∞"
    assert number_shown(torch.tensor([torch.nan, 1.0]), 3, False, "") == "[NaN, 1]"


def test_nothing_of_the_walk_is_changed_by_what_a_text_asks(run: Run) -> None:
    before = run.gradients["dlogits"].clone()
    for text in ("dlogits.mul_(0)", "dlogits.add_(1)[0]"):
        with suppress(Refusal):
            number_of(run, text)
    assert torch.equal(run.gradients["dlogits"], before)
    assert backend.walk(SOFTMAX)
