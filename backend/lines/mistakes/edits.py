"""One edit of an expression: a part, what stands in its place, the code of the mistake, and a sentence."""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from backend.engine.language.rewrite import exchanged, filled_from
from backend.engine.language.tree import children, copied
from backend.engine.language.unparse import printed
from backend.engine.ops.base import Shape
from backend.lines.mistakes.codes import DiagnosisCode


@dataclass(frozen=True)
class Edit:
    """`instead` in the place of `part`, which is a node of the edited tree itself; `label` says what is wrong then."""

    code: DiagnosisCode
    part: ast.expr
    instead: ast.expr
    label: str

    def applied_to(self, tree: ast.expr) -> ast.expr:
        """The tree after the edit."""
        return exchanged(tree, {id(self.part): self.instead})

    @property
    def key(self) -> str:
        """What it replaces by what, as printed."""
        return f"{printed(self.part)} → {printed(self.instead)}"


@dataclass(frozen=True)
class Setting:
    """What is known of the names in an expression.

    `shape` and `number` are the shape and the plain number that an expression has, None where it has none; `others`
    are the names that may be confused with each name; `lengths` are plain names of sizes, such as `n`; `steps` are the
    gradients without a name in the program, each with those that its own step reads; `axes` are the names of an
    expression's axes, where a sentence is to have them.
    """

    target: str
    shape: Callable[[ast.expr], Shape | None]
    number: Callable[[ast.expr], float | None]
    gradients: Container[str]
    others: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lengths: Sequence[str] = ()
    steps: Mapping[str, Container[str]] = field(default_factory=dict)
    axes: Callable[[ast.expr], Sequence[str]] = lambda _: ()

    def is_gradient(self, expr: ast.AST) -> bool:
        """Whether an expression reads a gradient."""
        return any(isinstance(part, ast.Name) and part.id in self.gradients for part in ast.walk(expr))


def flipped(statement: ast.AugAssign) -> ast.AugAssign:
    """`-=` for `+=`, and the other way round."""
    made = copied(statement)
    made.op = ast.Sub() if isinstance(statement.op, ast.Add) else ast.Add()
    return made


def sign_of(statement: ast.AugAssign) -> str:
    """How such a statement writes: `+=` or `-=`."""
    return "+=" if isinstance(statement.op, ast.Add) else "-="


Editor = Callable[[ast.expr, Setting], Iterator[Edit]]


def parts_of(tree: ast.expr) -> list[ast.expr]:
    """All expressions in a tree, in the order in which they are written, itself the first.

    What a function is called by is no part of its own, nor is what only lends its shape, nor an exponent.
    """
    found = [tree]
    if filled_from(tree) is not None:
        return found
    for child in children(tree):
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.Pow) and child is tree.right:
            continue
        if isinstance(tree, ast.Call) and child is tree.func:
            found += parts_of(child.value) if isinstance(child, ast.Attribute) else []
        elif isinstance(child, ast.keyword):
            found += parts_of(child.value)
        elif isinstance(child, ast.expr):
            found += parts_of(child)
    return found
