"""What the chapter "Jacobians nobody builds" claims of tables and products is true: each table is built here, by torch."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
table = torch.autograd.functional.jacobian


@claims("jacobians", "the table of two lines, one after the other, is the product of their tables.")
def product_of_tables() -> bool:
    known = walked("jacobians")
    A, u = known["A"], known["u"]
    both = table(lambda x: torch.tanh(A @ x), u)
    assert near(both, table(torch.tanh, A @ u) @ table(lambda x: A @ x, u))
    return near(known["g"] @ both, known["du"])


@claims("jacobians", "That is also why `Y.backward()` on a tensor with several numbers raises an error.")
def no_loss() -> bool:
    u = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="scalar outputs"):
        (2 * u).backward()
    (2 * u).backward(torch.tensor([1.0, 2.0, 3.0]))
    return torch.equal(torch.as_tensor(u.grad), torch.tensor([2.0, 4.0, 6.0]))


@claims("jacobians", "It has to be the same, because it is the same product of tables between `g` and `t`")
def both_ways() -> bool:
    known = walked("jacobians.forward", True)
    moved = torch.autograd.functional.jvp(lambda x: torch.tanh(known["A"] @ x), known["u"], known["t"])[1]
    assert near(known["tw"], moved, 1e-12)
    return near((known["g"] * moved).sum(), (known["du"] * known["t"]).sum(), 1e-12)


@claims("jacobians", "The table of a copy is the identity, twice, one below the other.")
def copied() -> bool:
    copy = table(lambda b: b.expand(2, 3), torch.ones(3)).reshape(6, 3)
    total = table(lambda x: x.sum(0), torch.ones(2, 3)).reshape(3, 6)
    assert torch.equal(copy, torch.cat([torch.eye(3), torch.eye(3)]))
    return torch.equal(total, copy.T)


@claims("jacobians", "cells, but apart from zero only {value}`product: W.numel()` different numbers.")
def blocks_of_a_product() -> bool:
    known = walked("jacobians.product")
    W = known["W"]
    cells = table(lambda X: X @ W, known["X"]).flatten()
    return len(cells) == known["Y"].numel() * known["X"].numel() and set(cells.tolist()) == {0.0, *W.flatten().tolist()}


@claims("jacobians", "Each row of the table has a single 1.")
def moved_about() -> bool:
    tables = [
        table(lambda x: x.view(6), torch.ones(2, 3)).reshape(6, 6),
        table(lambda x: x.T, torch.ones(2, 3)).reshape(6, 6),
        table(lambda x: x[1:], torch.ones(4)),
        table(lambda x: x[[4, 0, 0]], torch.ones(5)),
        table(lambda x: torch.cat([x[:3], x[3:]]), torch.ones(5)),
    ]
    return all(bool(((one == 1).sum(1) == 1).all() and ((one == 0) | (one == 1)).all()) for one in tables)


@claims("jacobians", "A block for each row of `X`. All of them are `W.T`.")
def blocks() -> bool:
    X, W = (walked("jacobians.product")[name] for name in "XW")
    full = table(lambda x: x @ W, X)  # [i, j, a, b]
    assert all(torch.equal(full[i, :, i, :], W.T) for i in range(3))
    return not any(full[i, :, a, :].any() for i in range(3) for a in range(3) if i != a)


@claims("jacobians", "`diag(p)` minus a column times a row.")
def of_softmax() -> bool:
    z = walked("jacobians.softmax")["z"]
    p = F.softmax(z, 0)
    return near(table(lambda x: F.softmax(x, 0), z), torch.diag(p) - torch.outer(p, p))


@claims("jacobians", "Subtracting a mean and normalising have the same pattern.")
def of_a_mean() -> bool:
    x = torch.tensor([1.0, 4.0, -2.0, 0.5], dtype=torch.float64)
    centred = table(lambda one: one - one.mean(), x)
    normal = table(lambda one: F.layer_norm(one, (4,)), x)

    def rank_beside_a_diagonal(one: torch.Tensor) -> int:
        own = (one.diagonal() - one.diagonal().mean()).abs().max() < 1e-9
        rest = one - torch.diag(torch.full((4,), float(one[0, 0] - one[0, 1]) if own else scale))
        return int(torch.linalg.matrix_rank(rest, atol=1e-4))

    scale = float((x.var(unbiased=False) + 1e-5) ** -0.5)
    return rank_beside_a_diagonal(centred) == 1 and rank_beside_a_diagonal(normal) == 2


@claims("jacobians", "Put the upstream gradient in the place of the operand, and exchange their letters.")
def letters_exchanged() -> bool:
    known = walked("jacobians.scores")
    q, k, G = known["q"].clone().requires_grad_(), known["k"].clone().requires_grad_(), known["G"]
    dq, dk = torch.autograd.grad((torch.einsum("bqd,bkd->bqk", q, k) * G).sum(), (q, k))
    assert near(dq, torch.einsum("bqk,bkd->bqd", G, k.detach()), 1e-5)
    return near(dk, torch.einsum("bqd,bqk->bkd", q.detach(), G), 1e-5)


@claims("jacobians", "Where an operand has a letter that nobody else has, that axis was summed alone")
def letter_alone() -> bool:
    x, y = torch.randn((2, 3), generator=torch.Generator().manual_seed(1)).requires_grad_(), torch.ones(2, 4)
    (dx,) = torch.autograd.grad(torch.einsum("ik,ij->ij", x, y).sum(), x)
    return bool((dx == dx[:, :1]).all())


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_tables_is_true(claim: Claim) -> None:
    claim.verify()
