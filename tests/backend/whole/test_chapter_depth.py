"""What the chapter "Depth" claims of scales, residuals and norms is true: its networks are run here in plain PyTorch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F

from backend.pipeline import run_of
from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
Layer = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
LAYERS: dict[str, Callable[[float], Layer]] = {
    "tanh": lambda scale: lambda h, W: torch.tanh(scale * h @ W),
    "linear": lambda scale: lambda h, W: scale * h @ W,
    "relu": lambda scale: lambda h, W: F.relu(scale * h @ W),
    "residual": lambda scale: lambda h, W: h + scale * torch.tanh(h @ W),
    "pre": lambda _: lambda h, W: h + torch.tanh(F.layer_norm(h, (16,)) @ W),
    "post": lambda _: lambda h, W: F.layer_norm(h + torch.tanh(h @ W), (16,)),
}


def spreads(kind: str, scale: float = 1.0) -> tuple[torch.Tensor, torch.Tensor]:
    """The spread of each layer's numbers, and of the gradient there that starts as `G` at the last."""
    known = walked("depth" if kind == "tanh" else f"depth.{kind}", True)
    layers = [known["h"].clone().requires_grad_()]
    for W in known["W"]:
        layers.append(LAYERS[kind](scale)(layers[-1], W))
    back = torch.autograd.grad((layers[-1] * known["G"]).sum(), layers)
    return torch.stack([h.std() for h in layers]).detach(), torch.stack([g.std() for g in back])


@claims("depth", "`backward` is the spread of a gradient that starts with spread 1 at the last layer")
def as_the_programs_have_it() -> bool:
    for kind in ("tanh", "linear", "relu", "residual"):
        known = walked("depth" if kind == "tanh" else f"depth.{kind}", True)
        forward, backward = spreads(kind)
        assert near(known["forward"], forward, 1e-9), kind
        assert near(known["backward"], backward, 1e-9), kind
    return near(spreads("tanh")[1][20], 1.0, 0.05)


@claims("depth", "To the left, the numbers die out.")
def left_end() -> bool:
    forward, backward = spreads("tanh", 0.3)
    return bool(forward[20] < 1e-6 and backward[0] < 1e-6)


@claims("depth", "At the right end, three cells of five are heaped near ±1, where tanh is nearly flat.")
def right_end() -> bool:
    known = walked("depth", True)
    layers = [known["h"]]
    for W in known["W"]:
        layers.append(torch.tanh(4 * layers[-1] @ W))
    cells = torch.stack(layers[1:]).abs()
    heaped = cells > 0.95  # the outermost columns of the picture
    return near(heaped.double().mean(), 0.6, 0.02) and bool((1 - cells[heaped] ** 2 < 0.1).all())


@claims("depth", "Over twenty layers the weights win.")
def gradients_grow() -> bool:
    return bool(spreads("tanh", 4.0)[1][0] > 50)


@claims("depth", "Then a layer hands on numbers as large as it received.")
def one_over_k() -> bool:
    g = torch.Generator().manual_seed(1)
    h, W = torch.randn((200, 400), generator=g), torch.randn((400, 300), generator=g) / 400**0.5
    return 0.97 < float((h @ W).std() / h.std()) < 1.03


@claims("depth", "That halves the mean square, so each layer would shrink by the root of a half.")
def halved() -> bool:
    sums = torch.randn(100_000, generator=torch.Generator().manual_seed(1))
    return near((F.relu(sums) ** 2).mean() / (sums**2).mean(), 0.5, 0.01)


@claims("depth", "At 1 the numbers fade; near √2, which is {value}`2**0.5`, they last.")
def kaiming() -> bool:
    faded, lasting = spreads("relu", 1.0)[0], spreads("relu", 2**0.5)[0]
    return bool(faded[20] < 0.01 * faded[0] and lasting.min() > 0.25 and lasting.max() < 4)


@claims("depth", "the spread settles near two thirds and stays there, layer after layer.")
def five_thirds() -> bool:
    settled = spreads("tanh", 5 / 3)[0][3:]
    assert torch.nn.init.calculate_gain("tanh") == 5 / 3
    return bool((settled > 0.55).all() and (settled < 0.75).all())


@claims("depth", "At 1 it sinks, and is still sinking in the last layer.")
def at_one() -> bool:
    forward = spreads("tanh", 1.0)[0]
    return bool(forward[20] < forward[15] < forward[5] < forward[1] < 1)


@claims("depth", "it is level within a factor of a few.")
def backward_at_five_thirds() -> bool:
    backward = spreads("tanh", 5 / 3)[1]
    return bool(backward.max() < 4 * backward.min())


