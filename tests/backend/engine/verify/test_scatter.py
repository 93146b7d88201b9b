"""How far rounding carries a gradient is measured: what nearly cancels is accused of nothing, and a mistake in it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
import torch

from backend.engine.execute.session import ProgramRun, other_precision
from backend.engine.verify.compare import judge_all, verify
from backend.engine.verify.scatter import scatters
from backend.pipeline import planned
from backend.program.request import read
from backend.program.runs import execute

# Of two rows each column is normalised to about -1 and 1, whatever it holds: next to nothing comes back.
OF_TWO = """
h = torch.relu(F.batch_norm(x @ w + b, None, None, training=True))
y = F.batch_norm(h @ v, None, None, training=True)
loss = F.cross_entropy(y, t)
"""
# Two rows are the same, and a maximum takes one of them.
TIED = "loss = (x.max(0).values * torch.tensor([1.0, 2.0, 3.0])).sum() + 1e-9 * (x * x).sum()"
BAD = {"wrong", "shape"}


def run_of(source: str, **tensors: torch.Tensor) -> ProgramRun:
    roles = {"t": "target", "x": "data"}
    given = {name: {"role": roles.get(name, "parameter"), "values": one.tolist()} for name, one in tensors.items()}
    material = read({"source": source, "tensors": given})
    return execute(planned(material), material)


def normalised(seed: int, size: float) -> ProgramRun:
    made = torch.Generator().manual_seed(seed)
    x, w, b, v = (torch.randn(*shape, generator=made) for shape in ((2, 3), (3, 4), (4,), (4, 2)))
    return run_of(OF_TWO, x=size * x, w=w, b=b, v=v, t=torch.tensor([0, 1]))


def level_with(run: ProgramRun, name: str, change: Callable[[torch.Tensor], torch.Tensor]) -> str:
    """What is said where a gradient is changed, in both precisions."""
    autograd, gradients = other_precision(run)
    ours, others = ({**one, f"d{name}": change(one[f"d{name}"])} for one in (run.gradients, gradients))
    return judge_all(ours, run.forward.autograd, others, autograd, scattered=partial(scatters, run))[name].level


@pytest.mark.parametrize("size", [30.0, 1e3, 1e4, 1e6])
def test_a_normalisation_over_two_values_is_accused_of_nothing(size: float) -> None:
    for seed in range(4):
        levels = {name: one.level for name, one in verify(normalised(seed, size)).items()}
        assert not BAD & {*levels.values()}, (seed, levels)


@pytest.mark.parametrize("name", ["x", "w"])
def test_a_mistake_in_what_nearly_cancels_is_told(name: str) -> None:
    """At 30 there is a gradient of about a millionth; float64 has it to some digits, and the mistake is in them."""
    run = normalised(0, 30.0)
    assert level_with(run, name, lambda g: g) not in BAD
    for change in (lambda g: 1.001 * g, torch.zeros_like, torch.neg, lambda g: g.flip(0)):
        assert level_with(run, name, change) == "wrong"


def test_where_two_are_equal_nothing_is_carried() -> None:
    """Each maximum stays where it is, and a gradient that takes the other one of two is wrong."""
    run = run_of(TIED, x=torch.tensor([[1.0, 2.0, 3.0], [1.0, 0.0, 3.0]]))
    assert max(scatters(run, ["x"])["x"]) < 1e-12
    assert level_with(run, "x", lambda g: g.flip(0)) == "wrong"
