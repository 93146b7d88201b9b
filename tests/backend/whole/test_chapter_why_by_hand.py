"""What the chapter "Why by hand" claims of its three programs is true: each is trained here, in plain PyTorch."""

from __future__ import annotations

import re
import warnings

import pytest
import torch
import torch.nn.functional as F

from backend.program.lessons import SHELF
from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
x, y = torch.tensor([[0.0], [1.0], [2.0], [3.0]]), torch.tensor([1.0, 3.0, 5.0, 7.0])


def line_trained(targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The slope and the height of a line after 2,000 steps towards these targets."""
    w, b = torch.tensor([[0.5]], requires_grad=True), torch.zeros(1, requires_grad=True)
    for _ in range(2_000):
        steps = torch.autograd.grad(((x @ w + b - targets) ** 2).mean(), (w, b))
        with torch.no_grad():
            w -= 0.1 * steps[0]
            b -= 0.1 * steps[1]
    return w.detach(), b.detach()


@claims("why-by-hand", "So that is what the model learns, for every input.")
def the_mean() -> bool:
    w, b = line_trained(y)
    assert near(w, 0.0, 1e-4)
    assert near(b, y.mean(), 1e-4)
    return near(((x @ w + b - y) ** 2).mean(), ((y - y.mean()) ** 2).mean(), 1e-4)


@claims("why-by-hand", "the same model learns the line, and the loss goes to zero.")
def the_line() -> bool:
    w, b = line_trained(y[:, None])
    return near(w, 2.0, 1e-3) and near(b, 1.0, 1e-3)


@claims("why-by-hand", "The wrong one: each prediction against the mean of all targets.")
def against_the_mean() -> bool:
    wrong, right = walked("why-by-hand.column"), walked("why-by-hand.repaired")
    assert near(right["dpred"], 2 * (right["pred"] - y[:, None]) / 4)
    return near(wrong["dpred"], 2 * (wrong["pred"] - y.mean()) / 4)


@claims(
    "why-by-hand", "PyTorch's own loss function has warned of it since. Your own line of code still gets no warning."
)
def warned() -> bool:
    with pytest.warns(UserWarning, match="target size"):
        F.mse_loss(x, y)
    with warnings.catch_warnings(record=True) as caught:
        ((x - y) ** 2).mean()
    return not caught


@claims("why-by-hand", "The loss is flat until it is within 1 of its target")
def flat() -> bool:
    known = walked("why-by-hand.clipped")

    def loss(moved: float) -> float:
        q = known["q"].clone()
        q[2] = moved
        return float(((q - known["target"]).clamp(-1, 1) ** 2).mean())

    return loss(2.0) == loss(7.99) > loss(8.5) > loss(9.0)


@claims("why-by-hand", "the built-in `h.norm(dim=1)` has been safe since.")
def built_in_norm() -> bool:
    known = walked("why-by-hand.root")
    h = known["h"].clone().requires_grad_()
    assert not torch.isfinite(known["dh"][0]).any()
    assert torch.isfinite(known["dh"][1:]).all()
    return bool(torch.isfinite(torch.autograd.grad(h.norm(dim=1).mean(), h)[0]).all())


@claims("why-by-hand", "How many of the {value}`root: W.numel()` weights get a gradient that is not a number?")
def all_of_them() -> bool:
    return bool(walked("why-by-hand.root")["dW"].isnan().all())


@claims("why-by-hand", "a tenth of the move, a hundredth of the error.")
def second_order() -> bool:
    def error(part: float) -> float:
        a, b = 1 + 0.1 * part, 2 - 0.2 * part
        return abs(a**2 + 3 * a * b - (7 + 0.8 * part - 0.6 * part))

    return error(0.1) == pytest.approx(error(1.0) / 100, rel=1e-9)


@claims("why-by-hand", "That one call does five things. Each has a chapter, because each goes wrong in its own way:")
def a_chapter_for_each() -> bool:
    table = (
        SHELF.chapters["why-by-hand"].source.split("| it | and if you don't know |\n|---|---|\n")[1].split("\n\n")[0]
    )
    named = [re.findall(r"\{lesson\}`([\w-]+)`", row) for row in table.split("\n")]
    return len(named) == 5 and all(len(one) == 1 and one[0] in SHELF.chapters for one in named)


@claims("why-by-hand", "without `zero_grad`, the last step's gradient is still in this one")
def accumulated() -> bool:
    p = torch.tensor(2.0, requires_grad=True)
    for _ in range(2):
        (3 * p).backward()
    return float(torch.as_tensor(p.grad)) == 6


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_these_programs_is_true(claim: Claim) -> None:
    claim.verify()
