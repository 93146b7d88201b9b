"""What `torch.func` computes, walked as the plain calls that it stands for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch._functorch import apis, eager_transforms
from torch.func import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap

import gradwalk
from gradwalk.recorder import transforms
from tests.support.walked import walked

Tensor = torch.Tensor
Called = Callable[..., Tensor]
LAYER = torch.nn.Linear(2, 2)


def net(x: Tensor) -> Tensor:
    """Something that bends."""
    return torch.stack([torch.tanh(x[0] * x[1]), x.sin().sum()])


def weighed(weights: dict[str, Tensor], x: Tensor) -> Tensor:
    """A layer with weights from elsewhere."""
    made: Tensor = functional_call(LAYER, weights, (x,))
    return made.square().sum()


def by_sample(x: Tensor, w: Tensor) -> Tensor:
    """The gradients of each example."""
    found: Any = vmap(grad(weighed), (None, 0))({"weight": w, "bias": torch.ones(2)}, x)
    total: Tensor = found["weight"].flatten(1).norm(dim=1).sum()
    return total


def curved(x: Tensor, w: Tensor) -> Tensor:
    """How a gradient moves along a direction."""

    def size(z: Tensor) -> Tensor:
        return net(z).square().sum()

    moved: Tensor = jvp(grad(size), (x,), (w,))[1]
    return moved.sum()


def dropped(x: Tensor) -> Tensor:
    """One draw for all of a batch."""
    made: Tensor = vmap(lambda row: F.dropout(row, 0.5), randomness="same")(x)
    return made.pow(2).sum()


CASES: dict[str, tuple[Called, tuple[int, ...], tuple[int, ...]]] = {
    "batch": (lambda x, w: vmap(lambda a, b: (a @ b, a.sum()), (1, None), (1, 0))(x, w)[0].sin().sum(), (2, 4), (2, 3)),
    "nested": (lambda x, w: vmap(lambda a: vmap(lambda b: (a - b).square().sum().exp())(w))(x).sum(), (2, 2), (2, 2)),
    "gradient": (lambda x, w: (grad(lambda z: net(z).pow(3).sum())(x) * w).sum(), (2,), (2,)),
    "aux": (lambda x, w: grad(lambda a, b: ((a * b).sin().sum(), a), (0, 1), has_aux=True)(x, w)[0][1].sum(),
            (3,), (3,)),
    "value": (lambda x, w: sum(grad_and_value(lambda z: (z * w).pow(3).sum())(x), torch.zeros(())).sum(), (3,), (3,)),
    "jacobian": (lambda x, w: (jacrev(net)(x) * jacfwd(net)(x) * w).sum(), (2,), (2, 2)),
    "curvature": (lambda x, w: (vmap(hessian(lambda z: net(z).prod()))(x) * w).sum(), (1, 2), (2, 2)),
    "along": (lambda x, w: jvp(net, (x,), (w,))[1].pow(2).sum(), (2,), (2,)),
    "back": (lambda x, w: vjp(net, x)[1](w)[0].pow(2).sum(), (2,), (2,)),
    "of_a_gradient": (curved, (2,), (2,)),
    "by_sample": (by_sample, (3, 2), (2, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_transform_is_walked(name: str) -> None:
    torch.manual_seed(5)
    function, *shapes = CASES[name]
    walked(function, *map(torch.randn, shapes))


def test_a_batch_that_draws_once() -> None:
    torch.manual_seed(5)
    walked(dropped, torch.randn(3, 4))


def test_pytorch_is_left_as_it_was() -> None:
    before = dict(vars(apis)), dict(vars(eager_transforms)), torch.cond
    gradwalk.walk(lambda x: vmap(torch.tanh)(x).sum(), torch.randn(2, 3))
    assert before == (vars(apis), vars(eager_transforms), torch.cond)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_branch_that_pytorch_would_compile_is_the_one_that_is_taken(sign: float) -> None:
    x = torch.tensor([sign, 2 * sign])
    walk = gradwalk.walk(lambda x: torch.cond(x.sum() > 0, torch.sin, lambda one: one * 3, (x,)).pow(2).sum(), x)
    assert walk.right, walk
    torch.testing.assert_close(walk.by_label["x"], torch.sin(2 * x) if sign > 0 else 18 * x)


@pytest.mark.parametrize(("size", "rows"), [(transforms.MOST_RUNS + 1, transforms.MOST_ROWS), (6, 4)])
def test_a_batch_that_is_too_large_is_refused_by_name(size: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is one whose loop has too many lines."""
    monkeypatch.setattr(transforms, "MOST_ROWS", rows)
    with pytest.raises(gradwalk.WalkError, match=f"vmap over {size} examples, whose loop has too many lines"):
        gradwalk.walk(lambda x: vmap(torch.tanh)(x).sum(), torch.randn(size, 1))


def test_plain_calls_that_make_something_else_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    batch, back = transforms.Plain.batch, transforms.Plain.backwards
    monkeypatch.setattr(transforms.Plain, "batch", lambda *args, **kwargs: batch(*args, **kwargs) * 1.01)
    with pytest.raises(gradwalk.WalkError, match=r"under torch\.func"):
        gradwalk.walk(lambda x: vmap(torch.tanh)(x).sum(), torch.randn(2, 3))
    monkeypatch.setattr(transforms.Plain, "batch", batch)

    def other(self: transforms.Plain, func: Called, *args: Any, **kwargs: Any) -> Any:
        out, sent = back(self, func, *args, **kwargs)
        return out, lambda upstream: tuple(one * 1.01 for one in sent(upstream))

    monkeypatch.setattr(transforms.Plain, "backwards", other)
    with pytest.raises(gradwalk.WalkError, match=r"torch\.func"):
        gradwalk.walk(lambda x: vjp(net, x)[1](torch.ones(2))[0].sum(), torch.randn(2))
