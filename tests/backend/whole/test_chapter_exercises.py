"""What the folded answers of open exercises say is true, computed here in plain PyTorch."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from backend.pipeline import run_of
from tests.support.chapter_claims import Claim, Claims, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)


@claims("broadcasting", "The loss is smallest where all six predictions are one number, the mean of `y`.")
def every_prediction_meets_every_target() -> bool:
    y = torch.randn(6, generator=torch.Generator().manual_seed(1))
    pred = y.mean().expand(6, 1).clone().requires_grad_()
    difference = pred - y
    slope = torch.autograd.grad((difference**2).mean(), pred)[0]
    return difference.shape == (6, 6) and float(slope.abs().max()) < 1e-6


@claims("makemore-mlp", "`dcounts`, `dlogits`, `dbndiff` and `dhprebn`.")
def gradients_that_grow() -> bool:
    lines = [line.code for line in run_of({"lesson": "makemore-mlp"}).plan.lines]
    grown = {line.split()[0] for line in lines if "+=" in line}
    return grown == {"dcounts", "dlogits", "dbndiff", "dhprebn"}


@claims("makemore-closed-form", "`dhpreact.sum(0)` is the one through the mean.")
def three_paths() -> bool:
    g, n = torch.Generator().manual_seed(1), 8
    dout, x = (torch.randn(n, 3, generator=g, dtype=torch.float64) for _ in range(2))
    x.requires_grad_()

    def gradient(mean: bool, variance: bool) -> torch.Tensor:
        m, v = x.mean(0), x.var(0)
        out = (x - (m if mean else m.detach())) * ((v if variance else v.detach()) + 1e-5) ** -0.5
        return torch.autograd.grad(out, x, dout)[0]

    raw, factor = ((x - x.mean(0)) * (x.var(0) + 1e-5) ** -0.5).detach(), ((x.var(0) + 1e-5) ** -0.5 / n).detach()
    straight = factor * n * dout
    mean, variance = -factor * dout.sum(0), -factor * n / (n - 1) * raw * (dout * raw).sum(0)
    parts = [(False, False, straight), (True, False, straight + mean), (False, True, straight + variance)]
    return all(torch.allclose(gradient(*paths), part) for *paths, part in parts)


@claims("relu-classifier", "Each for itself, a long one is shortened and a short one stays as it is.")
def clipped_one_by_one() -> bool:
    long, short = torch.tensor([3.0, 4.0]), torch.tensor([0.6, 0.0])
    alone = torch.cat([one / max(1.0, float(one.norm())) for one in (long, short)])
    together = torch.cat([long, short])
    return float(F.cosine_similarity(alone, together, 0)) < 0.95 and torch.equal(alone[2:], short)


@claims("gpt-block", "Rows 2 and 4: tokens that don't come in.")
def a_table_of_its_own() -> bool:
    known = {name: torch.as_tensor(value) for name, value in walked("gpt-block").items()}
    E, U = known["E"].clone().requires_grad_(), known["E"].clone().requires_grad_()
    emb = E[known["tokens"].long()] + known["P"]
    logits = F.layer_norm(emb + known["x2"] - known["emb"], (4,)) @ U.T
    F.cross_entropy(logits, known["targets"].long()).backward()
    assert E.grad is not None
    assert U.grad is not None
    rows = [int(row) for row in (E.grad == 0).all(1).nonzero()[:, 0]]
    return rows == [2, 4] and not bool((U.grad == 0).all(1).any())


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_an_answer_is_true(claim: Claim) -> None:
    claim.verify()
