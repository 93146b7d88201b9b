"""A model of one's own, walked: its gradients, names, refusals, and that all is as it was behind it."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

import gradwalk
from gradwalk.recorder import lowerings
from tests.support import models, own_functions
from tests.support.models import Case


def drawn_by_numpy() -> str:
    """Where the random numbers stand that NumPy draws."""
    return str(np.random.get_state())


def applies() -> list[object]:
    """What each class that a custom function comes from has for `apply`."""
    return [vars(one).get("apply") for one in torch.autograd.Function.__mro__]


def of(case: Callable[[], Case], seed: int = 0) -> gradwalk.Walk:
    torch.manual_seed(seed)
    model, args, loss = case()
    return gradwalk.walk(model, *args, loss=loss)


@pytest.mark.parametrize("case", models.CASES, ids=lambda case: case.__name__)
def test_every_gradient_is_the_model_s_own(case: Callable[[], Case]) -> None:
    """Held against a run that nobody recorded, from the same random numbers."""
    torch.manual_seed(3)
    model, args, loss = case()
    state = torch.get_rng_state()
    walk = gradwalk.walk(model, *args, loss=loss)
    assert walk.right, walk
    torch.set_rng_state(state)
    given = [one.clone().requires_grad_() if one.is_floating_point() else one for one in args]
    out = model(*given)
    scalar = out if loss is None else loss(out)
    assert torch.isclose(scalar, torch.tensor(walk.loss), rtol=1e-4)
    parameters = dict(model.named_parameters()) if isinstance(model, nn.Module) else {}
    inputs = [one for one in given if one.is_floating_point()]
    expected = torch.autograd.grad(scalar, [*parameters.values(), *inputs])
    found = walk.by_label
    for name, gradient in zip(parameters, expected, strict=False):
        torch.testing.assert_close(found[name], gradient, rtol=1e-3, atol=1e-5)
    for gradient in expected[len(parameters) :]:
        assert any(one.shape == gradient.shape and torch.allclose(one, gradient, 1e-3, 1e-5) for one in found.values())


def test_the_program_reads_as_the_user_wrote_it() -> None:
    walk = of(models.autoencoder)
    assert walk.forward.splitlines() == [
        "code = torch.tanh(F.linear(features, narrow_weight, narrow_bias))  # what is left of it",
        "out = F.linear(code, wide_weight, wide_bias)",
        "loss = F.mse_loss(out, x)",
    ]
    assert [one.name for one in walk.verdicts] == [
        *("features", "narrow.weight", "narrow.bias", "wide.weight", "wide.bias")
    ]


def test_the_table_says_how_each_gradient_came_out() -> None:
    shown = repr(of(models.autoencoder)).splitlines()
    assert shown[0].endswith("5 gradients are your model's own, by 9 backward lines")
    assert shown[2].split("  ")[0] == "gradient"
    assert any(line.startswith("narrow.weight  3 × 6") for line in shown)


def test_the_process_is_left_as_it_was_found() -> None:
    torch.manual_seed(1)
    model, args, loss = models.classifier()
    assert isinstance(model, nn.Module)
    model(*args).sum().backward()
    before = {name: one.clone() for name, one in model.state_dict().items()}
    grads = [None if one.grad is None else one.grad.clone() for one in model.parameters()]
    random.seed(2), np.random.seed(3)
    draws = torch.get_rng_state(), random.getstate(), drawn_by_numpy()
    apply = applies()
    walk = gradwalk.walk(model, *args, loss=loss)
    assert walk.right
    assert all(torch.equal(before[name], one) for name, one in model.state_dict().items())
    assert all(one.grad is not None and torch.equal(one.grad, kept)
               for one, kept in zip(model.parameters(), grads, strict=True) if kept is not None)  # fmt: skip
    assert torch.equal(torch.get_rng_state(), draws[0])
    assert random.getstate() == draws[1]
    assert drawn_by_numpy() == draws[2]
    assert applies() == apply
    assert torch.overrides._get_current_function_mode_stack() == []
    assert not args[0].requires_grad


def test_it_is_left_so_by_a_model_that_fails() -> None:
    def fails(x: torch.Tensor) -> torch.Tensor:
        raise KeyError(f"mine {torch.rand(x.shape).shape}")

    x = torch.randn(2)
    state, apply = torch.get_rng_state(), applies()
    with pytest.raises(KeyError, match="mine"):
        gradwalk.walk(fails, x)
    assert torch.equal(torch.get_rng_state(), state)
    assert applies() == apply
    assert torch.overrides._get_current_function_mode_stack() == []


def test_what_cannot_be_walked_is_refused_with_all_of_it() -> None:
    def odd(x: torch.Tensor) -> torch.Tensor:
        values = torch.linalg.lu(x)[2]
        return torch.linalg.lu_factor(values @ x)[0].sum() + torch.special.bessel_j0(x.detach()).sum()

    with pytest.raises(gradwalk.WalkError) as caught:
        gradwalk.walk(odd, torch.randn(30, 30))
    assert set(caught.value.missing) == {"torch.linalg.lu", "torch.linalg.lu_factor"}
    assert "values = torch.linalg.lu(x)[2]" in str(caught.value)


def test_what_holds_no_numbers_is_refused_first() -> None:
    with pytest.raises(gradwalk.WalkError, match="`meta`"):
        gradwalk.walk(nn.Linear(3, 2, device="meta"), torch.ones(3))


def test_a_backward_pass_that_can_t_be_asked_is_that_of_what_it_saves() -> None:
    walk = gradwalk.walk(lambda x: checkpoint(torch.tanh, x, use_reentrant=True).sum(), torch.ones(3))
    torch.testing.assert_close(walk.by_label["x"], 1 - torch.ones(3).tanh() ** 2)


def test_a_wrong_lowering_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is compared with the call where it runs; what is left is right, or refused."""
    right = lowerings.LOWERED["gru_cell"]
    monkeypatch.setitem(lowerings.LOWERED, "gru_cell", lambda x, h, *weights: right(x, h, *weights) * 1.001)
    cell = nn.GRUCell(3, 4)
    try:
        walk = gradwalk.walk(cell, torch.randn(2, 3), torch.randn(2, 4))
    except gradwalk.WalkError as refused:
        assert "gru_cell" in str(refused)
    else:
        assert walk.right


