"""The plan: everything about a walk that doesn't depend on the tensors' values, and the cache of plans."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate
from typing import Any

from cachetools import LRUCache

from backend.differentiate.lines import Line
from backend.differentiate.scope import scope_after
from backend.equations.equation import Picture, pictures_of
from backend.equations.forward import ForwardPicture, forward_pictures_of
from backend.equations.names import Names
from backend.execute.planted import Planted
from backend.index_notation.cells import CellReads
from backend.index_notation.formula import Writer
from backend.index_notation.picture_cells import forward_cells, picture_cells
from backend.interpret.evaluate import DefaultDtype
from backend.language.guard import attempted
from backend.language.on_demand import OnDemand
from backend.program.lessons import Lesson
from backend.program.request import Material
from backend.trace.graph import Graph, Node, named_inputs

# Bytes that all cached plans may hold together.
MOST_BYTES = 64 * 2**20
# Measured with tracemalloc over loops, lists and the kept programs: 6.2 to 14.5 kB for each node and each line of a
# plan with all that its steps show (see backend/present/steps.py), 1 kB for a statement without either, and a
# byte or two for a character; torch's own outlines come on top.
NODE_OR_LINE, STATEMENT, CHARACTER = 16_000, 1_000, 2


@dataclass(eq=False)
class Plan:
    """A program read and differentiated, for tensors of given shapes.

    `pictures` are the equations of its lines, `forward_pictures` those of its chunks; `lesson` is what tells of its
    steps; `planted` a line that takes the place of a right one, which `origin` has.
    """

    graph: Graph
    lines: list[Line]
    pictures: Sequence[Picture | None]
    forward_pictures: Sequence[ForwardPicture | None]
    names: Names
    lesson: Lesson | None = None
    planted: Planted | None = None
    origin: Plan | None = None
    steps: object = field(default=None, init=False, repr=False)  # what a later stage makes of it, as long as it is kept

    @cached_property
    def bytes(self) -> int:
        """The estimated memory it holds, in bytes."""
        graph = self.graph
        pieces = len(graph.nodes) + len(graph.inputs) + len(self.lines)
        characters = len(graph.source) + len(graph.forward_source) + len(self.backward_source)
        return NODE_OR_LINE * pieces + STATEMENT * len(graph.statements) + CHARACTER * characters

    @cached_property
    def backward_source(self) -> str:
        """The backward pass as printed, with a line for each second name of a tensor."""
        reached = {line.target for line in self.lines}
        aliases = self.graph.aliases.values()
        extra = [f"d{variable} = d{node.variable}" for variable, node in aliases if node in reached]
        return "\n".join([line.code for line in self.lines] + extra) + "\n"

    @cached_property
    def rows(self) -> list[int]:
        """Where each line begins in the backward source, counted from 1."""
        return list(accumulate((line.rows for line in self.lines), initial=1))[:-1]

    @property
    def first_backward(self) -> int:
        """The index of the first backward step: the forward steps come before it."""
        return len(self.graph.chunks)

    @cached_property
    def by_name(self) -> dict[str, Node]:
        """Named tensors as the program says them."""
        return {str(node.name): node for node in self.graph.named}

    @cached_property
    def inputs_of(self) -> dict[str, list[str]]:
        """The named tensors that each tensor's line reads; none for an input."""
        made = self.graph.step_of
        return {
            name: [str(read.name) for read in named_inputs(node)] if node in made else []
            for name, node in self.by_name.items()
        }

    @property
    def shapes(self) -> dict[str, object]:
        """Every name's outline once all lines have run."""
        return self.names.scope

    @cached_property
    def writer(self) -> Writer:
        """Writes formulas in index notation for these lines."""
        return Writer(self.shapes)

    @cached_property
    def forward_cells(self) -> Sequence[list[CellReads]]:
        """For each forward line, the cells that one cell of its result reads; found when they are looked at."""
        chunks = self.graph.primitives()

        def found_at(number: int) -> list[CellReads]:
            known = *chunks[number], self.forward_pictures[number], self.writer, self.graph
            with self._precision:
                return attempted(partial(forward_cells, *known), [])

        return OnDemand(len(chunks), found_at)

    @cached_property
    def picture_cells(self) -> Sequence[list[CellReads]]:
        """For each backward line, the cells that the tensors of its picture read; found when they are looked at."""

        def found_at(number: int) -> list[CellReads]:
            if (picture := self.pictures[number]) is None:
                return []
            with self._precision:
                return attempted(partial(picture_cells, self.lines[number], picture, self.writer, self.graph), [])

        return OnDemand(len(self.lines), found_at)

    @property
    def _precision(self) -> DefaultDtype:
        """What a cast such as `.float()` gives in these lines, whatever the process makes of it otherwise."""
        return DefaultDtype(self.graph.loss.meta.dtype)


def plan_of(graph: Graph, lines: list[Line]) -> Plan:
    """The plan of a differentiated graph; raises Refusal where its lines pass the budget."""
    names = Names(graph, lines, scope_after(lines, graph))
    return Plan(graph, lines, pictures_of(lines, names), forward_pictures_of(graph, names), names)


@dataclass(frozen=True)
class Kept:
    """A cache entry: a plan and its bytes; no plan if the right one depends on the tensors' values."""

    plan: Plan | None
    bytes: int


_plans: LRUCache[Any, Kept] = LRUCache(MOST_BYTES, getsizeof=lambda kept: kept.bytes)


def plan_for(material: Material, make: Callable[[Material], Plan]) -> Plan:
    """The plan of a program, from the cache for one with the same text, shapes and constants, else made by `make`.

    A plan with a rule chosen by the tensors' values, such as targets to ignore, is for these values alone.
    """
    key = _key(material)
    known = _plans.get(key)
    if known is not None and known.plan is None:
        key = (*key, _digest(material))
        known = _plans.get(key)
    if known is not None and known.plan is not None:
        return known.plan
    plan = make(material)
    if not plan.graph.actual:
        if plan.graph.by_numbers:
            _keep(_key(material), None)
            key = (*_key(material), _digest(material))
        _keep(key, plan)
    return plan


def _key(material: Material) -> tuple[Any, ...]:
    inputs = tuple((name, i.role, i.shape, i.dtype) for name, i in material.inputs.items())
    dims = tuple((name, tuple(axes)) for name, axes in material.dims.items())
    constants = tuple((name, repr(value)) for name, value in material.constants.items())
    lesson = (material.told_by.name, tuple(material.told_by.narration.items())) if material.told_by else None
    return (material.source, inputs, constants, material.loss, material.dtype, material.exact, dims, lesson)


def _digest(material: Material) -> bytes:
    digest = hashlib.sha256()
    for tensor in material.tensors.values():
        digest.update(tensor.numpy().tobytes())
    return digest.digest()


def _keep(key: tuple[Any, ...], plan: Plan | None) -> None:
    """Cache a plan unless it is larger than the whole cache; the key counts too, as it is as long as a request."""
    kept = Kept(plan, len(repr(key)) + (plan.bytes if plan else STATEMENT))
    if kept.bytes <= MOST_BYTES:
        _plans[key] = kept
