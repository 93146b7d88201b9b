"""What the chapter "Twice" claims of its lines is true, in plain PyTorch, which differentiates twice by itself."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from backend.pipeline import run_of
from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
HERE = "twice"


def penalty(x: torch.Tensor, W: torch.Tensor, u: torch.Tensor, bend: str = "tanh") -> torch.Tensor:
    """The penalty by autograd's own gradient of the score, which keeps its graph."""
    h = getattr(torch, bend)(x @ W)
    (slope,) = torch.autograd.grad((h @ u).sum(), x, create_graph=True)
    return ((slope.norm(dim=1) - 1) ** 2).mean()


def leaves(lesson: str, *names: str) -> list[torch.Tensor]:
    return [walked(lesson, True)[name].clone().requires_grad_() for name in names]


@claims(HERE, "the same numbers that the walk above gives to `dx[0]`.")
def lines_of_a_walk() -> bool:
    printed = [line.code for line in run_of({"lesson": f"{HERE}.score"}).plan.lines]
    assert "dx = dh_product @ W.T" in printed
    return near(walked(HERE)["slope"], walked(f"{HERE}.score")["dx"])


@claims(HERE, "So the gradient of the penalty comes back to `W` on two ways.")
def gradient_penalty() -> bool:
    x, W, u = leaves(HERE, "x", "W", "u")
    known, made = walked(HERE, True), penalty(x, W, u)
    assert near(made, known["loss"])
    wanted = torch.autograd.grad(made, (x, W, u))
    assert all(near(one, known[f"d{name}"]) for one, name in zip(wanted, "xWu", strict=True))
    h = torch.tanh(x.detach() @ W.detach())
    slope = u.detach() * (1 - h**2) @ W.T
    direct = torch.autograd.grad(((slope.norm(dim=1) - 1) ** 2).mean(), W)[0]
    return not near(direct, known["dW"], 1e-3)


@claims(HERE, "A constant slope has no slope.")
def relu_has_no_second_slope() -> bool:
    x, W, u = leaves(HERE, "x", "W", "u")
    (dx,) = torch.autograd.grad(penalty(x, W, u, "relu"), x, allow_unused=True, materialize_grads=True)
    a = torch.tensor([-1.0, 2.0], requires_grad=True)
    (slope,) = torch.autograd.grad(F.relu(a).sum(), a, create_graph=True)
    (again,) = torch.autograd.grad(slope.sum(), a, allow_unused=True, materialize_grads=True)
    return not dx.any() and not again.any()


@claims(HERE, "so what comes out is the Hessian's column 0")
def column_of_the_hessian() -> bool:
    known = walked(f"{HERE}.curve", True)

    def loss(w: torch.Tensor) -> torch.Tensor:
        return ((torch.tanh(known["x"] @ w) - known["y"]) ** 2).sum()

    hessian = torch.autograd.functional.hessian(loss, known["w"])
    assert near(torch.autograd.functional.jacobian(loss, known["w"]), known["slope"])
    assert near(hessian[0, 1], float(hessian[1, 0]))
    assert not near(hessian[0, 0], float(hessian[1, 1]), 1e-3)
    return near(hessian[:, 0], known["dw"]) and known["v"].tolist() == [1.0, 0.0]


@claims(HERE, "one minus `0.1` times the curvature of the first task.")
def through_a_step() -> bool:
    known, short = walked(f"{HERE}.inner", True), walked(f"{HERE}.short", True)
    (w,) = leaves(f"{HERE}.inner", "w")
    inner = ((w * known["x"] - known["y"]) ** 2).mean()
    (slope,) = torch.autograd.grad(inner, w, create_graph=True)
    (curvature,) = torch.autograd.grad(slope, w, retain_graph=True)
    outer = (((w - 0.1 * slope) * known["x2"] - known["y2"]) ** 2).mean()
    (whole,) = torch.autograd.grad(outer, w)
    assert near(whole, known["dw"])
    assert float(known["dw"] * short["dw"]) > 0
    return near(short["dw"] * (1 - 0.1 * curvature), known["dw"])


@claims(HERE, "It has a million numbers, and costs one more walk back.")
def numbers_of_a_product() -> bool:
    """Here of two weights: one further walk, two numbers, and they are the table of four times the direction."""
    known = walked(f"{HERE}.curve", True)
    w, v = known["w"].clone().requires_grad_(), torch.tensor([0.3, -2.0], dtype=torch.float64)
    loss = ((torch.tanh(known["x"] @ w) - known["y"]) ** 2).sum()
    (slope,) = torch.autograd.grad(loss, w, create_graph=True)
    (product,) = torch.autograd.grad(slope @ v, w)
    hessian = torch.autograd.functional.hessian(
        lambda at: ((torch.tanh(known["x"] @ at) - known["y"]) ** 2).sum(), known["w"]
    )
    return hessian.numel() == w.numel() ** 2 and product.shape == w.shape and near(product, hessian @ v)


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_the_chapter_claims_is_true(claim: Claim) -> None:
    claim.verify()
