"""Arithmetic: a formula sheet. `g` is the upstream gradient, and every rule returns its input's own shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from backend.ops.base import Call, Op, register

if TYPE_CHECKING:
    import torch

PAIRS = ("(2,3) (2,3)", "(2,3) (3,)", "(2,1) (1,3)", "() (4,)", "(3,) number", "number (2,2)")


class Term(Op):
    """What sum and difference share: `scaled` is what arrives, times the second term's factor where one is given."""

    @classmethod
    def says(cls, call: Call) -> str:
        return cls.cell if "alpha" in call.parameters else cls.written[0]

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"scaled": "alpha * g" if call.parameters.get("alpha", 1) != 1 else "g"}


@register
class Add(Term):
    """Cell-by-cell sum, x + y."""

    written = "x + y", "torch.add(x, y, alpha=1)", "x.add(y, alpha=1)"
    backward = {"x": "g", "y": "scaled"}
    because = {
        "x": "In a sum each term moves {out} exactly as far as it moves itself: the gradient passes through unchanged.",
        "y": "In a sum each term moves {out} exactly as far as it moves itself: the gradient passes through unchanged.",
    }
    cell = "x + alpha * y"
    samples = *PAIRS, "(2,3) (2,3) alpha=2"
    broadcasts = True


@register
class Sub(Term):
    """Cell-by-cell difference, x - y."""

    written = "x - y", "torch.sub(x, y, alpha=1)", "x.sub(y, alpha=1)", "torch.subtract(x, y, alpha=1)"
    backward = {"x": "g", "y": "-scaled"}
    because = {
        "x": "{x} moves {out} exactly as far as it moves itself: the gradient passes through unchanged.",
        "y": "{y} is subtracted: when it grows, {out} shrinks as much, so the gradient changes its sign.",
    }
    cell = "x - alpha * y"
    samples = *PAIRS, "(2,3) (2,3) alpha=2"
    broadcasts = True


@register
class Mul(Op):
    """Cell-by-cell product, x * y."""

    written = "x * y", "torch.mul(x, y)", "x.mul(y)", "torch.multiply(x, y)", "x.multiply(y)"
    backward = {"x": "y * g", "y": "x * g"}
    rates = {
        "diagonal": "the rates are the other factor's cells, with nothing between cells.",
        "scaled identity": "the rate is the other factor's, {rate} for every cell, with nothing between cells.",
        "selection": "the rates are the other factor's cells: one cell of {input} moves many of {node}.",
    }
    because = {
        "x": "{out} moves {y} times as far as {x} does, cell by cell: the local derivative is the other factor.",
        "y": "{out} moves {x} times as far as {y} does, cell by cell: the local derivative is the other factor.",
    }
    cell = "x * y"
    samples = PAIRS
    broadcasts = True


@register
class Div(Op):
    """Cell-by-cell quotient, x / y."""

    written = "x / y", "torch.div(x, y)", "x.div(y)", "torch.divide(x, y)", "torch.true_divide(x, y)", "x.divide(y)"
    backward = {"x": "g / y", "y": "-out / y * g"}
    because = {
        "x": "Dividing by {y} makes every step of {x} that much smaller: the local derivative is 1 over {y}.",
        "y": "A larger divisor makes the quotient smaller: the local derivative of x / y is -x / y², which is -{out} / {y}.",
    }
    cell = "x / y"
    samples = PAIRS
    broadcasts = True


@register
class Neg(Op):
    """Every cell with its sign changed, -x."""

    written = "-x", "torch.neg(x)", "x.neg()", "torch.negative(x)", "x.negative()"
    backward = {"x": "-g"}
    because = {"x": "{out} moves against {x}: the gradient changes its sign."}
    cell = "-x"
    samples = "(2,3)", "()"


@register
class Pow(Op):
    """Cell-by-cell power, x ** n."""

    called = {"exponent": "n"}
    written = "x ** n", "torch.pow(x, n)", "x.pow(n)"
    backward = {"x": "to_x", "n": "to_n"}
    because = {
        "x": "The power rule: the exponent comes down in front, and one power less of {x} remains.",
        "n": "x**n grows with n by a factor log x: the local derivative is {out} times the logarithm of the base.",
    }
    samples = (
        "(2,3)+ 2", "(2,3)+ -0.5", "(4,)+ 3", "(3,)+ -1", "(2,3)+ (3,)", "(3,)+ 1", "(3,) 0", "number (2,2)",
    )  # fmt: skip
    cell = "x ** n"
    broadcasts = True

    @classmethod
    def noticed(cls, bound: Mapping[str, Any], numbers: Callable[[Any], torch.Tensor]) -> dict[str, Any]:
        """Whether zero is raised to powers that are a tensor."""
        base, power = bound["x"], bound["n"]
        if isinstance(power, int | float):
            return {}
        return {"zero": bool((numbers(base) == 0).any()) if hasattr(base, "shape") else base == 0}

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        base = call.parameters.get("x", 1.0)
        to_x, log = "n * x**(n - 1) * g", "torch.log(x)" if "x" in call.shapes else "math.log(x)"
        if "x" not in call.shapes and base <= 0:
            log = "-math.inf" if base == 0 else "torch.log(torch.tensor(x))"
        if call.parameters.get("n") == 0:
            # torch gives zero for x**0, where the power rule would divide zero by zero at x = 0.
            return {"to_x": "torch.zeros_like(x)"}
        if not call.parameters.get("zero"):
            return {"to_x": to_x, "to_n": f"out * {log} * g"}
        at_zero = "torch.logical_and(x == 0, n >= 0)" if "x" in call.shapes else "n >= 0"
        return {"to_x": f"torch.where(n == 0, 0.0, {to_x})", "to_n": f"torch.where({at_zero}, 0.0, out * {log} * g)"}
