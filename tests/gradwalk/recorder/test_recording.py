"""One recorded run: what is refused before it and after it, what is noted of it, and what it leaves behind."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

import gradwalk
from gradwalk.recorder.recording import told

Tensor = torch.Tensor


def test_a_layer_that_has_no_size_yet_is_refused_by_its_name() -> None:
    model = nn.Sequential(nn.Linear(3, 4), nn.LazyLinear(2))
    with pytest.raises(gradwalk.WalkError, match=r"`1\.weight` has no size yet: run the model once"):
        gradwalk.walk(model, torch.ones(2, 3))
    model(torch.ones(2, 3))
    assert gradwalk.walk(model, torch.ones(2, 3)).right


def test_parameters_without_numbers_that_are_only_closed_over_are_refused_where_they_are_used() -> None:
    outline = nn.Linear(3, 2, device="meta")
    weight = torch.ones(2, 3, requires_grad=True)

    def replaced(x: Tensor) -> Tensor:
        return torch.func.functional_call(outline, {"weight": weight, "bias": torch.zeros(2)}, (x,)).pow(2).sum()

    assert gradwalk.walk(replaced, torch.ones(4, 3)).right
    with pytest.raises(gradwalk.WalkError, match="`meta`"):
        gradwalk.walk(lambda x: outline(x).sum(), torch.ones(4, 3))


def test_a_hook_that_changes_a_gradient_is_named_beside_the_difference() -> None:
    torch.manual_seed(0)
    layer, last = nn.Linear(3, 2), nn.Linear(2, 2)

    def hooked(x: Tensor) -> Tensor:
        h = layer(x)
        h.register_hook(lambda g: g * 2)
        return last(h.tanh()).sum()

    walk = gradwalk.walk(hooked, torch.randn(4, 3))
    assert not walk.right
    assert "A hook on the gradient of `h` is no line of the walk: it may change it." in walk.notes
    last.register_full_backward_hook(lambda *_: None)
    assert (
        "A hook on the gradient of `last` is no line of the walk: it may change it."
        in gradwalk.walk(lambda x: last(x).sum(), torch.randn(4, 2)).notes
    )


def test_a_line_of_the_model_is_not_quoted_without_end() -> None:
    quoted = told({"torch.odd": "x = " + "f(" * 500}).split("   in  ")[1]
    assert len(quoted) < 100
    assert quoted.endswith("…")


def test_arguments_that_can_be_read_once_alone_are_kept() -> None:
    """As `parameters()` are, of which a gradient is taken on the way."""
    layer = nn.Linear(3, 2)

    def penalised(x: Tensor) -> Tensor:
        once: Any = layer.parameters()
        found = torch.autograd.grad(F.silu(layer(x)).sum(), once, create_graph=True)
        return layer(x).sum() + sum(one.pow(2).sum() for one in found)

    walk = gradwalk.walk(penalised, torch.randn(4, 3))
    assert walk.right, walk


def test_an_input_for_which_pytorch_has_no_gradient_is_data() -> None:
    """As a loss's targets: which of several it is, is tried."""
    torch.manual_seed(0)
    x, y, w = torch.randn(3, 4), torch.randn(3, 4).sign(), torch.rand(3, 4)
    walk = gradwalk.walk(lambda w, x, y: (F.soft_margin_loss(x, y, reduction="none") * w).sum(), w, x, y)
    assert walk.right, walk
    assert walk.notes == ["PyTorch has no gradient for `y`: it is data."]
    leaf = x.clone().requires_grad_()
    (expected,) = torch.autograd.grad((F.soft_margin_loss(leaf, y, reduction="none") * w).sum(), leaf)
    assert [*walk.by_label] == ["w", "x"]
    torch.testing.assert_close(walk.by_label["x"], expected)
    with pytest.raises(gradwalk.WalkError, match="PyTorch has no gradient for one of the inputs"):
        gradwalk.walk(lambda y, z: F.soft_margin_loss(x, y) + F.soft_margin_loss(x, z), y, y)


@pytest.mark.parametrize("reentrant", [False, True])
def test_a_checkpoint_that_draws_is_told_nothing_of_what_is_computed_twice(reentrant: bool) -> None:
    torch.manual_seed(0)
    layers = nn.Sequential(nn.Linear(3, 3), nn.Dropout(0.3), nn.GELU())
    walk = gradwalk.walk(lambda x: checkpoint(layers, x * 1.0, use_reentrant=reentrant).sum(), torch.randn(2, 3))
    assert walk.right, walk


@pytest.mark.exhaustive
def test_a_compiled_model_is_walked_as_it_was_written() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
    walk = gradwalk.walk(torch.compile(model, backend="eager"), torch.randn(5, 4))
    assert walk.right, walk
    assert "torch.tanh(" in walk.forward
    note = "What `torch.compile` makes was not run: the lines are those of the model as it was written."
    assert note in walk.notes
    assert note in gradwalk.walk(torch.compile(lambda x: model(x).sum(), backend="eager"), torch.ones(5, 4)).notes
    assert note not in gradwalk.walk(model, torch.ones(5, 4)).notes
    assert set(walk.by_label) == {"input", *(f"_orig_mod.{name}" for name, _ in model.named_parameters())}
