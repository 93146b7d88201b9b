"""Activations: what a neuron does with its sum, cell by cell."""

from __future__ import annotations

from backend.engine.ops.base import Call, Op
from backend.engine.ops.pointwise import Pointwise


class Tanh(Pointwise):
    """Cell-by-cell hyperbolic tangent."""

    written = "torch.tanh(x)", "x.tanh()", "F.tanh(x)"
    symbol = "tanh"
    steepest, flat_word = 1.0, "saturated"
    backward = {"x": "(1.0 - out**2) * g"}
    exact = {"x": "torch.addcmul(torch.ones_like(out), out, out, value=-1) * g"}
    why_not_exact = "autograd computes tanh's `1 - h*h` with a fused multiply-add, which rounds only once"
    rates = {
        "diagonal": "tanh: each cell of {node} moves with its own cell of {input}, at the rate 1 − {node}². It is never more than 1."
    }
    because = {
        "x": "tanh's slope follows from its output: {=1 - out**2}. Where {out} is close to ±1, almost nothing gets through."
    }
    briefly = {"x": "tanh's slope follows from its output: {=1 - out**2}."}


class Sigmoid(Pointwise):
    """Cell-by-cell logistic function."""

    written = "torch.sigmoid(x)", "x.sigmoid()", "F.sigmoid(x)", "torch.special.expit(x)"
    symbol = "σ"
    steepest, flat_word = 0.25, "saturated"
    backward = {"x": "g * (1.0 - out) * out"}
    rates = {
        "diagonal": "Sigmoid: each cell of {node} moves with its own cell of {input}. The rate is {node} × (1 − {node}), never more than 1/4."
    }
    because = {"x": "The sigmoid's slope follows from its output: {=out * (1 - out)}, never more than 1/4."}
    briefly = {"x": "The sigmoid's slope follows from its output: {=out * (1 - out)}."}
    cell = "sigmoid(x)"


class LogSigmoid(Pointwise):
    """Cell-by-cell logarithm of the logistic function."""

    written = ("F.logsigmoid(x)",)
    backward = {"x": "torch.sigmoid(-x) * g"}
    why_not_exact = "autograd's own kernel for log σ does this in one pass, and rounds elsewhere"
    because = {"x": "The slope is {=torch.sigmoid(-x)}: 1 far to the left of zero, 0 far to the right."}
    cell = "log(sigmoid(x))"


class Relu(Pointwise):
    """Cell-by-cell rectifier: negative cells become 0."""

    written = "torch.relu(x)", "x.relu()", "F.relu(x)"
    symbol = "relu"
    steepest, flat_word = 1.0, "dead"
    backward = {"x": "(out > 0) * g"}
    selects = {"x": "torch.where(out > 0, g, 0.0)"}
    rates = {"mask": "ReLU: the rate is 1 where {input} is positive, and 0 where it was cut off."}
    because = {"x": "Where {x} was positive the gradient passes; elsewhere it stops."}
    cell = "max(x, 0)"


class LeakyRelu(Pointwise):
    """Cell-by-cell rectifier that keeps a small slope for negative cells."""

    written = ("F.leaky_relu(x, negative_slope=0.01)",)
    backward = {"x": "torch.where(x > 0, 1.0, negative_slope) * g"}
    because = {"x": "Where {x} was positive the gradient passes; elsewhere it is multiplied by {negative_slope}."}
    cell = "x if x > 0 else negative_slope * x"
    samples = "(2,3)", "(2,3) negative_slope=0.2"


class Elu(Pointwise):
    """Cell-by-cell exponential linear unit."""

    written = ("F.elu(x, alpha=1.0)",)
    backward = {"x": "torch.where(x > 0, 1.0, alpha * torch.exp(x)) * g"}
    because = {"x": "Where {x} was positive the gradient passes; below zero the slope is {alpha * torch.exp(x)}."}
    cell = "x if x > 0 else alpha * (exp(x) - 1)"
    samples = "(2,3)", "(2,3) alpha=0.5"


class Gelu(Pointwise):
    """Cell-by-cell Gaussian error linear unit, exact or by tanh (Hendrycks and Gimpel, 2016)."""

    written = ("F.gelu(x, approximate='none')",)
    backward = {"x": "slope * g"}
    why_not_exact = "autograd's own kernel for GELU does this in one pass, and rounds elsewhere"
    because = {"x": "{x} is multiplied by a gate. The product rule gives the gate, plus {x} times the gate's slope."}
    does = "{it} is the Gaussian error linear unit{cellwise}."
    samples = "(2,3)", "(2,3) approximate='tanh'"
    aids = {"t": "torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))"}

    @classmethod
    def cell_for(cls, call: Call) -> str:
        bell = {"tanh": "tanh(sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))", "none": "erf(x / sqrt(2))"}
        return f"0.5 * x * (1 + {bell[call.parameters['approximate']]})"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        if call.parameters["approximate"] == "tanh":
            inner = "math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x**2)"
            return {"slope": f"(0.5 * (1 + t) + 0.5 * x * (1 - t**2) * {inner})"}
        bell = "torch.exp(-x**2 / 2) / math.sqrt(2 * math.pi)"
        return {"slope": f"(0.5 * (1 + torch.erf(x / math.sqrt(2))) + x * {bell})"}


class Silu(Pointwise):
    """Cell-by-cell sigmoid linear unit: each cell times its sigmoid."""

    written = ("F.silu(x)",)
    backward = {"x": "s * (1 + x * (1 - s)) * g"}
    why_not_exact = "autograd's own kernel for SiLU does this in one pass, and rounds elsewhere"
    because = {"x": "{x} is multiplied by a gate. The product rule gives the gate, plus {x} times the gate's slope."}
    cell = "x * sigmoid(x)"
    aids = {"s": "torch.sigmoid(x)"}


