"""Calls that the language lacks: told in others, each held against a run that nobody recorded; and planted wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

import gradwalk
from gradwalk.recorder import lowerings, spelling
from gradwalk.recorder.memory import Memory

Tensor = torch.Tensor
Shapes = tuple[tuple[int, ...], ...]


def packed(layer: nn.RNNBase) -> Callable[[Tensor], Tensor]:
    """A recurrent layer of sequences that end at different steps."""

    def run(x: Tensor) -> Tensor:
        out, state = layer(nn.utils.rnn.pack_padded_sequence(x, torch.tensor([2, 4, 3]), enforce_sorted=False))
        last = state[-1] if isinstance(state, tuple) else state
        return nn.utils.rnn.pad_packed_sequence(out, padding_value=1.0)[0].pow(2).sum() + last.pow(3).sum()

    return run


def covariance(x: Tensor, mean: Tensor) -> Tensor:
    """What a distribution makes of a matrix."""
    normal = torch.distributions.MultivariateNormal(mean, x @ x.T + torch.eye(3))
    return -normal.log_prob(torch.ones(3))


def by_frequency(x: Tensor) -> Tensor:
    """A table of which a word is read twice."""
    return F.embedding(torch.tensor([[0, 2], [0, 1]]), x, scale_grad_by_freq=True).pow(2).sum()


def spectral(x: Tensor, weight: Tensor) -> Tensor:
    """Each frequency has a weight of its own."""
    waves = torch.fft.rfft(x, dim=-1) * torch.view_as_complex(weight)
    power = (waves.real**2 + waves.imag**2).sum()
    mixed = torch.einsum("if,of->io", waves, waves.conj()).abs().sum()
    return torch.fft.irfft(waves[:, :3], n=8).sin().sum() + power.sqrt() + mixed


def turned(x: Tensor) -> Tensor:
    """Written into what looks at the cells another way, which are then looked at in their own."""
    h = (x * 2).T
    h[0] = x[:, 0] ** 2
    return h.T.view(-1).sin().sum()


SQUARE: Shapes = ((3, 3),)
CALLS: dict[str, tuple[Callable[..., Tensor], Shapes]] = {
    "median": (lambda x: x.median().pow(2) + x.median(1)[0].pow(3).sum(), ((3, 5),)),
    "nanmedian": (
        lambda x: torch.nanmedian(torch.cat([x, torch.full((2, 5), torch.nan)])).pow(2) + x.nanmedian(1)[0].sin().sum(),
        ((3, 5),),
    ),
    "xlog1py": (lambda x, y: torch.special.xlog1py(x.relu(), y.exp()).pow(2).sum(), ((4,), (4,))),
    "module": (
        lambda x: torch.func.functional_call(nn.Linear(3, 2, bias=False), {"weight": x}, torch.ones(3)).pow(2).sum(),
        ((2, 3),),
    ),
    "kthvalue": (lambda x: x.kthvalue(2)[0].pow(2).sum() + torch.kthvalue(x, 1, 0, True)[0].sin().sum(), ((3, 5),)),
    "quantile": (lambda x: x.quantile(0.3).pow(2) + x.quantile(0.9, dim=0, keepdim=True).pow(3).sum(), ((3, 7),)),
    "distances": (lambda x, y: torch.cdist(x, y, p=1).sin().sum() + F.pdist(x).pow(2).sum(), ((3, 2), (4, 2))),
    "inverse": (lambda x: torch.cholesky_inverse(torch.linalg.cholesky(x @ x.T + torch.eye(3))).sin().sum(), SQUARE),
    "covariance": (covariance, ((3, 3), (3,))),
    "by_frequency": (by_frequency, ((3, 4),)),
    "cholesky_of_a_symmetric_one": (lambda x: torch.linalg.cholesky(x @ x.T + torch.eye(3)).sin().sum(), SQUARE),
    "diagonal_in_place": (lambda x: (x * 2).fill_diagonal_(0.5).pow(3).sum(), SQUARE),
    "sparse": (lambda x: torch.sparse.mm(torch.eye(3).to_sparse() * 2, x).pow(2).sum(), SQUARE),
    "sparse_rows": (lambda x: (torch.eye(3).to_sparse_csr() @ x).pow(2).sum() + (x @ torch.eye(3)).sum(), SQUARE),
    "quantised": (lambda x: torch.fake_quantize_per_tensor_affine(x, 0.2, 0, -4, 4).pow(3).sum(), SQUARE),
    "shortened": (
        lambda x: F.embedding(torch.tensor([0, 2, 2]), x * 3, padding_idx=1, max_norm=1.0).pow(3).sum(),
        SQUARE,
    ),
    "padded": (lambda x: nn.utils.rnn.pad_sequence([x[:2], x, x[1:]], padding_value=2.0).pow(3).sum(), SQUARE),
    "put": (lambda x, y: x.put(torch.tensor([4, 1]), y).pow(3).sum(), ((2, 3), (2,))),
    "diagonal": (lambda x, y: x.diagonal_scatter(y).pow(3).sum(), ((3, 3), (3,))),
    "complex": (lambda x, y: ((torch.complex(x, y) ** 3).abs() + torch.polar(x.exp(), y).real).sum(), ((4,), (4,))),
    "mixed": (lambda x, y: (torch.polar(x.exp(), y) * x / (torch.complex(y, x) + 2.0)).exp().abs().sum(), ((4,), (4,))),
    "spectrum": (spectral, ((2, 6), (2, 4, 2))),
    "mixing": (lambda x: torch.fft.fft(torch.fft.fft(x), dim=1, norm="ortho").real.sin().sum(), ((2, 3, 4),)),
    "several_axes": (lambda x: torch.fft.irfft2(torch.fft.rfft2(x) * 1j, s=(3, 5)).sin().sum(), ((2, 3, 5),)),
    "experts": (
        lambda x, y: torch._grouped_mm(x, y, offs=torch.tensor([1, 1, 4], dtype=torch.int32)).sin().sum(),
        ((4, 8), (3, 8, 8)),
    ),
    "overlapping": (lambda x: x.T.as_strided((3, 4), (2, 1)).pow(3).sum(), ((3, 4),)),
    "turned": (turned, ((2, 3),)),
    "checkpoint": (lambda x: checkpoint(lambda one: one.tanh().exp(), x, use_reentrant=False).sum(), ((3,),)),
    "in_place": (
        lambda x, y: F.gaussian_nll_loss(x, torch.ones(3, 2), y.exp(), full=True),
        ((3, 2), (3, 1)),
    ),
}


@pytest.mark.filterwarnings("ignore:Sparse CSR")
@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_told_in_others(name: str) -> None:
    torch.manual_seed(4)
    function, shapes = CALLS[name]
    given = [torch.randn(shape) for shape in shapes]
    walk = gradwalk.walk(function, *given)
    assert walk.right, walk
    leaves = [one.clone().requires_grad_() for one in given]
    for ours, theirs in zip(walk.by_label.values(), torch.autograd.grad(function(*leaves), leaves), strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("kind", "more"), [(nn.LSTM, {"proj_size": 2}), (nn.GRU, {"bias": False})])
def test_sequences_of_different_lengths(kind: Callable[..., nn.RNNBase], more: dict[str, Any]) -> None:
    """With dropout between the layers, an LSTM's narrower state and a GRU without biases."""
    torch.manual_seed(4)
    layer, x = kind(2, 3, 2, bidirectional=True, dropout=0.4, **more), torch.randn(4, 3, 2)
    run = packed(layer)
    state = torch.get_rng_state()
    walk = gradwalk.walk(run, x)
    assert walk.right, walk
    torch.set_rng_state(state)
    leaf = x.clone().requires_grad_()
    wanted = torch.autograd.grad(run(leaf), [leaf, *layer.parameters()])
    names = ["x", *(f"layer.{name}" for name, _ in layer.named_parameters())]
    for name, gradient in zip(names, wanted, strict=True):
        torch.testing.assert_close(walk.by_label[name], gradient, rtol=1e-4, atol=1e-6)


