"""Arithmetic: a formula sheet. `g` is the upstream gradient, and every rule returns its input's own shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from backend.engine.language.values import Parameters
from backend.engine.ops.base import Call, Op

if TYPE_CHECKING:
    import torch

PAIRS = ("(2,3) (2,3)", "(2,3) (3,)", "(2,1) (1,3)", "() (4,)", "(3,) number", "number (2,2)")


class Arithmetic(Op):
    """What the signs of arithmetic share."""

    arithmetic = True


class Scaling(Arithmetic):
    """What only scales a tensor, or turns its sign, where nothing else but a number is there."""

    @classmethod
    def is_light(cls, call: Call) -> bool:
        return len(call.shapes) == 1


class Term(Arithmetic):
    """What sum and difference share: `scaled` is what arrives, times the second term's factor where one is given."""

    scaled: ClassVar[str]

    @classmethod
    def cell_for(cls, call: Call) -> str:
        return cls.cell if "alpha" in call.parameters else cls.written[0]

    times: ClassVar[str]

    @classmethod
    def does_for(cls, call: Call) -> str:
        return cls.times if call.parameters.get("alpha", 1) != 1 else super().does_for(call)

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        scaled = name == "y" and call.parameters.get("alpha", 1) != 1
        return cls.scaled if scaled else super().because_for(name, call)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"scaled": "alpha * g" if call.parameters.get("alpha", 1) != 1 else "g"}


class Add(Term):
    """Cell-by-cell sum."""

    written = "x + y", "torch.add(x, y, alpha=1)", "x.add(y, alpha=1)"
    backward = {"x": "g", "y": "scaled"}
    because = {
        "x": "Nudge {x} by ε and {out} moves by ε: the gradient passes unchanged.",
        "y": "Nudge {y} by ε and {out} moves by ε: the gradient passes unchanged.",
    }
    does = "{it} is the sum of {x} and {y}{cellwise}."
    briefly = {
        "x": "{x} is added: the gradient passes unchanged.",
        "y": "{y} is added: the gradient passes unchanged.",
    }
    scaled = "{y} is multiplied by {alpha} and added: the local derivative is {=alpha}."
    times = "{it} is the sum of {x} and {alpha * y}{cellwise}."
    cell = "x + alpha * y"
    samples = *PAIRS, "(2,3) (2,3) alpha=2"
    broadcasts = True


class Sub(Term):
    """Cell-by-cell difference."""

    written = "x - y", "torch.sub(x, y, alpha=1)", "x.sub(y, alpha=1)", "torch.subtract(x, y, alpha=1)"
    backward = {"x": "g", "y": "-scaled"}
    because = {
        "x": "{x} enters with a plus: nudge it by ε and {out} moves by ε. The gradient passes unchanged.",
        "y": "{y} enters with a minus: as it grows, {out} shrinks by the same amount. The gradient changes sign.",
    }
    does = "{it} is {x} less {y}{cellwise}."
    briefly = {
        "x": "{x} enters with a plus: the gradient passes unchanged.",
        "y": "{y} enters with a minus: the gradient changes sign.",
    }
    scaled = "{y} is multiplied by {alpha} and subtracted: the local derivative is {=-alpha}."
    times = "{it} is {x} less {alpha * y}{cellwise}."
    cell = "x - alpha * y"
    samples = *PAIRS, "(2,3) (2,3) alpha=2"
    broadcasts = True

    @classmethod
    def is_light(cls, call: Call) -> bool:
        return True


class Mul(Scaling):
    """Cell-by-cell product."""

    written = "x * y", "torch.mul(x, y)", "x.mul(y)", "torch.multiply(x, y)", "x.multiply(y)"
    backward = {"x": "y * g", "y": "x * g"}
    zeros = frozenset({"x", "y"})
    rates = {
        "diagonal": "Product: each cell of {node} moves with its own cell of {input}, at the rate of the other factor.",
        "scaled identity": "Product: each cell of {node} moves with its own cell of {input}, all at the rate {rate} of the other factor.",
        "selection": "Product: one cell of {input} moves {moved} of {node}, each at the rate of the other factor.",
    }
    because = {
        "x": "Nudge {x} by ε and {out} moves by {=y}·ε: in a product, the local derivative is the other factor.",
        "y": "Nudge {y} by ε and {out} moves by {=x}·ε: in a product, the local derivative is the other factor.",
    }
    does = "{it} is the product of {x} and {y}{cellwise}."
    briefly = {
        "x": "In a product, the local derivative is the other factor, {=y}.",
        "y": "In a product, the local derivative is the other factor, {=x}.",
    }
    cell = "x * y"
    samples = PAIRS
    broadcasts = True


