"""Why a gradient is not autograd's to the last bit: every one has a reason, and the reasons are true."""

from __future__ import annotations

import inspect
import math
from itertools import islice
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from backend.engine.ops import OPS
from backend.engine.verify.rounding import COPIES, FIXED, OTHER_ORDER, OTHER_SUM
from tests.support import op_samples, torch_reference
from tests.support.programs import REQUESTS, mostly, walk_for
from tests.support.solve import solve

DIFFERENTIABLE = [op for op in OPS if op.differentiable]
pytestmark = pytest.mark.filterwarnings("ignore:reduction")


def told(name: Any, exact: bool = False) -> Any:
    document = walk_for(name, exact)
    return {n["name"]: n["gradient"]["verdict"] for n in document["nodes"] if n["gradient"]}


@pytest.mark.parametrize("exact", [False, pytest.param(True, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("program", mostly(REQUESTS))
def test_every_rounding_has_its_reason(program: Any, exact: bool) -> None:
    for name, verdict in told(program, exact).items():
        because = verdict["because"]
        if verdict["kind"]:
            assert because.startswith("Every cell is exactly zero") or because.endswith(
                ("a real gradient wouldn't.", "a real gradient would be there in both.")
            )
            continue
        if verdict["level"] != "approximate":
            assert because.startswith(FIXED[verdict["level"]])
            continue
        assert because.startswith(("Rounded differently here: ", "It carries on the rounding of `d"))
        assert OTHER_ORDER not in because, f"{name}: {because}"
        assert because.endswith(".")
        assert "{" not in because
        assert len(because) > 40


def test_makemore_says_where_it_begins() -> None:
    verdicts = told("makemore")
    assert "tanh" in verdicts["hpreact"]["because"]
    assert verdicts["hpreact"]["because"].startswith("Rounded differently here")
    carried = [
        name for name, verdict in verdicts.items() if "carries on the rounding of `dhpreact`" in verdict["because"]
    ]
    assert len(carried) >= 10
    assert {verdict["level"] for verdict in told("makemore", exact=True).values()} == {"exact", "zero"}


@pytest.mark.parametrize("program", mostly(REQUESTS))
def test_what_is_carried_on_names_where_it_began(program: str) -> None:
    verdicts = told(program)
    variables = {name.replace("@", "_") for name in verdicts}
    for verdict in verdicts.values():
        if verdict["because"].startswith("It carries on"):
            began = verdict["because"].split("`")[1].removeprefix("d")
            assert began.rstrip("_") in variables or began in variables


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.__name__)
def test_a_rule_that_rounds_otherwise_says_why(op: Any, thorough: bool) -> None:
    """Each sample's gradient beside autograd's in float32, bit for bit; what is composed goes back by its steps.

    How it is spelled changes no bit: one spelling is tried, and all in `make test-all`.
    """
    if op.has_own("expansion") or op.why_not_exact:
        return
    for text in op.samples:
        sample = op_samples.read(text, op)
        calls = (call for spelling in op.written for call in op_samples.written(spelling, sample))
        programs = ((call, program) for call in calls if (program := op_samples.case(call, sample)))
        for call, program in programs if thorough else islice(programs, 1):
            solution = solve(program, dtype="float32")
            for name in torch_reference.wanted(program, torch_reference.tensors(program)):
                mine, autograd = solution.gradients[f"d{name}"], solution.forward.autograd[name]
                assert torch.equal(mine.nan_to_num(), autograd.nan_to_num()), f"{call} by {name}"


@pytest.mark.parametrize("op", [op for op in DIFFERENTIABLE if op.why_not_exact], ids=lambda op: op.__name__)
def test_reasons_are_clauses(op: Any) -> None:
    assert op.why_not_exact.startswith(("autograd", "torch"))
    assert not op.why_not_exact.endswith(".")


def drawn(*shape: Any, seed: int = 0) -> Any:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def autograd(function: Any, *tensors: Any) -> Any:
    leaves = [tensor.clone().requires_grad_() for tensor in tensors]
    out = function(*leaves)
    arriving = torch.rand(out.shape, generator=torch.Generator().manual_seed(9)) + 0.5
    return torch.autograd.grad(out, leaves[0], arriving)[0], arriving


X, Y = drawn(40, 30), drawn(40, 30, seed=1)
P = torch.rand(40, 30, generator=torch.Generator().manual_seed(2)) * 0.8 + 0.1
CELLS = X.numel()
# What each sentence says autograd does, done: it must give autograd's own bits.
DONE = {
    "Norm": (lambda x: x.norm(dim=1), X, lambda g: g[:, None] * (X / X.norm(dim=1, keepdim=True))),
    "Exp2": (torch.exp2, X, lambda g: g * torch.exp2(X) * math.log(2)),
    "MseLoss": (lambda x: F.mse_loss(x, Y), X, lambda g: (2 / CELLS) * (X - Y) * g),
    "SmoothL1Loss": (
        lambda x: F.smooth_l1_loss(x, Y),
        X,
        lambda g: torch.where((X - Y).abs() < 1, (1 / CELLS) * (X - Y) * g, torch.sign(X - Y) * (1 / CELLS) * g),
    ),
    "HuberLoss": (
        lambda x: F.huber_loss(x, Y),
        X,
        lambda g: torch.where((X - Y).abs() <= 1, (1 / CELLS) * (X - Y) * g, torch.sign(X - Y) * (1 / CELLS) * g),
    ),
    "BinaryCrossEntropy": (
        lambda x: F.binary_cross_entropy(x, P.flip(0)),
        P,
        lambda g: g * (P - P.flip(0)) / ((1 - P) * P).clamp(min=1e-12) / CELLS,
    ),
    "Std": (
        lambda x: x.std(1),
        X,
        lambda g: (2 / 29) * (g[:, None] / (X.std(1, keepdim=True) * 2)) * (X - X.mean(1, keepdim=True)),
    ),
    "Normalize": (
        F.normalize,
        X,
        lambda _: autograd(lambda x: x / x.norm(dim=1, keepdim=True).clamp_min(1e-12).expand_as(x), X)[0],
    ),
    "CosineSimilarity": (
        lambda x: F.cosine_similarity(x, Y),
        X,
        lambda _: autograd(
            lambda x: (
                (x / x.norm(dim=1, keepdim=True).clamp_min(1e-8)) * (Y / Y.norm(dim=1, keepdim=True).clamp_min(1e-8))
            ).sum(1),
            X,
        )[0],
    ),
    "RmsNorm": (
        lambda x: F.rms_norm(x, (30,)),
        X,
        lambda _: autograd(lambda x: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + torch.finfo(x.dtype).eps), X)[0],
    ),
    "KlDiv": (
        lambda x: F.kl_div(x, P, reduction="mean"),
        X,
        lambda _: autograd(lambda x: (torch.xlogy(P, P) - P * x).mean(), X)[0],
    ),
}


@pytest.mark.parametrize("name", DONE)
def test_reasons_are_true(name: Any) -> None:
    function, tensor, done = DONE[name]
    gradient, arriving = autograd(function, tensor)
    assert torch.allclose(done(arriving), gradient, rtol=1e-6, atol=0)
    assert torch.equal(done(arriving), gradient)


def test_paths_added_in_another_order_are_found() -> None:
    """Autograd's sum is taken for one of ours in another order: the reason says so, and no other does."""
    from backend.engine.verify.compare import judge_all
    from backend.engine.verify.rounding import reasons
    from backend.pipeline import run_of

    source = "a = x * 1.1\nb = x * 0.7\nc = x * 1.3\ny = a * w + b + c * 3.0\nloss = y.sum() + (x * w).sum()"
    tensors: dict[str, dict[str, Any]] = {"x": {"role": "parameter", "shape": [40], "init": "randn"}}
    tensors["w"] = tensors["x"] | {"seed": 5, "role": "data"}
    run = run_of({"source": source, "tensors": tensors})
    own = [kept.value for line, kept in zip(run.plan.lines, run.contributions, strict=True) if line.target.name == "x"]
    assert len(own) == 4
    run.forward.autograd["x"] = own[3] + own[2] + own[1] + own[0]
    assert not torch.equal(run.forward.autograd["x"], run.gradients["dx"])
    double = {name: gradient.double() for name, gradient in run.forward.autograd.items()}
    mine = {f"d{name}": gradient for name, gradient in double.items()}
    verdicts = judge_all(run.gradients, run.forward.autograd, mine, double)
    assert OTHER_SUM.replace("{count}", "4") in reasons(run, verdicts)["x"]
    run.forward.autograd["x"] = run.gradients["dx"] * (1 + 1e-7)
    verdicts = judge_all(run.gradients, run.forward.autograd, mine, double)
    assert "paths" not in reasons(run, verdicts)["x"]
    assert COPIES not in reasons(run, verdicts)["x"]


@pytest.mark.parametrize(
    "op", [op for op in OPS if any(one.key.startswith("F.") for one in op.signatures)], ids=lambda op: op.__name__
)
def test_what_may_stand_by_position_stands_there_in_torch(op: Any) -> None:
    """torch keeps places for arguments of long ago: `F.mse_loss(x, y, "sum")` is a mean."""
    for one in op.signatures:
        try:
            theirs = list(inspect.signature(getattr(F, one.key.removeprefix("F."))).parameters)
        except (ValueError, TypeError, AttributeError):
            continue
        if theirs == ["args", "kwargs"]:  # torch chooses between two functions
            continue
        mine = [name for name in one.parameters if name not in one.by_name]
        for place, name in enumerate(mine[2:], 2):
            assert theirs[place] == name, f"{one.key}: {name} stands where torch has {theirs[place]}"
