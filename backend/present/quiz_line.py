"""Where a question before a backward step is asked: the line among the others, an answer, and all answers to it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from backend.engine.differentiate.lines import Line
from backend.engine.language.tree import nodes_in, number
from backend.engine.language.unparse import printed
from backend.lines.equations.equation import Picture
from backend.lines.equations.names import Names
from backend.present.question_types import Candidate


@dataclass(frozen=True)
class Option:
    """One answer: how it is shown, what it computes (None where Python stops), and what is wrong with it."""

    code: str
    expr: ast.expr | None
    mistake: str = ""
    words: str = ""


@dataclass(frozen=True)
class Proposal:
    """A question with its right answer and the wrong ones, the likeliest mistake first."""

    kind: str
    prompt: str
    right: Option
    wrong: list[Option] = field(default_factory=list)


@dataclass(frozen=True)
class QuizLine:
    """A backward line among the others: those of the same gradient, those through the same forward line."""

    line: Line
    picture: Picture
    options: list[Candidate]
    names: Names
    turn: int
    turns: int
    siblings: list[tuple[Line, Picture]]

    @property
    def target(self) -> str:
        """The tensor whose gradient it is, as the reader wrote it."""
        return printed(self.line.target.expr)

    @property
    def out(self) -> str:
        """The tensor that the line goes back through."""
        assert self.line.through is not None
        return self.line.through.node.variable

    @property
    def upstream_of(self) -> str:
        """What the gradient that arrives is of: the tensor that the line goes back through, or a part of its line."""
        node = self.names.gradients.get(self.picture.arrives or "")
        return self.out if node is None or node.name else printed(node.expr)

    @property
    def only_path(self) -> bool:
        """Whether its forward line reads the tensor once, and its gradient comes back through this line alone."""
        line = self.line
        assert line.through is not None
        # what stands under `.detach()` is read, too, and moves the result when the tensor does
        reads = [
            one for one in nodes_in(line.through.node.written) if isinstance(one, ast.Name) and one.id == self.target
        ]
        once = max(len(line.uses), len(reads)) <= 1
        return once and all(other.target is not line.target for other, _ in self.siblings)

    @property
    def powers(self) -> set[float]:
        """The numbers that this tensor is raised to in the forward line."""
        assert self.line.through is not None
        raised = (part for part in nodes_in(self.line.through.node.written) if isinstance(part, ast.BinOp))
        exponents = {
            number(part.right)
            for part in raised
            if isinstance(part.op, ast.Pow) and self.target in _codes_in(part.left)
        }
        return {float(one) for one in exponents if one is not None}

    @property
    def local(self) -> ast.expr | None:
        """The local derivative, where the picture has one factor of that role."""
        found = [operand.expr for operand in self.picture.operands if operand.role == "local"]
        return found[0] if len(found) == 1 else None

    @property
    def arriving(self) -> ast.expr | None:
        """What the local derivative is multiplied by."""
        found = [operand.expr for operand in self.picture.operands if operand.role != "local"]
        return found[0] if len(found) == 1 else None

    def slopes_elsewhere(self) -> Iterator[tuple[ast.expr, str]]:
        """The local derivatives of the same forward line in its other inputs, of those that are written in it once."""
        ways = Counter([self.target, *(printed(line.target.expr) for line, _ in self.siblings)])
        whole = self.picture.arrives == f"d{self.out}"
        for line, picture in self.siblings if whole else []:
            if ways[printed(line.target.expr)] > 1 or len(line.uses) > 1:
                continue
            local = [operand.expr for operand in picture.operands if operand.role == "local"]
            alike = picture.kind == "product" and len(local) == 1 and picture.arrives == self.picture.arrives
            if alike and self.names.number(local[0]) is None:
                yield local[0], printed(line.target.expr)


def _codes_in(expr: ast.expr) -> set[str]:
    return {printed(part) for part in nodes_in(expr) if isinstance(part, ast.expr)}