@claims("depth", "The same half of the mean square is lost, and the same √2 makes up for it.")
def relu_going_back() -> bool:
    faded, lasting = spreads("relu", 1.0)[1], spreads("relu", 2**0.5)[1]
    return bool(faded[0] < 0.01 * faded[20] and lasting.min() > 0.25 and lasting.max() < 4)


@claims("depth", "Toward the left every layer becomes a plain copy, and the gradient arrives as it left.")
def plain_copies() -> bool:
    backward = spreads("residual", 0.01)[1]
    return near(backward[0], backward[20], 0.1)


@claims("depth", "cancelled by what comes through the branches. But it can grow:")
def residuals_grow() -> bool:
    return all(float(spreads("residual", scale)[1].min()) > 0.8 for scale in (0.01, 0.2, 1.0, 2.0)) and bool(
        spreads("residual", 1.0)[1][0] > 3
    )


@claims("depth", "For these twenty layers that is a scale of {value}`20**-0.5`.")
def scaled_residuals() -> bool:
    forward, backward = spreads("residual", 20**-0.5)
    return bool(forward.max() < 1.6 and backward.max() < 2)


@claims("depth", "What a branch adds is taken away again, so the gradient at most doubles.")
def post_norm() -> bool:
    forward, backward = spreads("post")
    assert near(forward[1:], 1.0, 0.01)
    return bool(1.5 * backward[20] < backward.max() <= 2 * backward[20])


@claims("depth", "The last of three lines from `h_21` back to `h_20`.")
def lines_of_a_layer() -> bool:
    """The twentieth layer makes `h_21`: its matrix is the last one."""
    codes = [line.code for line in run_of({"lesson": "depth"}).plan.lines]
    layer = [code for code in codes if code.startswith(("dh_21_product", "dh_20 = "))]
    return len(layer) == 3 and layer[1].endswith("@ W[19].T") and layer[2].startswith("dh_20 = ")


@claims("depth", "What comes back through the branches is added, so it grows toward the first layer.")
def pre_norm() -> bool:
    forward, backward = spreads("pre")
    return bool(backward[0] > 3 * backward[20] and forward[20] > 2 * forward[0])


@claims("depth", "The norm undoes a scale, so the gradient has no part along the numbers themselves.")
def out_of_the_gradient() -> bool:
    g = torch.Generator().manual_seed(1)
    x = torch.randn((3, 8), generator=g, dtype=torch.float64).requires_grad_()
    G = torch.randn((3, 8), generator=g, dtype=torch.float64)
    for norm, keeps_shift in (
        (lambda x: (x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True, unbiased=False), False),
        (lambda x: x / (x**2).mean(1, keepdim=True) ** 0.5, True),
    ):
        (dx,) = torch.autograd.grad((norm(x) * G).sum(), x)
        shift = x - x.mean(1, keepdim=True) if not keeps_shift else x
        assert near((dx * shift).sum(1), 0.0, 1e-9)
        assert keeps_shift != near(dx.sum(1), 0.0, 1e-9)
    return True


@claims("depth", "It is lower, about halfway between 1 and 5/3: there `backward` stays within a factor of two.")
def most_level() -> bool:
    def unevenness(scale: float) -> float:
        backward = spreads("tanh", scale)[1]
        return float(backward.max() / backward.min())

    best = min((1.0 + 0.05 * n for n in range(20)), key=unevenness)
    return abs(best - (1 + 5 / 3) / 2) < 0.05 and unevenness(best) < 2


@claims("depth", "With 5/3 it grows to nearly three times what it was.")
def less_level() -> bool:
    backward = spreads("tanh", 5 / 3)[1]
    return 2.5 < float(backward.max() / backward[20]) < 3 and near(backward.min(), backward[20], 0.01)


@claims("depth", "at the lower one the last layer's spread is below one half.")
def fainter_going_forward() -> bool:
    return float(spreads("tanh", (1 + 5 / 3) / 2)[0][20]) < 0.5 < float(spreads("tanh", 5 / 3)[0][20])


@claims("depth", "Twenty layers without an activation. Either side of 1, twentieth powers take over.")
def twentieth_powers() -> bool:
    level = spreads("linear", 1.0)[0][20]
    return all(near(spreads("linear", scale)[0][20] / level, scale**20, 1e-3 * scale**20) for scale in (0.5, 0.9, 2.0))


@claims(
    "depth",
    "| post-norm | {value}`post: dh_21.std() \\| 2` | {value}`post: dh_11.std() \\| 2` | {value}`post: dh_2.std()",
)
def spreads_by_name() -> bool:
    for kind in ("post", "pre"):
        backward, known = spreads(kind)[1], walked(f"depth.{kind}", True)
        named = torch.stack([known[name].std() for name in ("dh_21", "dh_11", "dh_2")])
        assert near(named, backward[[20, 10, 1]], 1e-9), kind
    return True


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_depth_is_true(claim: Claim) -> None:
    claim.verify()
