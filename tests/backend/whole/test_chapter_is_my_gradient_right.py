"""What the chapter "Is my gradient right?" claims of steps, of the planted line and of checks is true, in plain PyTorch."""

from __future__ import annotations

import re

import pytest
import torch
import torch.nn.functional as F

import backend
from backend.pipeline import run_of
from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
HERE = "is-my-gradient-right"


def off(step: float, sides: int, dtype: torch.dtype = torch.float64) -> float:
    """By how much a difference misses the slope of a cube at 1.3."""
    u = torch.tensor(1.3, dtype=dtype)
    right, left = (u + step) ** 3, (u - step) ** 3 if sides == 2 else u**3
    return abs(float((right - left) / (sides * step) - 3 * u**2))


@claims(HERE, "A tenth of the step gives a tenth of the error on one side, and a **hundredth** on both.")
def one_side_and_both() -> bool:
    assert off(1e-3, 1) == pytest.approx(off(1e-2, 1) / 10, rel=0.05)
    return off(1e-3, 2) == pytest.approx(off(1e-2, 2) / 100, rel=1e-4)


@claims(HERE, "the central difference of `u**3` is off by `e**2` exactly.")
def exactly_the_square() -> bool:
    return off(0.2, 2) == pytest.approx(0.2**2, rel=1e-9)


@claims(HERE, "On the right the error falls as the step shrinks. Then it turns, and rises again.")
def down_and_up() -> bool:
    errors = [off(10.0**-n, 2) for n in range(1, 13)]
    least = errors.index(min(errors))
    return 3 <= least <= 6 and errors[0] > 1e3 * errors[2] and errors[11] > 1e3 * errors[least]


@claims(HERE, "In float32 the smallest step moves nothing at all: `u + 1e-8` is `u`.")
def lost_step() -> bool:
    u = torch.tensor(1.3)
    return bool(u + 1e-8 == u)


@claims(HERE, "with a step between `1e-5` and `1e-6`.")
def best_step() -> bool:
    between = max(off(1e-5, 2), off(1e-6, 2))
    return all(off(step, 2) > between for step in (1e-3, 1e-9, 1e-11))


@claims(HERE, "`gh` goes in and is right, `ga` comes out and is wrong. The fault lies between the two.")
def the_wrong_line() -> bool:
    known = walked(f"{HERE}.theirs")
    given = {name: known[name].clone().requires_grad_() for name in ("x", "W1", "b1", "W2", "b2")}
    a = given["x"] @ given["W1"] + given["b1"]
    h = torch.tanh(a)
    logits = h @ given["W2"] + given["b2"]
    loss = F.cross_entropy(logits, known["y"])
    wanted = (logits, given["W2"], given["b2"], h, a, given["W1"], given["b1"])
    true = torch.autograd.grad(loss, wanted)
    names = ("gl", "gW2", "gb2", "gh", "ga", "gW1", "gb1")
    found = [near(known[name], slope, 1e-12) for name, slope in zip(names, true, strict=True)]
    assert near(true[3] * (1 - h**2), true[4], 1e-12)
    return found == [True] * 4 + [False] * 3


@claims(HERE, "It is made from `ga`, that from `gh`, and that from `gl`: any of the four lines may be to blame.")
def what_may_be_to_blame() -> bool:
    """Not every line before it: a mistake in `gW2` or `gb2` never gets there."""
    codes = [chunk.code for chunk in run_of({"lesson": f"{HERE}.theirs"}).plan.graph.chunks]
    lines = dict(code.split(" = ") for code in codes if code.startswith("g"))
    reached, read = [], ["gW1"]
    while read:
        name = read.pop()
        reached.append(name)
        read += [one for one in re.findall(r"\w+", lines[name]) if one in lines]
    return reached == ["gW1", "ga", "gh", "gl"]


@claims(HERE, "Two of the three programs of {lesson}`why-by-hand` pass every check.")
def wrong_programs_pass() -> bool:
    for name in ("column", "clipped"):
        told = backend.numeric({"walk": {"lesson": f"why-by-hand.{name}"}, "node": "*", "mode": "direction"})
        assert told["agrees"], name
    return not backend.numeric({"walk": {"lesson": HERE}, "node": "W1"})["kink"]


@claims(HERE, "Each gain is 1, so leaving the factor out changes nothing.")
def hidden_factor() -> bool:
    known = walked(f"{HERE}.gain")
    return bool(torch.equal(known["dxhat"], known["dout"])) and not known["bias"].any()


@claims(HERE, "That is why the makemore network starts its biases with small random numbers.")
def biases() -> bool:
    known = walked("makemore-mlp")
    return all(0 < float(known[name].abs().max()) < 1 for name in ("b1", "b2", "bnbias"))


@claims(HERE, "It agrees: no input of relu is within the step of zero.")
def with_relu() -> bool:
    known = walked(HERE)
    sums = known["x"] @ known["W1"] + known["b1"]
    return float(sums.abs().min()) > 1e-3


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_checks_is_true(claim: Claim) -> None:
    claim.verify()
