"""What is drawn of a plan: the pictures of its lines, and the cells that one cell of each reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import torch

from backend.engine.differentiate.lines import Line
from backend.engine.execute.plan import Plan
from backend.engine.execute.planted import Planted, PlantedLine
from backend.engine.interpret.evaluate import DefaultDtype
from backend.engine.language.errors import Refusal
from backend.engine.language.guard import attempted
from backend.engine.language.on_demand import OnDemand
from backend.lines.equations.as_run import picture_as_run
from backend.lines.equations.equation import Picture, picture_of, pictures_of
from backend.lines.equations.forward import ForwardPicture, forward_pictures_of
from backend.lines.equations.names import Names, names_of
from backend.lines.index_notation.cells import CellReads
from backend.lines.index_notation.formula import Writer
from backend.lines.index_notation.picture_cells import forward_cells, picture_cells
from backend.program.runs import Run


class Drawings:
    """The drawings of one plan, each made when it is looked at.

    Behind a planted line all is drawn anew that has another shape; what doesn't fit any more is drawn as it was meant.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.names = plan, names_of(plan)

    @cached_property
    def pictures(self) -> Sequence[Picture | None]:
        """The equation of each backward line."""
        planted, origin = self.plan.planted, self.plan.origin
        if planted is None or origin is None:
            return pictures_of(self.plan.lines, self.names)
        return _pictures_behind(planted, self.plan, origin, self.names)

    @cached_property
    def forward_pictures(self) -> Sequence[ForwardPicture | None]:
        """The picture of each forward line."""
        if self.plan.origin is not None:
            return drawings_of(self.plan.origin).forward_pictures
        return forward_pictures_of(self.plan.graph, self.names)

    @cached_property
    def writer(self) -> Writer:
        """Writes formulas in index notation for these lines."""
        return Writer(self.plan.shapes)

    @cached_property
    def forward_cells(self) -> Sequence[list[CellReads]]:
        """For each forward line, the cells that one cell of its result reads."""
        graph, pictures, writer, dtype = self.plan.graph, self.forward_pictures, self.writer, self._dtype
        chunks = graph.primitives()

        def found_at(number: int) -> list[CellReads]:
            with DefaultDtype(dtype):
                return attempted(partial(forward_cells, *chunks[number], pictures[number], writer, graph), [])

        return OnDemand(len(chunks), found_at)

    @cached_property
    def picture_cells(self) -> Sequence[list[CellReads]]:
        """For each backward line, the cells that the tensors of its picture read."""
        lines, graph, writer, dtype = self.plan.lines, self.plan.graph, self.writer, self._dtype
        pictures = self.pictures

        def found_at(number: int) -> list[CellReads]:
            if (picture := pictures[number]) is None:
                return []
            with DefaultDtype(dtype):
                return attempted(partial(picture_cells, lines[number], picture, writer, graph), [])

        return OnDemand(len(lines), found_at)

    @property
    def _dtype(self) -> torch.dtype:
        """What a cast such as `.float()` gives in these lines, whatever the process makes of it otherwise."""
        return self.plan.graph.loss.meta.dtype


def drawings_of(plan: Plan) -> Drawings:
    """The drawings of a plan, kept with it."""
    return plan.once(Drawings)


def drawn(run: Run, number: int) -> list[Any] | None:
    """What a backward step's equation shows besides the walk's own tensors, evaluated when it is looked at.

    None where there is no such equation: a line may have none, and behind a planted one not each holds any more.
    """
    picture = drawings_of(run.plan).pictures[number]
    if picture is None or run.contributions[number].lost:
        return None
    try:
        return run.after(number, picture.to_evaluate)
    except Refusal:
        if run.plan.planted is None:
            raise
        return None


def _pictures_behind(planted: Planted, plan: Plan, origin: Plan, names: Names) -> Sequence[Picture | None]:
    """The equations of a plan with a planted line; None for what can't be drawn."""
    before = drawings_of(origin).pictures
    later = plan.lines[planted.number :]
    reshaped = bool(planted.unfit) or any(_shape(plan.shapes, line) != _shape(origin.shapes, line) for line in later)
    last = len(plan.lines) - 1 if reshaped else planted.number

    def drawn_at(number: int) -> Picture | None:
        line, meant = plan.lines[number], before[number]
        if not planted.number <= number <= last or number in planted.unfit:
            return meant
        if isinstance(line, PlantedLine):
            return attempted(partial(picture_as_run, line, origin.lines[number], meant, names), None)
        return None if meant is None else attempted(partial(picture_of, line, names), None)

    return OnDemand(len(plan.lines), drawn_at)


def _shape(shapes: dict[str, object], line: Line) -> tuple[int, ...] | None:
    value = shapes.get(line.variable)
    return tuple(value.shape) if isinstance(value, torch.Tensor) else None
