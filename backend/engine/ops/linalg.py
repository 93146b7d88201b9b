"""Matrices as a whole: inverses, solutions, determinants and factors, of one matrix or of each in a stack."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from backend.engine.ops.base import Call, Op, Shape
from backend.engine.ops.cases import ByCase

SINGLE, EACH = ("x.ndim == 2",), ()
OWN_KERNEL = "autograd's own kernel multiplies in another order"


class Square(ByCase):
    """What operations on a square matrix share: they cost as much as its rows squared, for each cell."""

    why_not_exact = OWN_KERNEL

    @classmethod
    def multiplications(cls, bound: Mapping[str, Any], out: Shape) -> int:
        return math.prod(out) * int(bound["x"].shape[-1]) ** (2 if len(out) + 2 > len(bound["x"].shape) else 3)


class Inverse(Square):
    """The inverse of a square matrix."""

    written = "torch.linalg.inv(x)", "torch.inverse(x)", "x.inverse()"
    cases = ((SINGLE, {"x": "-out.T @ g @ out.T"}), (EACH, {"x": "-out.mT @ g @ out.mT"}))
    called = {"A": "x"}
    because = {
        "x": "Since {x} times {out} is fixed, a nudge of {x} moves {out} by minus that nudge between two inverses."
    }
    does = "{it} is the inverse of the matrix {x}."
    samples = "(3,3)", "(2,2,2)"


class Determinant(Square):
    """The determinant of a square matrix."""

    written = "torch.linalg.det(x)", "torch.det(x)", "x.det()"
    called = {"A": "x"}
    cases = (
        (SINGLE, {"x": "g * out * torch.linalg.inv(x).T"}),
        (EACH, {"x": "(g * out)[..., None, None] * torch.linalg.inv(x).mT"}),
    )
    because = {"x": "The slope by one cell is its cofactor: the determinant times the cell across in the inverse."}
    does = "{it} is the determinant of {x}."
    samples = "(3,3)", "(2,2,2)"


class LogDeterminant(Square):
    """The logarithm of a matrix's determinant."""

    written = "torch.logdet(x)", "x.logdet()"
    cases = (
        (SINGLE, {"x": "g * torch.linalg.inv(x).T"}),
        (EACH, {"x": "g[..., None, None] * torch.linalg.inv(x).mT"}),
    )
    because = {"x": "The slope of a log-determinant is the inverse, transposed: {=torch.linalg.inv(x).mT}."}
    does = "{it} is the logarithm of the determinant of {x}."
    samples = "(3,3)spd", "(2,2,2)spd"


class SignAndLogDeterminant(Op):
    """The sign of a matrix's determinant, and the logarithm of its size."""

    written = "torch.linalg.slogdet(x)", "torch.slogdet(x)", "x.slogdet()"
    called = {"A": "x"}
    backward = {"x": "through_part"}
    because = {"x": "The slope of a log-determinant is the inverse, transposed; the sign is flat."}
    does = "{it} are the sign of the determinant of {x} and the logarithm of its size."
    why_not_exact = OWN_KERNEL
    multiplications = Square.multiplications
    samples = "(3,3)", "(2,2,2)"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        if call.parameters["part"] == 0:
            return {"through_part": "torch.zeros_like(x)"}
        wide = "g" if len(call.shapes["x"]) == 2 else "g[..., None, None]"
        return {"through_part": f"{wide} * torch.linalg.inv(x).mT"}


def is_vector(call: Call) -> bool:
    """Whether the right side of an equation is one vector for each matrix."""
    return len(call.shapes["y"]) == len(call.shapes["x"]) - 1


