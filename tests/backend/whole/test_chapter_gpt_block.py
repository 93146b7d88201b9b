"""What the chapter "A whole GPT block" claims of its lines is true, in plain PyTorch and by its own layers."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
HERE = "gpt-block"


@claims(HERE, "One head asks one question. Two heads ask two, each in half of the channels.")
def heads_are_pytorch_s() -> bool:
    known = walked(HERE, True)
    seen = F.layer_norm(known["emb"], (4,))
    queries, keys, values = (known["Wqkv"][:, 4 * i : 4 * i + 4] for i in range(3))
    weights = torch.cat([queries, keys, values], 1).T
    made, shares = F.multi_head_attention_forward(
        seen.unsqueeze(1), seen.unsqueeze(1), seen.unsqueeze(1), 4, 2, weights, None, None, None, False, 0.0,
        known["Wo"].T, None, attn_mask=known["future"], average_attn_weights=False,
    )  # fmt: skip
    assert shares is not None
    return near(known["emb"] + made.squeeze(1), known["x1"]) and near(shares[0], known["weights"])


@claims(HERE, "the future, and all of the first place, which sees only itself.")
def no_gradient_of_the_future() -> bool:
    known = walked(HERE)
    dark = known["dscores"] == 0
    return bool(dark[:, known["future"]].all()) and bool(dark[:, 0].all()) and int(dark.sum()) == 2 * (6 + 1)


@claims(HERE, "For large numbers the slope is nearly 1. On the way there it is even more")
def the_curve() -> bool:
    a = torch.linspace(-6, 6, 1201, dtype=torch.float64, requires_grad=True)
    bent = F.gelu(a)
    (slope,) = torch.autograd.grad(bent.sum(), a)
    share = torch.distributions.Normal(0.0, 1.0).cdf(a.detach())
    assert near(bent, a.detach() * share)
    assert slope[a < -0.76].max() < 0 < slope[a > -0.75].min()
    return near(slope[-1], 1.0, 1e-6) and bool(slope.max() > 1.1)


@claims(HERE, "So `E` has two uses, far apart, and its gradient has two lines:")
def two_uses() -> bool:
    known = walked(HERE, True)
    rows = F.layer_norm(known["x2"], (4,))
    last = known["dlogits"].T @ rows
    first = torch.zeros_like(last).index_add(0, known["tokens"], known["demb"])
    never = [token for token in range(5) if token not in known["tokens"].tolist()]
    assert bool(last.any(1).all())
    assert not first[never].any()
    return near(last + first, known["dE"]) and near(known["dP"], known["demb"])


@claims(HERE, "But it is a class, and its score is too high everywhere.")
def a_class_that_is_never_right() -> bool:
    known = walked(HERE)
    return 4 not in known["tokens"].tolist() + known["targets"].tolist() and bool((known["dlogits"][:, 4] > 0).all())


@claims(HERE, "`dx1` begins as `dx2`, whole, and the branch adds its share.")
def the_stream() -> bool:
    known = walked(HERE, True)
    x1 = known["x1"].clone().requires_grad_()
    branch = F.gelu(F.layer_norm(x1, (4,)) @ known["W1"]) @ known["W2"]
    (share,) = torch.autograd.grad(branch, x1, known["dx2"])
    return near(known["dx2"] + share, known["dx1"])


@claims(HERE, "would run without an error, and mix places with heads.")
def view_mixes() -> bool:
    mixed = walked(HERE)["mixed"]
    return mixed.reshape(4, 4).shape == walked(HERE)["joined"].shape and not near(
        mixed.reshape(4, 4), walked(HERE)["joined"]
    )


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_the_chapter_claims_is_true(claim: Claim) -> None:
    claim.verify()
