"""What the chapter "Numbers that are too small" claims of formats and sums is true: PyTorch's own types say the same."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from backend.engine.language.wording import number_text
from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
HERE = "small-numbers"


@claims(HERE, "Rounding can be written with ordinary lines")
def formats() -> bool:
    known = walked(HERE)
    many = torch.cat([known["x"], torch.logspace(-9, 4, 500, dtype=torch.float64)])

    def rounded(steps: int, least: float) -> torch.Tensor:
        step = 2.0 ** (many.log2().floor().clamp(min=least) - steps)
        return torch.round(many / step) * step

    assert torch.equal(known["half"], known["x"].half().double())
    assert torch.equal(known["brain"], known["x"].bfloat16().double())
    assert torch.equal(rounded(10, -14), many.half().double())
    return torch.equal(rounded(7, -126), many.bfloat16().double())


@claims(HERE, "Of {value}`x[0] | 5` it keeps {value}`brain[0]`.")
def shown_as_they_are_stored() -> bool:
    """What is shown of the first number, four digits of it, is what each format stores."""
    first = torch.tensor([float(walked(HERE)["x"][0])], dtype=torch.float64)
    shown = [number_text(float(one), 4) for one in (first.half(), first.bfloat16())]
    return [float(one) for one in shown] == [float(first.half()), float(first.bfloat16())] == [2001, 2000]


@claims(HERE, "| float16 | 16 | `2**10` | `2**-14` |")
def table_of_formats() -> bool:
    wanted = {torch.float32: (23, -126), torch.float16: (10, -14), torch.bfloat16: (7, -126)}
    return all(
        torch.finfo(dtype).eps == 2.0**-bits and torch.finfo(dtype).tiny == 2.0**least
        for dtype, (bits, least) in wanted.items()
    )


@claims(HERE, "The curve is the share of gradients that are stored as zero.")
def lost() -> bool:
    grads = walked(f"{HERE}.scaled")["grads"]
    shares = [float(((scale * grads).half() == 0).double().mean()) for scale in (1, 8, 32768)]
    assert near(walked(f"{HERE}.scaled")["loss"], shares[0], 1e-12)
    return shares[0] > 0.2 and shares[0] > shares[1] > 0 == shares[2]


@claims(HERE, "so a scale of {value}`scaled: 2**-25 / grads[23] | 3` is enough.")
def scale_that_is_enough() -> bool:
    grads = walked(f"{HERE}.scaled")["grads"]
    enough = 2**-25 / float(grads[23])
    return bool((1.01 * enough * grads).half().all()) and not (0.99 * enough * grads).half().all()


@claims(HERE, "There is a number every `2**-24`, and what is half of that or less is gone.")
def half_of_the_least_step() -> bool:
    least = torch.tensor([2.0**-25, 2.0**-25 * 1.001, 2.0**-24], dtype=torch.float64)
    return bool((least.half() > 0).tolist() == [False, True, True])


@claims(HERE, "If you clip the gradients **before** you divide")
def clipped_too_early() -> bool:
    gradient, limit, scale = torch.tensor([0.3, -0.2]), 1.0, 1024.0
    early = scale * gradient * min(1.0, limit / float((scale * gradient).norm())) / scale
    return bool(gradient.norm() < limit and early.norm() < gradient.norm() / 300)


@claims(HERE, "The gradient is right, the optimiser is right, and the parameter stands still.")
def stuck() -> bool:
    p, copy = torch.tensor(1.0).bfloat16(), torch.tensor(1.0)
    for _ in range(20):
        p, copy = p - 0.001, copy - 0.001
    assert near(copy, 0.98, 1e-6)
    assert float(walked(f"{HERE}.stuck")["p_21"]) == 1
    return float(p) == 1


@claims(HERE, "Up to what size is a step down from 1 rounded away in bfloat16?")
def least_step() -> bool:
    one = torch.tensor(1.0, dtype=torch.float64)
    return float((one - 2**-9).bfloat16()) == 1 > float((one - 1.01 * 2**-9).bfloat16())


@claims(HERE, "In float32 it is infinite from about")
def infinite() -> bool:
    ends = {torch.float32: (88.7, 88.8), torch.float16: (11.08, 11.1)}
    return all(
        torch.tensor(below, dtype=dtype).exp().isfinite() and torch.tensor(above, dtype=dtype).exp().isinf()
        for dtype, (below, above) in ends.items()
    )


@claims(HERE, "Every gradient that is computed from it is NaN, too.")
def naive() -> bool:
    z = walked(f"{HERE}.stable")["z"].clone().requires_grad_()
    loss = -(z.exp() / z.exp().sum())[0].log()
    return bool(torch.autograd.grad(loss, z)[0].isnan().all())


@claims(HERE, "The same loss on paper. Every number is finite.")
def stable() -> bool:
    known = walked(f"{HERE}.stable")
    z = known["z"].clone().requires_grad_()
    loss = F.cross_entropy(z[None], torch.tensor([0]))
    assert near(loss.detach(), known["loss"])
    return near(torch.autograd.grad(loss, z)[0], known["dz"])


@claims(HERE, "There, neighbours in float32 are 8 apart.")
def tens() -> bool:
    gaps = {float(torch.nextafter(x, torch.tensor(torch.inf)) - x) for x in walked(f"{HERE}.far")["x"] ** 2}
    return gaps == {8.0}


@claims(HERE, "and the second is right.")
def variance() -> bool:
    known = walked(f"{HERE}.far")
    true = float(known["x"].double().var(unbiased=False))
    return near(known["twice"], true, 1e-3) and abs(float(known["once"]) - true) > 1


@claims(HERE, "Near 1, float32 has a number about every tenth of a millionth. `1 + u` is 1.")
def gone() -> bool:
    return float((torch.tensor(1.0) + 1e-9) - 1) == 0


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_formats_is_true(claim: Claim) -> None:
    claim.verify()
