"""What the chapter "Where no gradient flows" claims of its lines is true, in plain PyTorch."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

import backend
from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
HERE = "no-gradient"


@claims(HERE, "What is the slope of `value` with `logits[0]`?")
def a_step() -> bool:
    known = walked(HERE)
    assert not (known["dlogits"] - 0.2 * known["logits"]).any()
    return all(
        int(F.softmax(known["logits"] + nudge * torch.eye(3)[at], 0).argmax()) == 1
        for at in range(3)
        for nudge in (-0.5, 0.5)
    )


@claims(HERE, "`argmax`, `round`, `sign`, a comparison such as `u > 0`, `int(…)`")
def what_cuts() -> bool:
    u = torch.tensor([0.3, 1.7], requires_grad=True)
    assert not u.argmax().requires_grad
    assert not (u > 0).requires_grad
    return not any(torch.autograd.grad(cut(u).sum(), u)[0].any() for cut in (torch.round, torch.sign))


@claims(HERE, "Every logit gets a gradient, and they add up to zero.")
def expected() -> bool:
    slopes = walked(f"{HERE}.expected")["dlogits"]
    return bool(slopes.all()) and near(slopes.sum(), 0.0)


@claims(HERE, "An expensive choice gets a positive gradient, so its logit is pushed down.")
def dear() -> bool:
    known = walked(f"{HERE}.expected")
    return bool(torch.equal(known["dlogits"] > 0, known["prices"] > known["loss"]))


@claims(HERE, "It is not the gradient of the loss. A check by nudges says so at once, and rightly.")
def straight_through() -> bool:
    known = walked(f"{HERE}.straight")

    def loss(u: torch.Tensor) -> torch.Tensor:
        return ((torch.round(u) - known["target"]) ** 2).sum()

    nudge = 1e-3 * torch.tensor([0.0, 0.0, 1.0])
    return near(loss(known["u"] + nudge), loss(known["u"] - nudge)) and bool(known["du"][2])


@claims(HERE, "What was dropped gets nothing, the rest is doubled.")
def dropped() -> bool:
    known = walked(f"{HERE}.dropout")
    return bool(torch.equal(known["dh"], 2 * known["mask"] * known["ddropped"]))


@claims(HERE, "The draws have the same distribution as before.")
def reparameterised() -> bool:
    g = torch.Generator().manual_seed(1)
    direct = torch.normal(1.0, 0.5, (200_000,), generator=g)
    moved = 1.0 + 0.5 * torch.randn(200_000, generator=g)
    places = torch.tensor([0.05, 0.25, 0.5, 0.75, 0.95])
    return near(direct.quantile(places), moved.quantile(places), 0.01)


@claims(HERE, "The loss falls either way. In the second case it may fall because the target gives in:")
def targets() -> bool:
    def after(name: str) -> tuple[float, float]:
        known = walked(f"{HERE}.{name}")
        weights = known["weights"] - 0.02 * known["dweights"]
        later = weights @ known["following"]
        return float((weights @ known["state"] - (1 + 0.9 * later)) ** 2), float(later)

    begun = walked(f"{HERE}.both")
    (fixed, _), (both, later) = after("target"), after("both")
    assert later < float(begun["later"])
    return max(fixed, both) < float(begun["loss"])


@claims(HERE, "In PyTorch, without it, that line on a parameter is an error.")
def updated() -> bool:
    p = torch.tensor(1.0, requires_grad=True)
    (2 * p).backward()
    with pytest.raises(RuntimeError, match="in-place"):
        p -= 0.1 * torch.as_tensor(p.grad)
    with torch.no_grad():
        p -= 0.1 * torch.as_tensor(p.grad)
    return near(p.detach(), 0.8)


@claims(HERE, "The check confirms the gradient of the program.")
def confirmed() -> bool:
    return bool(backend.numeric({"walk": {"lesson": HERE}, "node": "logits", "mode": "direction"})["agrees"])


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_lines_that_stop_a_gradient_is_true(claim: Claim) -> None:
    claim.verify()
