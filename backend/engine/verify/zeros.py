"""True zeros: the reason why a gradient is zero, and the colour scale for its rounding residue."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch

from backend.engine.differentiate.lines import Line, standing_alone
from backend.engine.execute.plan import Plan
from backend.engine.execute.session import ProgramRun
from backend.engine.interpret.evaluate import DefaultDtype, Evaluator
from backend.engine.language.on_demand import OnDemand
from backend.engine.language.pytree import as_tensor
from backend.engine.language.tree import Assignment, loaded_in, names_in
from backend.engine.language.wording import number_text, plural
from backend.engine.ops.stretch import stretched_axes
from backend.engine.trace.graph import Node
from backend.engine.verify.compare import Verdict, Verdicts
from backend.engine.verify.measure import Array, largest

CARRIED = "The gradient of `{above}` is truly zero, and only its rounding arrives here."
SAME = "Adding the same number to {places} of `{shifted}`"
MEAN = SAME + " changes nothing: `{result}` subtracts their mean again, so the true gradient is zero."
SOFTMAX = SAME + " changes none of `{result}`, which is their softmax, so the true gradient is zero."
CANCEL = "The gradients of its {count} copies cancel in the sum, so the true gradient is zero."
PLAIN = "The true gradient is zero."
SHRINKS = "In float64 what is left shrinks from {coarse} to {fine}; a real gradient wouldn't."
STAYS = "Rounding leaves {fine} in float64 and nothing in float32; a real gradient would be there in both."
RULE_ABOVE = "Every cell is exactly zero, because every cell of `d{above}` is."
RULE = "Every cell is exactly zero: `{code}` passes nothing back here."
SPARED = "Every cell is exactly zero: `{code}` passes on only cells of `{arriving}` that are zero."
MET = "Every cell is exactly zero: the gradients that come together in it cancel."
PATHS = "Every cell is exactly zero: its {count} paths cancel."

GOLDEN = 0.6180339887498949


@dataclass(frozen=True)
class Copies:
    """The copies of a broadcast tensor that a line goes back through: along which axes of its result, and how many.

    `adds` says whether the line brings nothing but the result's gradient.
    """

    result: Node
    axes: list[int]
    count: int
    adds: bool


@dataclass(frozen=True)
class Zeros:
    """Explains the zero gradients of one run that has verdicts."""

    run: ProgramRun
    verdicts: Verdicts

    @cached_property
    def lines(self) -> dict[str, list[int]]:
        """The line numbers of each variable's gradient."""
        return self.run.plan.once(_lines)

    def scale(self, variable: str) -> float | None:
        """The value of full colour for a rounding residue: the largest upstream gradient; None for other gradients."""
        if self.verdicts[variable].kind != "residue":
            return None
        sizes = [self._size(above) for number in self.lines[variable] for above in self._above(number)]
        return max(sizes, default=0.0) or 1.0

    def _above(self, number: int) -> list[str]:
        """The variables whose gradients a line passes on; the loss may not depend on some part of a tensor."""
        return [node.variable for node in self._line(number).results if node.variable in self.verdicts]

    def _size(self, variable: str) -> float:
        return self.scale(variable) or self._magnitude(variable)

    def _magnitude(self, variable: str) -> float:
        gradient = self.run.forward.autograd.get(variable)
        return 0.0 if gradient is None else largest(gradient.numpy())

    def because(self, variable: str, verdict: Verdict) -> str:
        """The sentence why a gradient is zero."""
        if verdict.kind == "rule":
            return self._by_rule(variable)
        lead = self._carried(variable) or self._cancelling(variable) or PLAIN
        sizes = {"coarse": number_text(verdict.residue or 0.0, 2), "fine": number_text(verdict.residue64 or 0.0, 2)}
        return f"{lead} {(SHRINKS if verdict.residue else STAYS).format(**sizes)}"

    def _by_rule(self, variable: str) -> str:
        numbers = self.lines[variable]
        if any(self.run.contributions[number].value.any() for number in numbers):
            return PATHS.format(count=len(numbers))
        line = self._line(numbers[0])
        chunk = line.through
        assert chunk is not None  # the loss's own gradient is 1
        above = self._above(numbers[0])
        if above and all(self.verdicts[name].kind == "rule" for name in above):
            return RULE_ABOVE.format(above="` and of `d".join(above))
        statements = standing_alone(self.run.plan.lines, numbers[0])
        arriving = sorted(self.run.gradients.keys() & set(loaded_in(*statements)) - {line.variable})
        facts = {"code": " ".join(chunk.code.partition("#")[0].split()), "arriving": "`, `".join(arriving)}
        return self._passing(line, statements, arriving).format(**facts)

    def _passing(self, line: Line, statements: list[Assignment], arriving: list[str]) -> str:
        """Whether a line that brings zeros would bring any to what it reads, and whether some cancel in it."""
        given = [self.run.gradients[name] for name in arriving]
        if not any(gradient.any() for gradient in given):
            return RULE
        ones = [torch.ones_like(gradient) for gradient in given]
        if not self._brings(line, statements, arriving, ones):
            return RULE
        nonzero = [gradient != 0 for gradient in given]
        return MET if self._brings(line, statements, arriving, nonzero) else SPARED

    def _brings(self, line: Line, statements: list[Assignment], arriving: list[str], masks: list[torch.Tensor]) -> bool:
        """Whether a line brings anything where numbers that don't cancel stand in these cells of what it reads."""
        scope, dtype = {**self.run.forward.values, **self.run.gradients}, self.run.material.dtype
        scope[line.variable] = torch.zeros(line.target.shape, dtype=dtype)
        for name, mask in zip(arriving, masks, strict=True):
            scope[name] = _uneven(mask.shape).to(dtype) * mask
        evaluator = Evaluator(scope)
        with torch.no_grad(), DefaultDtype(dtype):
            evaluator.run(statements)
        return bool(as_tensor(evaluator.scope[line.variable]).any())

    def _carried(self, variable: str) -> str:
        above = list(dict.fromkeys(name for number in self.lines[variable] for name in self._above(number)))
        zeros = [self.verdicts[name].level == "zero" for name in above]
        return CARRIED.format(above="` and of `".join(above)) if above and all(zeros) else ""

    def _cancelling(self, variable: str) -> str:
        """Why the gradients of a broadcast tensor's copies cancel, as before a softmax or a subtracted mean."""
        numbers = self.lines[variable]
        copies = self.run.plan.once(_copies)[numbers[0]]
        if len(numbers) > 1 or copies is None:
            return ""
        return (copies.adds and self._indifferent(copies.result, copies.axes)) or CANCEL.format(count=copies.count)

    def _indifferent(self, shifted: Node, axes: list[int]) -> str:
        value, along = self._value(shifted), tuple(axes)
        with np.errstate(invalid="ignore"):  # masks may hold −∞
            for sentence, without in ((MEAN, _centred), (SOFTMAX, _shares)):
                wanted = _Near(without(value, along))
                for node in self.run.plan.graph.named:
                    if node is not shifted and node.shape == value.shape and wanted.is_met(self._numbers(node)):
                        places = " and ".join(f"all {plural(shifted.dims[axis], shifted.shape[axis])}" for axis in axes)
                        return sentence.format(places=places, shifted=shifted.variable, result=node.variable)
        return ""

    def _value(self, node: Node) -> Array:
        return self._numbers(node).astype(np.float64)

    def _numbers(self, node: Node) -> Array:
        # In numpy: torch would wake its threads for it, which takes longer than all the rest of a document.
        return self.run.forward.tensors[node.variable].numpy()

    def _line(self, number: int) -> Line:
        return self.run.plan.lines[number]