def test_a_gradient_that_differs_is_told() -> None:
    """What the model's own backward pass gives is the fourth oracle."""
    torch.manual_seed(0)
    model, args, loss = models.autoencoder()
    walk = gradwalk.walk(model, *args, loss=loss)
    name = next(name for name, label in walk.recording.program.labels.items() if label == "wide.weight")
    walk.recording.own[name] = walk.recording.own[name] * 1.001
    assert not walk.right
    assert [one.name for one in walk.verdicts if not one.right] == ["wide.weight"]
    assert "1 of 5 gradients DIFFER from your model's own: wide.weight" in repr(walk)


def test_a_backward_pass_that_mixes_cells_is_held_against_the_lines_of_its_forward_pass() -> None:
    walk = gradwalk.walk(lambda x: models.Sly.apply(x).sum() + (models.Sly.apply(x) * x).sum(), torch.randn(4))
    assert not walk.right
    assert "1 of 1 gradients DIFFER from your model's own: x" in repr(walk)
    assert "Sly.backward: 1 of 1 gradients WRONG: x" in repr(walk)


class Searched(torch.autograd.Function):
    """Cells less the cube root of their sum, which halves of an interval close in on: no slope is in those."""

    times = 1.0

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        low, step = x.sum() * 0, torch.tensor(4.0, dtype=x.dtype)
        for _ in range(40):
            step = step / 2
            low = torch.where((low + step) ** 3 <= x.sum(), low + step, low)
        ctx.save_for_backward(low)
        return x - low

    @classmethod
    def backward(cls, ctx: Any, g: torch.Tensor) -> torch.Tensor:
        (root,) = ctx.saved_tensors
        return g - cls.times * g.sum() / (3 * root**2)


@pytest.mark.parametrize("times", [1.0, pytest.param(1.5, marks=pytest.mark.exhaustive)])
def test_a_search_has_the_slope_of_its_backward_pass_where_differences_confirm_it(
    times: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Searched, "times", times)
    walk = gradwalk.walk(lambda x: Searched.apply(x).pow(2).sum(), torch.tensor([0.5, 1.5, 2.5]))
    assert walk.right is (times == 1.0), walk
    assert any("central differences confirm" in note for note in walk.notes) is (times == 1.0)


