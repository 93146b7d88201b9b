"""The graph of a traced program: primitive operations with shapes, in the order in which they ran."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch

from backend.engine.interpret.tape import Tapes
from backend.engine.language.errors import Refusal
from backend.engine.language.values import Parameters, Values
from backend.engine.ops.base import Call, Op, Shape
from backend.engine.ops.stretch import BROADCAST


@dataclass(eq=False, slots=True)
class Node:
    """One tensor: an input, a named chunk, or an anonymous intermediate of a chunk.

    `expr` is how lines refer to it, `written` the expression that computed it, `meta` its outline on the meta device,
    and `needs` whether it has a gradient.
    """

    op: type[Op] | None
    inputs: dict[str, Node]
    parameters: Parameters
    words: dict[str, ast.expr]
    meta: torch.Tensor
    expr: ast.expr
    needs: bool
    name: str | None = None
    variable: str = ""
    role: str = "intermediate"
    dims: list[str] = field(default_factory=list)
    written: ast.expr = field(init=False)
    shape: Shape = field(init=False)
    call: Call = field(init=False)  # itself as its operation's `derive` sees it

    def __post_init__(self) -> None:
        self.written = self.expr
        self.shape = tuple(self.meta.shape)
        shapes = {name: node.shape for name, node in self.inputs.items()}
        self.call = Call(shapes, self.parameters, self.shape)

    @property
    def is_broadcast(self) -> bool:
        """Whether this is its input copied along axes, to fit a larger shape."""
        return self.op is BROADCAST

    @property
    def saturates(self) -> bool:
        """Whether this is the result of an activation that can let nothing through."""
        return self.op is not None and self.op.steepest > 0 and self.needs and len(self.shape) >= 1


@dataclass
class Chunk:
    """One statement as it ran: its place in the forward source, and what it names."""

    line: int
    end_line: int
    code: str
    node: Node
    names_read: list[str]
    heading: str | None
    source: tuple[int, int]

    @property
    def place(self) -> ast.AST:
        """Its first line in the program's text."""
        return ast.Pass(lineno=self.source[0], col_offset=0)


@dataclass
class Graph:
    """A traced program; `nodes` are all primitives in order of execution, `named` those a person gave a name.

    `actual` holds the program's values if some shape depends on them, else nothing; `by_numbers` tells whether a rule
    was chosen by them.
    """

    nodes: list[Node]
    inputs: list[Node]
    chunks: list[Chunk]
    loss: Node
    forward_source: str
    statements: list[ast.Assign]
    aliases: dict[str, tuple[str, Node]]
    constants: Values
    holders: Values
    actual: Values
    by_numbers: bool
    source: str
    unrolled: bool  # its lines are no longer those of the program's text

    @cached_property
    def tapes(self) -> Tapes:
        """What its statements call."""
        return Tapes(may_be=not self.actual)

    @cached_property
    def named(self) -> list[Node]:
        """Inputs, then named results, in order of execution."""
        return self.inputs + [chunk.node for chunk in self.chunks]

    @cached_property
    def by_variable(self) -> dict[str, Node]:
        """Named tensors by their variables."""
        return {node.variable: node for node in self.named}

    @cached_property
    def by_gradient(self) -> dict[str, Node]:
        """Named tensors by the variables of their gradients."""
        return {"d" + node.variable: node for node in self.named if node.needs}

    @cached_property
    def reached(self) -> set[Node]:
        """The tensors from which a differentiable path leads to the loss."""
        found = {self.loss}
        for node in reversed(self.nodes):
            if node in found and node.needs:
                found.update(source for source in node.inputs.values() if source.needs)
        return found

    @cached_property
    def step_of(self) -> dict[Node, int]:
        """Which forward step makes a tensor, counted from 0."""
        return {chunk.node: number for number, chunk in enumerate(self.chunks)}

    def primitives(self) -> list[tuple[Chunk, list[Node]]]:
        """Each chunk with the primitives of its statement, in order of execution."""
        owners = {id(chunk.node): chunk for chunk in self.chunks}
        result: list[tuple[Chunk, list[Node]]] = []
        pending: list[Node] = []
        for node in self.nodes:
            pending.append(node)
            if id(node) in owners:
                result.append((owners[id(node)], pending))
                pending = []
        return result


def named_inputs(node: Node) -> list[Node]:
    """The named tensors that a chunk reads, through its anonymous intermediates."""
    found: dict[Node, None] = {}
    pending, seen = [node], set[Node]()
    while pending:
        source = pending.pop()
        if source is node or source.name is None:
            reads = list(source.inputs.values())[::-1]
            reads += nodes_in(list(source.parameters.values()))
            pending += [read for read in reads if read not in seen]
            seen.update(read for read in reads if read.name is None)
        else:
            found[source] = None
    return list(found)


def nodes_in(value: Any) -> Iterator[Node]:
    """The tensors in a value: itself, or those in tuples and lists at any depth."""
    if isinstance(value, Node):
        yield value
    for part in value if isinstance(value, tuple | list) else ():
        yield from nodes_in(part)


def without_gradient(node: Node, name: str) -> Refusal:
    """That a loss has no gradient: where the last one ends on the way, as at a comparison, or that none begins."""
    pending, seen = [node], {id(node)}
    for one in pending:
        if any(before.needs for before in one.inputs.values()):
            return Refusal("loss-needs-nothing/cut", found=name, cut=ast.unparse(one.written))
        pending += [before for before in one.inputs.values() if id(before) not in seen]
        seen |= {id(before) for before in one.inputs.values()}
    return Refusal("loss-needs-nothing", found=name)