class Equation(Op):
    """What solving for a matrix shares: the right side's gradient solves the transposed equation."""

    why_not_exact = OWN_KERNEL
    does = "{it} is the solution of an equation with the matrix {x} and the right side {y}."

    @classmethod
    def accepts(cls, bound: Mapping[str, Any], is_tensor: Any) -> bool:
        """Both are tensors, of as many matrices: what torch would stretch has no rule here."""
        x, y = bound["x"], bound["y"]
        whole = super().accepts(bound, is_tensor) and is_tensor(x) and is_tensor(y)
        return bool(whole and (x.shape[:-2] == y.shape[:-2] or x.shape[:-1] == y.shape) and bound.get("out") is None)

    @classmethod
    def multiplications(cls, bound: Mapping[str, Any], out: Shape) -> int:
        return math.prod(out) * int(bound["x"].shape[-1]) ** 2


class Solve(Equation):
    """The solution of a linear equation: what the matrix takes to the right side."""

    written = ("torch.linalg.solve(x, y, left=True)",)
    called = {"A": "x", "B": "y"}
    by_name = frozenset({"left"})
    backward = {"x": "from_both", "y": "towards"}
    because = {
        "x": "A nudge of {x} moves {out} like a nudge of {y} by minus that times {out}.",
        "y": "{out} is the inverse of {x} times {y}: its gradient goes back through the transposed matrix.",
    }
    samples = "(3,3) (3,2)", "(3,3) (3,)", "(2,3,3) (2,3,2)", "(3,3) (2,3) left=False"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        left = call.parameters["left"]
        towards = f"torch.linalg.solve(x.mT, g{'' if left else ', left=False'})"
        if is_vector(call):
            return {"towards": towards, "from_both": f"-({towards}).unsqueeze(-1) * out.unsqueeze(-2)"}
        return {"towards": towards, "from_both": f"-{towards} @ out.mT" if left else f"-out.mT @ {towards}"}


class SolveTriangular(Equation):
    """The solution of a linear equation with a triangular matrix, row by row."""

    written = ("torch.linalg.solve_triangular(x, y, upper=None, left=True, unitriangular=False)",)
    called = {"A": "x", "B": "y"}
    by_name = frozenset({"upper", "left", "unitriangular"})
    backward = {"x": "triangle", "y": "towards"}
    because = {
        "x": "A nudge of {x} moves {out} like a nudge of {y} by minus that times {out}; only the triangle is read.",
        "y": "{out} is the inverse of {x} times {y}: its gradient goes back through the transposed matrix.",
    }
    samples = (
        "(3,3) (3,2) upper=False",
        "(2,3,3) (2,3,2) upper=True",
        "(3,3) (2,3) upper=True left=False",
        "(3,3) (3,2) upper=False unitriangular=True",
    )

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        upper, left, unit = (call.parameters[name] for name in ("upper", "left", "unitriangular"))
        settings = f", upper={not upper}" + ("" if left else ", left=False") + (", unitriangular=True" if unit else "")
        towards = f"torch.linalg.solve_triangular(x.mT, g{settings})"
        both = f"({towards} @ out.mT)" if left else f"(out.mT @ {towards})"
        cut = f"{'triu' if upper else 'tril'}({(1 if upper else -1) if unit else ''})"
        return {"towards": towards, "triangle": f"-{both}.{cut}"}


class MatrixExponential(Op):
    """The exponential of a square matrix: the limit of many small steps along it."""

    written = "torch.matrix_exp(x)", "torch.linalg.matrix_exp(x)", "x.matrix_exp()"
    called = {"A": "x"}
    backward = {"x": "torch.matrix_exp(torch.cat([upper, lower], -2))[..., :size, size:]"}
    because = {
        "x": "The exponential of a block matrix holds in its corner how the exponential of {x} moves (Van Loan, 1978)."
    }
    does = "{it} is the exponential of the matrix {x}."
    why_not_exact = OWN_KERNEL
    multiplications = Square.multiplications
    aids = {"upper": "torch.cat([x.mT, g], -1)", "lower": "torch.cat([torch.zeros_like(x), x.mT], -1)"}
    samples = "(3,3)", "(2,2,2)"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"size": str(call.out[-1])}
