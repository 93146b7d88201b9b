"""The plan: everything about a walk that doesn't depend on the tensors' values, and the cache of plans."""

from __future__ import annotations

import hashlib
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, TypeVar

import torch
from cachetools import LRUCache

from backend.engine.differentiate.lines import Line
from backend.engine.differentiate.scope import scope_after
from backend.engine.execute.bound_program import BoundProgram
from backend.engine.execute.planted import Planted
from backend.engine.interpret.tape import Tapes
from backend.engine.trace.graph import Graph, Node, named_inputs

Made = TypeVar("Made")
Bound = TypeVar("Bound", bound=BoundProgram)
# Bytes that all cached plans may hold together.
MOST_BYTES = 64 * 2**20
# Measured with tracemalloc over loops, lists and the kept programs: 6.2 to 14.5 kB for each node and each line of a
# plan with all that its steps show (see backend/present/steps.py), 1 kB for a statement without either, and a
# byte or two for a character; torch's own outlines come on top.
NODE_OR_LINE, STATEMENT, CHARACTER = 16_000, 1_000, 2


@dataclass(eq=False)
class Plan:
    """A program read and differentiated, for tensors of given shapes.

    `shapes` are the outlines of all names once its lines have run; `narration` is what a lesson tells of its steps, by
    the names of tensors and gradients; `planted` is a line that takes the place of a right one, which `origin` has;
    `stored` is how many bytes the tensors of a run of it take, by its precision.
    """

    graph: Graph
    lines: list[Line]
    shapes: dict[str, object]
    narration: Mapping[str, str] = field(default_factory=dict)
    planted: Planted | None = None
    origin: Plan | None = None
    made: dict[Callable[[Plan], Any], Any] = field(default_factory=dict, init=False, repr=False)
    stored: dict[torch.dtype, int] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def tapes(self) -> Tapes:
        """What its backward lines call."""
        return Tapes(may_be=not self.graph.actual)

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

    def once(self, make: Callable[[Plan], Made]) -> Made:
        """What a later stage makes of the plan, made once and kept as long as the plan is: its `bytes` count it."""
        if make not in self.made:
            self.made[make] = make(weakref.proxy(self))  # what it keeps must not keep it: it ends without a collection
        made: Made = self.made[make]
        return made


def plan_of(graph: Graph, lines: list[Line]) -> Plan:
    """The plan of a differentiated graph; raises Refusal where its lines pass the budget."""
    return Plan(graph, lines, scope_after(lines, graph))


@dataclass(frozen=True)
class Kept:
    """A cache entry: a plan and its bytes; no plan if the right one depends on the tensors' values."""

    plan: Plan | None
    bytes: int


_plans: LRUCache[Any, Kept] = LRUCache(MOST_BYTES, getsizeof=lambda kept: kept.bytes)


def plan_for(material: Bound, make: Callable[[Bound], Plan]) -> Plan:
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


def _key(material: BoundProgram) -> tuple[Any, ...]:
    inputs = tuple((name, i.role, i.shape, i.dtype) for name, i in material.inputs.items())
    dims = tuple((name, tuple(axes)) for name, axes in material.dims.items())
    constants = tuple((name, repr(value)) for name, value in material.constants.items())
    narration = tuple(material.narration.items())
    return (material.source, inputs, constants, material.loss, material.dtype, material.exact, dims, narration)


def _digest(material: BoundProgram) -> bytes:
    digest = hashlib.sha256()
    for tensor in material.tensors.values():
        digest.update(tensor.numpy().tobytes())
    return digest.digest()


def _keep(key: tuple[Any, ...], plan: Plan | None) -> None:
    """Cache a plan unless it is larger than the whole cache; the key counts too, as it is as long as a request."""
    kept = Kept(plan, len(repr(key)) + (plan.bytes if plan else STATEMENT))
    if kept.bytes <= MOST_BYTES:
        _plans[key] = kept
