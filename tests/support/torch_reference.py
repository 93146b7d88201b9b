"""Plain PyTorch beside the engine: programs run by `exec`, autograd, central differences; none of it the engine's."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F

Case = dict[str, Any]
Tensors = dict[str, torch.Tensor]
INIT: dict[str, Callable[..., torch.Tensor]] = {
    "randn": lambda shape, g, _: torch.randn(shape, generator=g),
    "rand": lambda shape, g, _: torch.rand(shape, generator=g),
    "zeros": lambda shape, *_: torch.zeros(shape),
    "ones": lambda shape, *_: torch.ones(shape),
    "arange": lambda shape, *_: torch.arange(math.prod(shape)).reshape(shape).float(),
    "randint": lambda shape, g, spec: torch.randint(spec.get("low", 0), spec["high"], shape, generator=g),
}


def tensor(spec: Case, dtype: torch.dtype = torch.float64) -> torch.Tensor:
    """The tensor that a request's spec describes, as the HTTP interface's document says it."""
    if "values" in spec:
        made = torch.tensor(spec["values"])
        return torch.tensor(spec["values"], dtype=dtype) if made.is_floating_point() else made
    generator = torch.Generator().manual_seed(spec.get("seed", 0))
    made = INIT[spec["init"]](tuple(spec["shape"]), generator, spec)
    if not made.is_floating_point():
        return made
    return (made * spec.get("scale", 1.0) + spec.get("shift", 0.0)).to(dtype)


def tensors(case: Case, dtype: torch.dtype = torch.float64) -> Tensors:
    return {name: tensor(spec, dtype) for name, spec in case["tensors"].items()}


def wanted(case: Case, given: Tensors) -> list[str]:
    """The inputs that get a gradient."""
    return [n for n, t in given.items() if t.is_floating_point() and case["tensors"][n].get("role") != "target"]


def scope(case: Case, given: Mapping[str, object]) -> dict[str, Any]:
    return {"torch": torch, "F": F, "math": math, **case.get("constants", {}), **given}


class DefaultDtype:
    """`with DefaultDtype(torch.float64):` tensors made from nothing are of that type."""

    def __init__(self, dtype: torch.dtype) -> None:
        self.dtype, self.before = dtype, torch.get_default_dtype()

    def __enter__(self) -> None:
        torch.set_default_dtype(self.dtype)

    def __exit__(self, *_: object) -> None:
        torch.set_default_dtype(self.before)


class Recorder:
    """Runs a program statement by statement and keeps every version of every name it assigns."""

    def __init__(self, case: Case, given: Tensors) -> None:
        self.scope = scope(case, given)
        self.seen: Tensors = dict(given)
        self.last = ""

    def run(self, body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.For):
                assert isinstance(node.target, ast.Name)
                for number in eval(compile(ast.Expression(node.iter), "case", "eval"), self.scope):
                    self.scope[node.target.id] = number
                    self.run(node.body)
                continue
            exec(compile(ast.Module([node], []), "case", "exec"), self.scope)
            for target in node.targets if isinstance(node, ast.Assign) else []:
                for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                    assert isinstance(name, ast.Name)
                    self.keep(name.id)

    def keep(self, name: str) -> None:
        value = self.scope[name]
        if not isinstance(value, torch.Tensor):
            return
        if value.requires_grad and not value.is_leaf:
            value.retain_grad()
        version = sum(key.partition("@")[0] == name for key in self.seen) + 1
        self.last = name if version == 1 else f"{name}@{version}"
        self.seen[self.last] = value


def reference(case: Case, dtype: torch.dtype = torch.float64) -> dict[str, tuple[torch.Tensor, torch.Tensor | None]]:
    """{name: (value, autograd's gradient or None)} for every tensor that the program names, run as plain Python."""
    given = tensors(case, dtype)
    for name in wanted(case, given):
        given[name].requires_grad_()
    recorder = Recorder(case, given)
    with DefaultDtype(dtype):
        recorder.run(ast.parse(case["source"]).body)
        recorder.seen[case.get("loss") or recorder.last].backward()
    return {name: (t.detach(), t.grad) for name, t in recorder.seen.items()}


def value_of(case: Case, given: Tensors) -> float:
    """The loss for these tensors."""
    recorder = Recorder(case, given)
    with torch.no_grad(), DefaultDtype(torch.float64):
        recorder.run(ast.parse(case["source"]).body)
    return recorder.seen[case.get("loss") or recorder.last].item()


STENCILS = ((1e-5, ((1, 0.5), (-1, -0.5))), (1e-3, ((1, 2 / 3), (-1, -2 / 3), (2, -1 / 12), (-2, 1 / 12))))


def central(case: Case, name: str) -> list[torch.Tensor]:
    """Central differences of the loss by one input, in float64: two points at 1e-5, and four points at 1e-3."""
    given = tensors(case)
    flat = given[name].reshape(-1)
    results = []
    for step, stencil in STENCILS:
        slopes = torch.zeros_like(flat)
        for cell in range(flat.numel()):
            for offset, weight in stencil:
                moved = flat.clone()
                moved[cell] += offset * step
                slopes[cell] += weight * value_of(case, given | {name: moved.reshape(given[name].shape)}) / step
        results.append(slopes.reshape(given[name].shape))
    return results


def scaled_error(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """|a - b| / max(1, |a|, |b|), cell by cell; zero where both are the same non-finite value."""
    size = torch.maximum(torch.maximum(a.abs(), b.abs()), torch.ones_like(a))
    same = (a == b) | (a.isnan() & b.isnan())
    return torch.where(same, 0.0, ((a - b).abs() / size).nan_to_num(math.inf, math.inf, math.inf))


def error_beside(slopes: list[torch.Tensor], gradient: torch.Tensor) -> float:
    """How far a gradient is from the better of the two stencils' slopes, at its worst cell."""
    errors = torch.stack([scaled_error(gradient, one) for one in slopes])
    return float(errors.amin(0).max()) if gradient.numel() else 0.0


def printed(
    case: Case, forward_source: str, backward_source: str, dtype: torch.dtype = torch.float64
) -> dict[str, Any]:
    """Everything in scope after the printed forward and backward lines ran one after the other in plain PyTorch."""
    after = scope(case, tensors(case, dtype))
    with torch.no_grad(), DefaultDtype(dtype):
        exec(forward_source, after)
        exec(backward_source, after)
    return after


def is_true(claim: str, scope: Mapping[str, Any]) -> bool:
    """Whether a claim of a lesson, such as `probs.sum(1) == 1`, is true of these values, rounding aside."""
    left, equals, right = claim.partition(" == ")
    with torch.no_grad(), DefaultDtype(torch.float64):
        if not equals or left.count("(") != left.count(")"):
            return bool(torch.as_tensor(eval(claim, dict(scope))).all())
        one, other = (torch.as_tensor(eval(side, dict(scope)), dtype=torch.float64) for side in (left, right))
        return torch.allclose(one, other.expand_as(one) if other.dim() == 0 else other, rtol=1e-5, atol=1e-9)