class Softplus(Pointwise):
    """Cell-by-cell softplus, a smooth rectifier."""

    written = ("F.softplus(x, beta=1.0, threshold=20.0)",)
    backward = {"x": "torch.where(beta * x > threshold, 1.0, torch.sigmoid(beta * x)) * g"}
    why_not_exact = "autograd's own kernel for softplus does this in one pass, and rounds elsewhere"
    because = {"x": "The slope of softplus is a sigmoid: 0 far to the left of zero, 1 far to the right."}
    cell = "x if beta * x > threshold else log(1 + exp(beta * x)) / beta"
    samples = "(2,3)", "(2,3) beta=2.0"


class HardTanh(Pointwise):
    """Every cell held between two bounds, −1 and 1 unless others are given."""

    written = ("F.hardtanh(x, min_val=-1.0, max_val=1.0)",)
    backward = {"x": "(x > min_val) * (x < max_val) * g"}
    because = {"x": "Between {min_val} and {max_val} the gradient passes; a cell held at a bound gets none."}
    does = "{it} holds every cell between {min_val} and {max_val}."
    passed_straight = True
    cell = "min(max(x, min_val), max_val)"


class Relu6(Pointwise):
    """Cell-by-cell rectifier that ends at 6."""

    written = ("F.relu6(x)",)
    backward = {"x": "(x > 0) * (x < 6) * g"}
    because = {"x": "Between 0 and 6 the gradient passes; a cell held at a bound gets none."}
    cell = "min(max(x, 0), 6)"


class Selu(Pointwise):
    """Cell-by-cell scaled exponential linear unit (Klambauer et al., 2017)."""

    written = "F.selu(x)", "torch.selu(x)"
    backward = {"x": "1.0507009873554805 * torch.where(x > 0, 1.0, 1.6732632423543772 * torch.exp(x)) * g"}
    why_not_exact = "autograd's own kernel multiplies the same factors in another order"
    because = {"x": "Where {x} was positive the slope is 1.0507; below zero it is that of a scaled exponential."}
    cell = "1.0507009873554805 * (x if x > 0 else 1.6732632423543772 * (exp(x) - 1))"


class Celu(Pointwise):
    """Cell-by-cell exponential linear unit whose slope has no jump."""

    written = "F.celu(x, alpha=1.0)", "torch.celu(x, alpha=1.0)"
    backward = {"x": "torch.where(x > 0, 1.0, torch.exp(x / alpha)) * g"}
    because = {"x": "Where {x} was positive the gradient passes; below zero the slope is {torch.exp(x / alpha)}."}
    samples = "(2,3)", "(2,3) alpha=0.5"
    cell = "x if x > 0 else alpha * (exp(x / alpha) - 1)"


class Mish(Pointwise):
    """Cell-by-cell Mish: each cell times the tanh of its softplus."""

    written = ("F.mish(x)",)
    backward = {"x": "(t + x * (1 - t**2) * torch.sigmoid(x)) * g"}
    why_not_exact = "autograd's own kernel does this in one pass, and rounds elsewhere"
    because = {"x": "{x} is multiplied by a gate. The product rule gives the gate, plus {x} times the gate's slope."}
    aids = {"t": "torch.tanh(F.softplus(x))"}
    cell = "x * tanh(log(1 + exp(x)))"


class HardSigmoid(Pointwise):
    """Cell-by-cell hard sigmoid: a straight line, held between 0 and 1."""

    written = ("F.hardsigmoid(x)",)
    backward = {"x": "(x > -3) * (x < 3) / 6 * g"}
    because = {"x": "Between −3 and 3 the slope is 1/6; a cell held at a bound gets no gradient."}
    cell = "min(max(x / 6 + 1 / 2, 0), 1)"


class HardSwish(Pointwise):
    """Cell-by-cell hard swish: each cell times its hard sigmoid."""

    written = ("F.hardswish(x)",)
    backward = {"x": "torch.where(x < -3, 0.0, torch.where(x <= 3, x / 3 + 0.5, 1.0)) * g"}
    because = {"x": "{x} is multiplied by a gate: left of −3 nothing gets through, right of 3 all of it."}
    cell = "x * min(max(x / 6 + 1 / 2, 0), 1)"


class SoftSign(Pointwise):
    """Cell-by-cell softsign: each cell over 1 plus its size."""

    written = ("F.softsign(x)",)
    backward = {"x": "g / (1 + torch.abs(x))**2"}
    why_not_exact = "torch computes this in smaller steps, and autograd goes back through each"
    because = {"x": "The slope is {=1 / (1 + torch.abs(x))**2}: steep near zero, flat far out."}
    cell = "x / (1 + abs(x))"


class Glu(Op):
    """The first half of an axis, times the sigmoid of the second (Dauphin et al., 2017)."""

    written = ("F.glu(x, dim=-1)",)
    backward = {"x": "torch.cat((gate * g, (1 - gate) * out * g), dim)"}
    why_not_exact = "autograd's own kernel does this in one pass, and rounds elsewhere"
    because = {"x": "Product rule: the first half gets the gate, the second half the gate's slope times the first."}
    does = "{it} multiplies the first half of {x} by the sigmoid of the second."
    aids = {"gate": "torch.sigmoid(x.chunk(2, dim)[1])"}
    samples = "(2,4)", "(4,3) dim=0"