def test_an_input_that_the_model_gives_no_gradient_is_told_and_not_accused() -> None:
    """None comes back for it: so its owner says it. Asked of the function itself it is a path that is missing."""
    torch.manual_seed(2)
    function = own_functions.function(own_functions.dense, own_functions.forgotten)
    x, w, b = (torch.randn(*shape, requires_grad=True) for shape in ((4, 3), (3, 2), (2,)))
    walk = gradwalk.walk(lambda x: (function.apply(x, w, b) ** 2 + b).sum(), x)
    assert walk.right
    assert "b: None is returned: your model gives it no gradient, though the true one isn't zero." in repr(walk)
    assert gradwalk.check(lambda x: function.apply(x, w, b).sum(), x).questions == [f"{function.__name__}'s `b`"]
    assert not gradwalk.check(function.apply, x, w, b)


def test_one_that_was_kept_by_another_name_is_told_too_and_two_of_one_name_both() -> None:
    mixed = models.Sly.apply  # as PyTorch's own tutorial does
    walk = gradwalk.walk(lambda x: (mixed(x) * x).sum(), torch.randn(4))
    assert "Sly.backward: 1 of 1 gradients WRONG: x" in repr(walk)
    twins: list[Any] = [type("Sly", (models.Sly,), {}) for _ in range(2)]
    walk = gradwalk.walk(lambda x: sum(one.apply(x) * x for one in twins).sum(), torch.randn(4))
    assert repr(walk).count("Sly.backward: 1 of 1 gradients WRONG: x") == 2


class Unseen(models.Sly):
    """PyTorch sees nothing of its forward pass."""

    @staticmethod
    def forward(_: object, x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.sin(x.detach().numpy()))


def test_one_whose_forward_pass_cannot_be_told_is_refused_by_name() -> None:
    with pytest.raises(gradwalk.WalkError, match="Unseen"):
        gradwalk.walk(lambda x: Unseen.apply(x).sum(), torch.randn(4))


def test_a_part_is_walked_against_the_gradient_that_arrives_at_it() -> None:
    torch.manual_seed(0)
    model, x = nn.Sequential(nn.Linear(4, 6), Residual3(), nn.Linear(6, 2)), torch.randn(3, 4)
    walk = gradwalk.walk(model, x, loss=lambda out: out.square().sum(), only="1.inner")
    assert walk.right
    model(x).square().sum().backward()
    wanted = dict(model.named_parameters())["1.inner.weight"].grad
    torch.testing.assert_close(walk.by_label["1.inner.weight"], wanted, rtol=1e-4, atol=1e-6)
    assert len(walk.verdicts) == 3
    with pytest.raises(gradwalk.WalkError, match=r"There is no part 7; there are 0, 1, 1\.inner, 2"):
        gradwalk.walk(model, x, only="7")


def test_an_input_that_is_written_over_is_told_by_what_it_was() -> None:
    x = torch.tensor([0.5, -1.0])
    walk = gradwalk.walk(lambda x: (x.mul_(2.0) ** 2 * x.tanh()).sum(), x)
    assert walk.right
    assert x.tolist() == [0.5, -1.0]
    x.requires_grad_()
    ((x * 2.0) ** 2 * (x * 2.0).tanh()).sum().backward()
    torch.testing.assert_close(walk.by_label["x"], x.grad)


class Remembering(nn.Module):
    """A part that changes what it is given: a cache grows, and a tensor is written over."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def forward(self, x: torch.Tensor, cache: SimpleNamespace) -> torch.Tensor:
        cache.rows.append(self.inner(x + 1.0))
        x.mul_(2.0)
        return torch.cat(cache.rows) + x.sum()


class Rememberer(nn.Module):
    """Two of these, one after another, with a cache for both."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = Remembering(), Remembering()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        cache = SimpleNamespace(rows=[])
        return self.second(self.first(x * 1.0, cache) * 0.5, cache)


def test_a_part_is_given_again_what_it_was_given_and_not_what_it_made_of_it() -> None:
    torch.manual_seed(8)
    model, x = Rememberer(), torch.randn(2, 3)
    walk = gradwalk.walk(model, x, loss=lambda out: out.square().sum(), only="second")
    assert walk.right
    model(x).square().sum().backward()
    wanted = dict(model.named_parameters())["second.inner.weight"].grad
    torch.testing.assert_close(walk.by_label["second.inner.weight"], wanted, rtol=1e-4, atol=1e-6)