def test_a_table_whose_rows_are_shortened_is_left_as_it_was() -> None:
    torch.manual_seed(4)
    table = nn.Embedding(4, 3, padding_idx=2, max_norm=0.5)
    before = table.weight.detach().clone()
    walk = gradwalk.walk(table, torch.tensor([[0, 2, 0], [1, 2, 3]]), loss=lambda out: out.pow(3).sum())
    assert walk.right, walk
    assert torch.equal(table.weight, before)


def test_no_cells_written_into_a_constant() -> None:
    """As the loops of a graph that has none."""

    def loops(x: Tensor) -> Tensor:
        made = torch.ones(3)
        made[torch.tensor([], dtype=torch.long)] = x[x > 100]
        return (made * x).sum()

    walk = gradwalk.walk(loops, torch.randn(3))
    assert walk.right, walk


def test_what_is_drawn_in_place_is_drawn_again() -> None:
    torch.manual_seed(4)
    model = nn.Sequential(nn.Linear(4, 50), nn.Dropout(0.5, inplace=True))
    walk = gradwalk.walk(model, torch.randn(2, 4), loss=lambda out: out.pow(2).sum())
    assert walk.right, walk


def test_a_call_on_more_than_a_server_takes_is_written_down_here() -> None:
    """The room is the owner's for what is tried as for the whole."""
    x = torch.ones(2**20 + 1)
    walk = gradwalk.walk(lambda x: x.tanh().sum(), x)
    assert walk.right


