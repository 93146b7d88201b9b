"""The graph of a traced program: primitive operations with shapes, in the order in which they ran."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import torch

from backend.ops.base import Call, Op, Shape


@dataclass(eq=False, slots=True)
class Node:
    """One tensor: an input, a named chunk, or an anonymous intermediate of a chunk.

    `expr` is how lines refer to it, `written` the expression that computed it.
    """

    op: type[Op] | None
    inputs: dict[str, Node]
    parameters: dict[str, Any]
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

    def __post_init__(self) -> None:
        self.written = self.expr
        self.shape = tuple(self.meta.shape)

    @property
    def call(self) -> Call:
        """This node as its operation's `derive` sees it."""
        return Call({name: node.shape for name, node in self.inputs.items()}, self.parameters, self.shape)


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


@dataclass
class Graph:
    """A traced program; `nodes` are all primitives in order of execution, `named` those a person gave a name.

    `actual` holds the program's numbers where some shape depends on them, and nothing otherwise; `by_numbers` tells
    whether some rule was chosen by them.
    """

    nodes: list[Node]
    inputs: list[Node]
    chunks: list[Chunk]
    loss: Node
    forward_source: str
    statements: list[ast.stmt]
    aliases: dict[str, tuple[str, Node]]
    constants: dict[str, Any]
    holders: dict[str, Any]
    actual: dict[str, Any]
    by_numbers: bool
    source: str
    unrolled: bool  # its lines are no longer those of the program's text

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