class Residual3(nn.Module):
    """A part in a part."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(6, 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + torch.tanh(self.inner(x))


def test_one_path_alone_is_walked_towards_a_parameter() -> None:
    torch.manual_seed(0)
    model, args, loss = models.autoencoder()
    whole = gradwalk.walk(model, *args, loss=loss)
    walk = gradwalk.walk(model, *args, loss=loss, towards="narrow.weight")
    assert [one.name for one in walk.verdicts] == ["narrow.weight"]
    assert len(walk.backward.splitlines()) < len(whole.backward.splitlines())
    assert torch.equal(walk.by_label["narrow.weight"], whole.by_label["narrow.weight"])
    with pytest.raises(gradwalk.WalkError, match=r"There is no wide\.wait; there are features, narrow\.weight"):
        gradwalk.walk(model, *args, loss=loss, towards="wide.wait")


def test_a_model_too_large_is_told_which_parts_would_fit() -> None:
    with torch.device("meta"):
        model = nn.Sequential(*(nn.Linear(5000, 5000) for _ in range(3)))
    with pytest.raises(gradwalk.WalkError, match=r'75 M parameters .* only=: "2" \(25.0 M\), "1" \(25.0 M\)'):
        gradwalk.walk(model, torch.randn(1, 5000))


def test_a_result_that_is_no_number_is_summed_and_said() -> None:
    walk = gradwalk.walk(nn.Linear(2, 3), torch.randn(4, 2))
    assert walk.notes == ["The result is no number: the loss is the sum of its cells."]
    with pytest.raises(gradwalk.WalkError, match="No gradient reaches"):
        gradwalk.walk(lambda y: F.one_hot(y, 3).float().sum(), torch.tensor([0, 1]))


def test_a_model_may_ask_its_input_for_a_gradient_itself() -> None:
    def model(x: torch.Tensor) -> torch.Tensor:
        h = x[:, None]
        h.requires_grad = True
        return (h * 2).exp().sum()

    x = torch.randn(3)
    walk = gradwalk.walk(model, x)
    assert walk.right, walk
    torch.testing.assert_close(walk.by_label["x"], 2 * (2 * x).exp())
    assert not x.requires_grad


def test_half_precision_is_judged_by_its_own_scale() -> None:
    torch.manual_seed(0)
    walk = gradwalk.walk(nn.Linear(4, 3).bfloat16(), torch.randn(2, 4).bfloat16(), loss=lambda out: out.square().sum())
    assert walk.right, walk
    assert any("half precision" in note for note in walk.notes)


def test_what_autocast_rounds_is_judged_by_that_scale() -> None:
    torch.manual_seed(0)
    model, y = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3)), torch.tensor([0, 2, 1, 1, 0])

    def loss(x: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = model(x)
        return F.cross_entropy(out.float(), y)

    walk = gradwalk.walk(loss, torch.randn(5, 4))
    assert walk.right, walk
    assert any("half precision" in note for note in walk.notes)


def test_a_gradient_that_is_sparse_is_held_by_all_its_cells() -> None:
    walk = gradwalk.walk(nn.Embedding(5, 3, sparse=True), torch.tensor([1, 2, 1]))
    assert walk.right, walk
    assert walk.by_label["weight"].sum(1).tolist() == [0, 6, 3, 0, 0]


def test_a_file_holds_the_walk_and_asks_for_nothing(tmp_path_factory: pytest.TempPathFactory) -> None:
    walk = of(models.autoencoder)
    file = walk.save(tmp_path_factory.mktemp("walk") / "walk.html")
    text = file.read_text()
    assert "default-src 'none'" in text.replace("&#x27;", "'")
    shown = walk._repr_html_()
    assert shown.startswith('<iframe title="Your model" sandbox="allow-scripts" srcdoc="')
    assert "allow-same-origin" not in shown[:200]


@pytest.mark.parametrize(("size", "seed"), [(1e3, 0), (1e6, 18)])
def test_what_rounding_carries_far_is_not_accused(size: float, seed: int) -> None:
    """Two rows are normalised: nearly all of a gradient cancels, here and in the model's own backward pass."""
    torch.manual_seed(seed)
    hidden = [nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Linear(4, 2)]
    model, x = nn.Sequential(*hidden), size * torch.randn(2, 3)
    walk = gradwalk.walk(model, x, loss=lambda out: F.cross_entropy(out, torch.tensor([0, 1])))
    assert walk.right, walk
    for name, own in walk.recording.own.items():
        if walk.judged[name].level != "zero" and own.abs().max() > 1e-3 * walk.own.largest:
            assert not walk.own.judge(name, 1.5 * own).right, name
