"""Origins of NaN and infinity: each is traced back to the first line that produced one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import torch

from backend.engine.execute.session import ProgramRun
from backend.engine.language.tree import names_in
from backend.engine.language.wording import cell_text
from backend.engine.verify.measure import grouped, joined

Which = Literal["value", "gradient"]
Quantity = tuple[Which, str]


@dataclass(frozen=True)
class Origin:
    """Where the first number arose that is not finite; an input's has neither step nor line."""

    tensor: str
    name: str
    which: Which
    step: int | None
    line: int | None
    code: str
    cell: list[int]
    number: str


class Origins:
    """Searches the values and gradients of one run, with a cache; `sound` gradients are known to be finite."""

    def __init__(self, run: ProgramRun, *, sound: bool = False) -> None:
        self.run, self.sound = run, sound
        self.known: dict[Quantity, Origin | None] = {}

    @cached_property
    def none(self) -> bool:
        """Whether all values and gradients are finite: looked through at once."""
        found = [*self.run.forward.tensors.values(), *([] if self.sound else self.run.gradients.values())]
        decimals = [tensor for tensor in found if tensor.is_floating_point()]
        sizes = [tensor.numel() for tensor in decimals]
        return all(np.isfinite(joined(group)).all() for group in grouped(decimals, sizes))

    def of_value(self, name: str) -> Origin | None:
        """The origin of the NaN or infinity in a tensor's value."""
        return None if self.none or finite(self._value(name)) else self._followed(("value", name))

    def of_gradient(self, variable: str) -> Origin | None:
        """The same for a gradient, by its variable: in an earlier gradient, in a value its line reads, or there."""
        if self.none or variable not in self.run.gradients or finite(self.run.gradients[variable]):
            return None
        return self._followed(("gradient", variable))

    def _followed(self, quantity: Quantity) -> Origin | None:
        """Follows the origin from tensor to tensor, without recursion: a program may have thousands of lines."""
        passed: dict[Quantity, None] = {}
        while quantity not in self.known:
            passed[quantity] = None
            before = self._value_before(quantity[1]) if quantity[0] == "value" else self._before(quantity[1])
            if before is None or before in passed:
                self.known[quantity] = (
                    self._in_value(quantity[1]) if quantity[0] == "value" else self._in_gradient(quantity[1])
                )
            else:
                quantity = before
        self.known |= dict.fromkeys(passed, self.known[quantity])
        return self.known[quantity]

    def _value_before(self, name: str) -> Quantity | None:
        earlier = (source for source in self.run.plan.inputs_of[name] if not finite(self._value(source)))
        return next((("value", source) for source in earlier), None)

    def _before(self, variable: str) -> Quantity | None:
        run, (number, _) = self.run, self._first(variable)
        names = {name for statement in run.plan.lines[number].statements for name in names_in(statement)}
        for name in sorted(names - {variable}):
            if name in run.gradients and not finite(run.gradients[name]):
                return "gradient", name
        for name in sorted(names & self._named.keys()):
            if not finite(run.forward.values[name]):
                return "value", self._named[name]
        return None

    def _first(self, variable: str) -> tuple[int, torch.Tensor]:
        """The first line whose contribution or sum isn't finite, and the tensor it is in."""
        own = self._lines[variable]
        brought = [(n, self.run.contributions[n].value) for n in own]
        summed = [(n, self.run.contributions[n].accumulated) for n in own]
        return next((n, tensor) for n, tensor in brought + summed if not finite(tensor))

    @cached_property
    def _lines(self) -> dict[str, list[int]]:
        lines: dict[str, list[int]] = {}
        for number, line in enumerate(self.run.plan.lines):
            lines.setdefault(line.variable, []).append(number)
        return lines

    @cached_property
    def _named(self) -> dict[str, str]:
        return {node.variable: name for name, node in self.run.plan.by_name.items()}

    def _value(self, name: str) -> Any:
        return self.run.forward.values[self.run.plan.by_name[name].variable]

    def _in_value(self, name: str) -> Origin:
        node, graph = self.run.plan.by_name[name], self.run.plan.graph
        step = graph.step_of.get(node)
        line, code = (None, "") if step is None else (graph.chunks[step].line, graph.chunks[step].code)
        return Origin(name, node.variable, "value", step, line, code, *_cell(self._value(name)))

    def _in_gradient(self, variable: str) -> Origin:
        (number, tensor), plan = self._first(variable), self.run.plan
        line = plan.lines[number]
        name = line.target.name or line.variable.removeprefix("d")
        step = plan.first_backward + number
        return Origin(name, line.variable, "gradient", step, plan.rows[number], line.code, *_cell(tensor))


def finite(value: Any) -> bool:
    """Whether a tensor holds no NaN and no infinity."""
    return not isinstance(value, torch.Tensor) or bool(np.isfinite(value.numpy()).all())


def origin_text(origin: Origin) -> str:
    """`The first NaN is in p[0], line 1.`, with its names as code."""
    number = {"Infinity": "infinity", "-Infinity": "−infinity"}.get(origin.number, origin.number)
    side = "backward " if origin.which == "gradient" else ""
    where = f", {side}line {origin.line}" if origin.line else ""
    return f"The first {number} is in `{origin.name}{cell_text(origin.cell)}`{where}."


def _cell(tensor: torch.Tensor) -> tuple[list[int], str]:
    """The first cell that is not finite, and its number in words."""
    flat = int((~torch.isfinite(tensor)).reshape(-1).nonzero()[0])
    cell = [int(i) for i in torch.unravel_index(torch.tensor(flat), tensor.shape)] if tensor.ndim else []
    value = float(tensor.reshape(-1)[flat])
    return cell, "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