def test_a_number_that_only_float64_holds_is_infinite_in_the_other() -> None:
    least = torch.finfo(torch.float64).min
    walk = gradwalk.walk(lambda x: x.clamp(min=least).pow(2).sum(), torch.randn(3, dtype=torch.float64))
    assert walk.right
    assert "min=-math.inf" in walk.forward


@pytest.mark.filterwarnings("ignore:non-inplace resize_as")
def test_a_result_that_pytorch_makes_room_for_is_no_crash() -> None:
    with pytest.raises(gradwalk.WalkError, match="CrossMapLRN2d"):
        gradwalk.walk(nn.CrossMapLRN2d(3, alpha=1.0), torch.randn(1, 4, 2, 2))


# What is planted wrong is told: by the values where they differ, by the model's own gradients where only those do.
def told(function: Callable[..., Tensor], *args: Tensor) -> str:
    """What is said of a walk that isn't right; empty of one that is."""
    try:
        walk = gradwalk.walk(function, *args)
    except gradwalk.WalkError as refused:
        return str(refused)
    return "" if walk.right else repr(walk)


def test_a_lowering_with_the_right_values_and_a_wrong_gradient_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    right = lowerings.LOWERED["gru_cell"]
    cell, given = nn.GRUCell(3, 4), (torch.randn(2, 3), torch.randn(2, 4))
    assert not told(cell, *given)
    monkeypatch.setitem(lowerings.LOWERED, "gru_cell", lambda x, h, *weights: right(x, (h + h.detach()) / 2, *weights))
    assert "DIFFER from your model's own: hx" in told(cell, *given)
    monkeypatch.setitem(lowerings.LOWERED, "gru_cell", lambda x, h, *weights: right(x, h.detach(), *weights))
    assert "A gradient reaches hx, and the recorded program doesn't read it." in told(cell, *given)


def test_an_alias_for_another_call_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same numbers where all are positive, and another function: only a gradient tells."""
    keys = spelling.keys_of

    def mistaken(name: str, word: str) -> tuple[str, ...]:
        return keys(name, word) if word != "floor" else ("torch.relu",)

    x = torch.tensor([1.0, 2.0, 3.0])
    assert not told(lambda x: (x.floor() * x).sum(), x)
    monkeypatch.setattr(spelling, "keys_of", mistaken)
    assert "1 of 1 gradients DIFFER from your model's own: x" in told(lambda x: (x.floor() * x).sum(), x)


def test_an_alias_of_a_tensor_that_was_written_into_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that is taken for what it was before: the first call that reads it computes something else."""

    def written(x: Tensor) -> Tensor:
        out = x * 2
        row = out[0]
        out.mul_(3)
        return (row * row).sum() + out.sum()

    x = torch.randn(2, 3)
    assert not told(written, x)
    monkeypatch.setattr(Memory, "renewed", lambda _memory, _tensor, known: known.value)
    assert "Tensor.mul   in  return (row * row).sum() + out.sum()" in told(written, x)


def test_a_contiguous_tensor_has_a_gradient_of_its_own() -> None:
    """PyTorch hands back the very tensor where the strides of its outline, (x + 1) of one example, say it won't."""

    def in_order(x: torch.Tensor, b: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        h = torch.cat([x.transpose(1, 2).reshape(1, 8, 4, 4) + 1, b.transpose(1, 2).reshape(1, 8, 4, 4) + 2], 1)
        z = F.silu(h)
        y = h.contiguous()
        return F.conv2d(y, w).square().sum() + z.sum()

    torch.manual_seed(0)
    walk = gradwalk.walk(in_order, torch.randn(1, 16, 8), torch.randn(1, 16, 8), torch.randn(3, 16, 1, 1))
    assert walk.right, str(walk)


def test_a_converted_tensor_has_a_gradient_of_its_own() -> None:
    """In float64 as in float32 the walk keeps it in one kind, where PyTorch hands back the very tensor."""

    def converted(x: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
        step = (t * t).clamp(max=2.0)
        return (x * step.to(torch.float32)).pow(2).sum() + (step * 3).sin()

    walk = gradwalk.walk(converted, torch.randn(3), torch.tensor(0.7, dtype=torch.float64))
    assert walk.right, str(walk)
