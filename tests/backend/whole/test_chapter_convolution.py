"""What the chapter "Convolution and pooling" claims of kernels and windows is true, in plain PyTorch."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from tests.support.chapter_claims import Claim, Claims, near, walked

CLAIMS: list[Claim] = []
claims = Claims(CLAIMS)
HERE = "convolution"


def rows() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The one-dimensional numbers: pixels, kernel, upstream gradient."""
    known = walked(HERE)
    return known["x"][0, 0], known["w"][0, 0], known["dy"][0, 0]


@claims(HERE, "strictly this is a **correlation**.")
def not_reversed() -> bool:
    x, w, _ = rows()
    slid = torch.stack([(x[i : i + 3] * w).sum() for i in range(4)])
    assert near(walked(f"{HERE}.slices")["y"], slid)
    return near(walked(HERE)["y"][0, 0], slid)


@claims(HERE, "**The kernel's gradient is a correlation, too: of `x` with `dy`.**")
def kernel_gradient() -> bool:
    x, _, dy = rows()
    slid = F.conv1d(x[None, None], dy[None, None])[0, 0]
    assert near(slid[2], (x[2:6] * dy).sum())
    return near(walked(HERE)["dw"][0, 0], slid)


@claims(HERE, "The gradient of the pixels is a convolution of `dy` with the kernel, as in mathematics")
def pixel_gradient() -> bool:
    _, w, dy = rows()
    dx = walked(HERE)["dx"][0, 0]
    assert near(dx[2], w[2] * dy[0] + w[1] * dy[1] + w[0] * dy[2])
    assert near(dx, F.conv_transpose1d(dy[None, None], w[None, None])[0, 0])
    return near(dx, F.conv1d(F.pad(dy, (2, 2))[None, None], w.flip(0)[None, None])[0, 0])


@claims(HERE, "Each row is the kernel, one further to the right. Read down a column: the kernel, **upside down**.")
def its_table() -> bool:
    x, w, _ = rows()
    table = torch.autograd.functional.jacobian(lambda one: F.conv1d(one[None, None], w[None, None])[0, 0], x)
    assert all(torch.equal(table[i, i : i + 3], w) for i in range(4))
    return torch.equal(table[:3, 2], w.flip(0))


@claims(HERE, "Only the first place reaches the first number.")
def at_the_border() -> bool:
    x, w, _ = rows()
    table = torch.autograd.functional.jacobian(lambda one: F.conv1d(one[None, None], w[None, None])[0, 0], x)
    return (table != 0).sum(0).tolist() == [1, 2, 3, 3, 2, 1]


@claims(HERE, "there are `(n + 2*p - k) // s + 1` places.")
def places() -> bool:
    return all(
        F.conv1d(torch.ones(1, 1, n), torch.ones(1, 1, k), stride=s, padding=p).shape[2] == (n + 2 * p - k) // s + 1
        for n in (7, 28) for k in (1, 3, 5) for p in (0, 1, 2) for s in (1, 2, 3)
    )  # fmt: skip


@claims(HERE, "Its result is large where the numbers grow to the right, and negative where they fall.")
def edges() -> bool:
    y = walked(f"{HERE}.image")["y"][0, 0]
    return bool((y[:, :2] > 0).all() and (y[:, 3] < 0).all())


@claims(HERE, "A bias was copied to all examples, rows and columns, so their gradients add up.")
def biases() -> bool:
    known = walked(f"{HERE}.channels")
    return near(known["db"], known["G"].sum((0, 2, 3)), 1e-5)


@claims(HERE, "Three of four cells get nothing.")
def winners() -> bool:
    known = walked(f"{HERE}.largest")
    windows = F.unfold(known["dy"], 2, stride=2)[0]
    return (windows != 0).sum(0).tolist() == [1, 1, 1, 1] and near(windows.sum(0), known["G"].flatten())


@claims(HERE, "What you see is the kernel itself, times that one number of `G`, and not reversed.")
def one_place() -> bool:
    x, w, _ = rows()
    pixels = x.clone().requires_grad_()
    (dx,) = torch.autograd.grad(F.conv1d(pixels[None, None], w[None, None])[0, 0, 1] * 2.0, pixels)
    return near(dx[1:4], 2.0 * w) and not dx[[0, 4, 5]].any()


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_a_sentence_about_kernels_is_true(claim: Claim) -> None:
    claim.verify()