def _lines(plan: Plan) -> dict[str, list[int]]:
    """The line numbers of each variable's gradient."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(plan.lines):
        if not line.inner:
            found.setdefault(line.target.variable, []).append(number)
    return found


def _copies(plan: Plan) -> Sequence[Copies | None]:
    """The copies that each line goes back through, if there are any."""
    return OnDemand(len(plan.lines), lambda number: _copies_of(plan.lines[number]))


def _copies_of(line: Line) -> Copies | None:
    expand = next((node for node in line.nodes if node.is_broadcast), None)
    if expand is None or line.through is None:
        return None
    axes = [axis for axis, _ in stretched_axes(expand.inputs["x"].shape, expand.shape)]
    result = line.through.node
    adds = result.shape == expand.shape and names_in(line.expr) == {f"d{result.variable}"}
    return Copies(result, axes, math.prod(expand.shape[axis] for axis in axes), adds)


def _uneven(shape: torch.Size) -> torch.Tensor:
    """Positive numbers in a shape, with nothing in common."""
    places = torch.arange(math.prod(shape), dtype=torch.float64)
    return (1.0 + (places * GOLDEN) % 1.0).reshape(shape)


def _centred(value: Array, along: tuple[int, ...]) -> Array:
    """Numbers less their mean."""
    centred: Array = value - np.add.reduce(value, along, keepdims=True) / math.prod(value.shape[axis] for axis in along)
    return centred


def _shares(value: Array, along: tuple[int, ...]) -> Array:
    """Their softmax."""
    shares: Array = np.exp(value - np.maximum.reduce(value, along, keepdims=True))
    shares /= np.add.reduce(shares, along, keepdims=True)
    return shares


class _Near:
    """Numbers that others may be close to in every cell; most are not in the first one."""

    def __init__(self, wanted: Array) -> None:
        self.wanted, self.first, self.most = wanted, float(wanted.flat[0]), 1e-5 * float(np.abs(wanted).max())

    def is_met(self, cells: Array) -> bool:
        """Whether they are."""
        return abs(float(cells.flat[0]) - self.first) <= self.most and bool(
            np.abs(cells - self.wanted).max() <= self.most
        )
