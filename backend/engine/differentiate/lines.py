"""The backward pass's data: upstream gradients as expressions, and the lines that they are written in."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from backend.engine.differentiate import accumulate
from backend.engine.differentiate.subexpressions import helper_name
from backend.engine.language.layout import laid_out
from backend.engine.language.rearrange import is_new_axes
from backend.engine.language.rewrite import factors, filled_from
from backend.engine.language.tree import Assignment, loaded_in, stored_in, target_of
from backend.engine.language.unparse import is_tight, printed
from backend.engine.ops import OPS
from backend.engine.trace.graph import Chunk, Node

# A gradient shorter than this may be written twice.
SHORT = 27
ADDING_AXES = frozenset(name for op in OPS if op.adds_axis for name in op.names())


@dataclass(frozen=True)
class Hop:
    """One operation on a backward path, its input that the path leaves by, and its upstream gradient."""

    node: Node
    input_name: str
    arrives: ast.expr | None = field(default=None, compare=False)


@dataclass(eq=False)
class Upstream:
    """A node's gradient as an expression, and the operations since the last named gradient."""

    expr: ast.expr
    path: list[Hop] = field(default_factory=list)


@dataclass(eq=False)
class Line:
    """One step of the backward pass: `d<target>` set or added to, by one statement or two.

    `uses` are the uses of the target that it stands for: more than one where they contribute the same, or are `parts`
    that the target was cut into. `taken` is what a `-=` line contributes, where the sign doesn't stand in front.
    """

    target: Node
    variable: str
    mode: str
    statements: list[Assignment]
    through: Chunk | None
    path: list[Hop]
    inner: bool = False
    uses: list[Hop] = field(default_factory=list)
    parts: list[Node] = field(default_factory=list)
    taken: ast.expr | None = None

    @property
    def last(self) -> Assignment:
        """The statement that makes the gradient or adds to it; helper lines and zeros stand before it."""
        return self.statements[-1]

    @property
    def takes_away(self) -> bool:
        """Whether it is written with `-=`."""
        return accumulate.takes_away(self.last)

    @property
    def writes_to(self) -> ast.expr:
        """What it writes into: the gradient's name, or some of its cells."""
        return target_of(self.last)

    @property
    def is_partial(self) -> bool:
        """Whether it writes into some cells of its gradient only."""
        return isinstance(self.writes_to, ast.Subscript)

    @property
    def sign(self) -> str:
        """How the last statement is written: `=`, `+=` or `-=`."""
        return "-=" if self.takes_away else self.mode

    @property
    def nodes(self) -> list[Node]:
        """The primitives on the way."""
        return [hop.node for hop in self.path]

    @property
    def results(self) -> list[Node]:
        """What the gradients that it passes on belong to: the parts of its target, or what its statement names."""
        return self.parts or ([self.through.node] if self.through else [])

    @property
    def rows(self) -> int:
        """How many lines of text it is."""
        return self.code.count("\n") + 1

    @cached_property
    def code(self) -> str:
        """The statements as printed, once they are all there."""
        return laid_out(self.statements)

    @property
    def expr(self) -> ast.expr:
        """The expression whose value this line contributes."""
        return accumulate.contributed(self.last) if self.taken is None else self.taken


def line_of(target: Node, variable: str, mode: str, upstream: Upstream, chunk: Chunk | None) -> Line:
    """The line that assigns a gradient (`=`) or adds to it (`+=`)."""
    statements = accumulate.statements_of(variable, mode, upstream.expr)
    return Line(target, variable, mode, statements, chunk, upstream.path, uses=upstream.path[-1:])


def standing_alone(lines: Sequence[Line], number: int) -> list[Assignment]:
    """The statements of one line, behind the helper lines of earlier ones that it reads: what runs by itself."""
    wanted, needed = set(loaded_in(*lines[number].statements)), list[Assignment]()
    for line in reversed(lines[:number]):
        for statement in reversed(line.statements[:-1]):
            made = set(stored_in(statement)) - {line.variable}
            if not wanted.isdisjoint(made):
                needed.append(statement)
                wanted |= set(loaded_in(statement))
    return [*reversed(needed), *lines[number].statements]


def part_name(node: Node, chunk: Chunk) -> str:
    """A name for an unnamed intermediate of a statement: its place in what holds it, or what computes it."""
    match node.expr:
        case ast.Subscript(value=ast.Name(id=holder), slice=ast.Constant(value=int(place))):
            return f"{holder}_{place}"
    return helper_name(node.written, chunk.node.variable)


def written_length(expr: ast.expr) -> int:
    """How long a gradient will be once it is written, without copies that broadcasting makes."""
    return sum(len(printed(leaf)) + 3 for leaf in factors(expr) if filled_from(leaf) is None)


def is_short(expr: ast.expr) -> bool:
    """A name, or a name and a number or two: repeating it costs a reader nothing."""
    return isinstance(expr, ast.Name) or (written_length(expr) <= SHORT and _is_name_with_numbers(expr))


def _is_name_with_numbers(expr: ast.expr) -> bool:
    """A name and numbers, perhaps with an axis put in."""
    if isinstance(expr, ast.UnaryOp):
        return _is_name_with_numbers(expr.operand)
    if isinstance(expr, ast.Call) and isinstance(expr.func, ast.Attribute) and expr.func.attr in ADDING_AXES:
        return _is_name_with_numbers(expr.func.value)
    if isinstance(expr, ast.Subscript):
        return is_new_axes(expr.slice) and _is_name_with_numbers(expr.value)
    if isinstance(expr, ast.BinOp):
        sides = _tensors_in(expr)
        return len(sides) == 1 and sides[0] is not expr and _is_name_with_numbers(sides[0])
    return isinstance(expr, ast.Name)


def _tensors_in(expr: ast.expr) -> list[ast.expr]:
    """The factors of a product that are neither numbers nor ones."""
    if is_tight(expr) or filled_from(expr) is not None:
        return []
    if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Mult | ast.Div):
        return _tensors_in(expr.left) + _tensors_in(expr.right)
    return [expr]
