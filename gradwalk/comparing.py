"""`compare`: another implementation's values and gradients beside the walk's, to the first line at which they part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

from backend.engine.execute.run import recorded, run_backward
from backend.engine.execute.session import ProgramRun
from backend.engine.language.wording import cell_text
from backend.engine.verify.compare import NOISE, Verdicts
from gradwalk.origins import Origin, back, origins
from gradwalk.own_backward.judging import distance, furthest, largest
from gradwalk.recorder.recording import Recording, WalkError
from gradwalk.tensor_files import tensors_of

# A difference is rounding up to so many times what the walk itself loses in float32, and to so many units of the
# largest cell. What a line before has lost counts as well, up to a share: of a single cell the loss may by chance be 0.
TIMES, UNITS, INHERITED = 6.0, 8.0, 1e-5
SINGLE = torch.finfo(torch.float32).eps


@dataclass(frozen=True)
class Parting:
    """The first name at which they part: the cell where they are furthest apart, both numbers, and the line."""

    name: str
    cell: tuple[int, ...]
    ours: float
    theirs: float
    origin: Origin
    shapes: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    def __str__(self) -> str:
        at = str(self.origin) if self.origin.line else f"the input {self.name}"
        if self.shapes:
            return f"{at}: {self.name} has the shape {self.shapes[0]} here and {self.shapes[1]} there"
        return f"{at}: {self.name}{cell_text(self.cell)} is {self.ours:.9g} here and {self.theirs:.9g} there"


@dataclass(frozen=True)
class Comparison:
    """What was held against the walk, true where nothing parts.

    `names` were compared, in the order of the lines that make them; `unmatched` are the other's that are no names here.
    """

    names: list[str]
    unmatched: list[str]
    first: Parting | None

    def __bool__(self) -> bool:
        return self.first is None

    def __repr__(self) -> str:
        count = len(self.names)
        said = f"They part at {self.first}." if self.first else f"All is the same up to rounding: {count} compared."
        unmatched = f"\nWithout a name here: {', '.join(self.unmatched)}." if self.unmatched else ""
        return f"{said}{unmatched}"


@dataclass
class Ours:
    """A value or a gradient of the walk, and the same in the other precision; `noise` is rounding of a true zero."""

    value: torch.Tensor
    other: torch.Tensor
    origin: Origin
    dtype: torch.dtype
    noise: float = 0.0

    @cached_property
    def lost(self) -> float:
        """What float32 loses of it, as a share of the largest cell."""
        size = largest([self.value])
        return distance([self.value], [self.other]) / size if size else 0.0

    def allowed(self, theirs: torch.dtype, inherited: float) -> float:
        """How far rounding may carry it, in the coarsest of the precisions."""
        units = [torch.finfo(one).eps for one in (self.value.dtype, self.dtype, theirs) if one.is_floating_point]
        share = TIMES * max(self.lost, inherited) / SINGLE + UNITS
        return share * max(units, default=0.0) * largest([self.value]) + self.noise


def compared(
    recording: Recording, run: ProgramRun, judged: Verdicts, given: str | Path | Mapping[str, Any]
) -> Comparison:
    """Hold the tensors of another implementation against a walk's; raises WalkError where no name is the same."""
    theirs: Mapping[str, object] = tensors_of(Path(given)) if isinstance(given, str | Path) else given
    ours = ours_of(recording, run, judged)
    known = spellings(ours, recording.program.labels)
    matched = {known[name]: numbers(name, one) for name, one in theirs.items() if name in known}
    if not matched:
        raise WalkError(f"No name is the same; the walk has {', '.join(ours)}.")
    inherited, first = 0.0, None
    for name, one in ours.items():
        if first is None and name in matched:
            first = parting(name, one, matched[name], inherited)
        inherited = max(inherited, min(one.lost, INHERITED))
    return Comparison([one for one in ours if one in matched], [one for one in theirs if one not in known], first)


def ours_of(recording: Recording, run: ProgramRun, judged: Verdicts) -> dict[str, Ours]:
    """The walk's values going forward, then its gradients, each in the order in which they are there as a whole."""
    other = torch.float32 if run.material.dtype is torch.float64 else torch.float64
    plan, made = run.plan, origins(recording.program)
    values, _ = recorded(plan.graph, run.material.tensors, other)
    gradients = run_backward(plan.lines, values, other, plan.planted, plan.tapes).gradients
    kinds = {name: one.kept.dtype for name, one in recording.values.items()}
    found = {}
    for name in (str(node.variable) for node in plan.graph.named):
        value, precise = run.forward.tensors.get(name), values.get(name)
        if value is not None and isinstance(precise, torch.Tensor):
            found[name] = Ours(value, precise.detach(), made.get(name, Origin()), kinds.get(name, value.dtype))
    ends = {line.variable: number for number, line in enumerate(plan.lines)}
    noise = NOISE * max((largest([one]) for one in run.gradients.values()), default=0.0)
    for name, number in sorted(ends.items(), key=lambda one: one[1]):
        value, of = run.gradients[name], name.removeprefix("d")
        zero = of in judged and judged[of].level == "zero"
        origin = back(plan.lines[number], made)
        found[name] = Ours(value, gradients[name], origin, kinds.get(of, value.dtype), noise if zero else 0.0)
    return found


def spellings(names: Mapping[str, Any], labels: Mapping[str, str]) -> dict[str, str]:
    """The name here of each spelling: of a parameter also its path in the model, of a gradient also `name.grad`."""
    found: dict[str, str] = {}
    for name in names:
        label = labels.get(name, name)
        found |= {label: name}
        if f"d{name}" in names:
            found |= dict.fromkeys((f"{name}.grad", f"{label}.grad", f"d{label}"), f"d{name}")
    return found | {name: name for name in names}


def numbers(name: str, given: object) -> torch.Tensor:
    """What is given for a name, as real numbers."""
    try:
        made = given.detach().cpu() if isinstance(given, torch.Tensor) else torch.as_tensor(np.asarray(given))
    except (TypeError, ValueError):
        raise WalkError(f"{name} is no array of numbers.") from None
    if made.is_complex():
        raise WalkError(f"{name} has complex numbers.")
    return made


def parting(name: str, ours: Ours, theirs: torch.Tensor, inherited: float) -> Parting | None:
    """How they part at a name; None where they don't."""
    value = ours.value
    if value.shape != theirs.shape:
        return Parting(name, (), 0.0, 0.0, ours.origin, (tuple(value.shape), tuple(theirs.shape)))
    if distance([value], [theirs]) <= ours.allowed(theirs.dtype, inherited):
        return None
    cell = furthest(value, theirs)
    return Parting(name, cell, float(value[cell]), float(theirs[cell]), ours.origin)