class Div(Scaling):
    """Cell-by-cell quotient."""

    written = "x / y", "torch.div(x, y)", "x.div(y)", "torch.divide(x, y)", "torch.true_divide(x, y)", "x.divide(y)"
    backward = {"x": "g / y", "y": "-out / y * g"}
    poles = frozenset({"y"})
    zeros = frozenset({"x"})
    because = {
        "x": "Dividing by {y} divides every nudge of {x} too: the local derivative is {=1 / y}.",
        "y": "A divisor further from zero brings the quotient closer to it: the local derivative is {=-out / y}.",
    }
    does = "{it} is {x} over {y}{cellwise}."
    briefly = {
        "x": "Dividing by {y} divides the gradient by {y} too.",
        "y": "For a divisor, the local derivative is {=-out / y}.",
    }
    cell = "x / y"
    samples = PAIRS
    broadcasts = True


class Neg(Scaling):
    """Every cell with its sign changed."""

    written = "-x", "torch.neg(x)", "x.neg()", "torch.negative(x)", "x.negative()"
    backward = {"x": "-g"}
    zeros = frozenset({"x"})
    because = {"x": "A minus sign in front: the gradient changes sign."}
    does = "{it} changes the sign of every cell."
    cell = "-x"
    samples = "(2,3)", "()"


class Pow(Arithmetic):
    """Cell-by-cell power."""

    called = {"exponent": "n"}
    written = "x ** n", "torch.pow(x, n)", "x.pow(n)"
    backward = {"x": "to_x", "n": "to_n"}
    because = {
        "x": "Power rule: the exponent comes down in front and drops by one, which gives {=n * x**(n - 1)}.",
        "n": "In {n} the power is an exponential: the local derivative is {out} times the logarithm of the base.",
    }
    does = "{it} is {x} to the power {n}{cellwise}."
    briefly = {"x": "Power rule: the local derivative is {=n * x**(n - 1)}."}
    samples = (
        "(2,3)+ 2", "(2,3)+ -0.5", "(4,)+ 3", "(3,)+ -1", "(2,3)+ (3,)", "(3,)+ 1", "(3,) 0", "number (2,2)",
    )  # fmt: skip
    cell = "x ** n"
    broadcasts = True
    masks = False

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        if name == "x" and call.parameters.get("n") == 0:
            return "Any number to the power 0 is 1, so a nudge changes nothing: nothing gets through."
        if name == "x" and call.parameters.get("n") == 1:
            return "To the power 1, {x} stays as it is: the gradient passes unchanged."
        return super().because_for(name, call)

    @classmethod
    def has_pole(cls, name: str, call: Call) -> bool:
        power = call.parameters.get("n")
        return name == "x" and power is not None and power < 1 and power != 0

    @classmethod
    def keeps_zeros(cls, name: str, call: Call) -> bool:
        return name == "x" and (call.parameters.get("n") or 0) > 0

    @classmethod
    def noticed(cls, bound: Mapping[str, Any], numbers: Callable[[Any], torch.Tensor]) -> Parameters:
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
        if call.parameters.get("n") == 1:
            return {"to_x": "g"}
        if not call.parameters.get("zero"):
            return {"to_x": to_x, "to_n": f"out * {log} * g"}
        at_zero = "torch.logical_and(x == 0, n >= 0)" if "x" in call.shapes else "n >= 0"
        return {"to_x": f"torch.where(n == 0, 0.0, {to_x})", "to_n": f"torch.where({at_zero}, 0.0, out * {log} * g)"}


class AddCMul(Arithmetic):
    """A sum with a product, rounded once."""

    called = {"input": "x", "tensor1": "a", "tensor2": "b"}
    written = "torch.addcmul(x, a, b, value=1)", "x.addcmul(a, b, value=1)"
    backward = {"x": "g", "a": "value * b * g", "b": "value * a * g"}
    because = {
        "x": "{x} is added: the gradient passes unchanged.",
        "a": "In a product, the local derivative is the rest of it, {=value * b}.",
        "b": "In a product, the local derivative is the rest of it, {=value * a}.",
    }
    does = "{it} is the sum of {x} and {value * a * b}{cellwise}."
    cell = "x + value * a * b"
    drawn = "add product"
    samples = "(2,3) (2,3) (2,3)", "(2,3) (3,) (2,1) value=2", "(3,) (3,) () value=-0.5"
    broadcasts = True
