"""What the engine makes of a case: its lines and gradients through the lower-level functions, without the layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.differentiate.reverse import differentiate
from backend.engine.execute.run import Contribution, Forward, run_backward, run_forward
from backend.engine.language.parse import parse
from backend.engine.trace.graph import Graph
from backend.engine.trace.tracer import trace
from backend.program.request import read
from tests.support import torch_reference


@dataclass
class Solution:
    """A case parsed, traced, differentiated and run."""

    graph: Graph
    lines: list[Line]
    forward: Forward
    contributions: list[Contribution]
    gradients: dict[str, torch.Tensor]

    @property
    def backward_source(self) -> str:
        reached = {line.target for line in self.lines}
        extra = [f"d{alias} = d{node.variable}" for alias, node in self.graph.aliases.values() if node in reached]
        return "\n".join([line.code for line in self.lines] + extra) + "\n"

    def variables(self) -> dict[str, str]:
        """The variable of each node, by the node's name; aliases under the variable that they stand for."""
        named = {str(node.name): node.variable for node in self.graph.named}
        return named | {name: node.variable for name, (_, node) in self.graph.aliases.items()}


def solve(case: torch_reference.Case, exact: bool = False, dtype: str = "float64") -> Solution:
    material = read({**case, "exact": exact, "dtype": dtype})
    graph = trace(parse(material.source), material.inputs, material.constants, material.loss, material.tensors)
    lines = differentiate(graph, exact)
    forward = run_forward(graph, material.tensors, material.dtype)
    backward = run_backward(lines, forward.values, material.dtype)
    return Solution(graph, lines, forward, backward.contributions, backward.gradients)


def problems(
    case: torch_reference.Case, exact: bool = False, tolerance: float = 1e-7, dtype: str = "float64"
) -> list[str]:
    """All that is wrong with the engine's answer to a case, beside plain PyTorch: an empty list where nothing is."""
    return problems_of(case, solve(case, exact, dtype), tolerance, dtype)


def problems_of(case: torch_reference.Case, solution: Solution, tolerance: float, dtype: str) -> list[str]:
    """All that is wrong with one answer of the engine's."""
    kind = {"float64": torch.float64, "float32": torch.float32}[dtype]
    want = torch_reference.reference(case, kind)
    after = torch_reference.printed(case, solution.graph.forward_source, solution.backward_source, kind)
    variables, wrong = solution.variables(), []
    for line, kept in zip(solution.lines, solution.contributions, strict=True):
        if tuple(kept.value.shape) != line.target.shape:
            wrong.append(f"{line.code!r} contributes {tuple(kept.value.shape)} to {line.target.shape}")
    for name, (value, gradient) in want.items():
        if name not in variables:
            wrong += [f"{name}: no such node"] if gradient is not None else []
            continue
        variable = variables[name]
        wrong += differing(f"value of {name}", solution.forward.tensors[variable], value, 0.0)
        if gradient is None:
            continue
        wrong += differing(f"d{variable}", solution.gradients.get(f"d{variable}"), gradient, tolerance)
        wrong += differing(f"printed d{variable}", after.get(f"d{variable}"), gradient, tolerance)
    return wrong


def differing(what: str, mine: Any, other: torch.Tensor, tolerance: float) -> list[str]:
    if not isinstance(mine, torch.Tensor):
        return [f"{what} is missing"]
    if mine.shape != other.shape or mine.dtype != other.dtype:
        return [f"{what} is {tuple(mine.shape)} {mine.dtype}, not {tuple(other.shape)} {other.dtype}"]
    if not other.numel() or torch.equal(mine, other):
        return []
    scale = other.abs().nan_to_num(0.0, 0.0, 0.0).max().item() if other.is_floating_point() else 0.0
    far = torch_reference.scaled_error(mine.double(), other.double()).max().item()
    relative = far / min(scale, 1.0) if scale > 1e-6 else far
    return [f"{what} differs by {far:.2e}"] if relative > tolerance else []
