"""Functions of one cell at a time: the local derivative times what arrives."""

from __future__ import annotations

from backend.ops.base import Op, register


@register
class Exp(Op):
    """Cell-by-cell exponential."""

    written = "torch.exp(x)", "x.exp()"
    backward = {"x": "out * g"}
    because = {"x": "The exponential is its own derivative: the local derivative is {out} itself."}
    cells = {"x": "out[c] * g[c]"}
    samples = "(2,3)", "()"


@register
class Log(Op):
    """Cell-by-cell natural logarithm."""

    written = "torch.log(x)", "x.log()"
    backward = {"x": "g / x"}
    because = {
        "x": "The slope of the logarithm at {x} is 1 over {x}: small values feel every nudge, large ones hardly."
    }
    cells = {"x": "g[c] / x[c]"}
    samples = "(2,3)+", "()+"


@register
class Tanh(Op):
    """Cell-by-cell hyperbolic tangent."""

    written = "torch.tanh(x)", "x.tanh()", "F.tanh(x)"
    backward = {"x": "(1.0 - out**2) * g"}
    exact = {"x": "torch.addcmul(torch.ones_like(out), out, out, value=-1) * g"}
    why_not_exact = "autograd computes tanh's `1 - h*h` with a fused multiply-add, which rounds once where the readable line rounds twice"
    because = {
        "x": "The slope of tanh can be read off its output: 1 - {out}². Where {out} is near ±1 nothing gets through."
    }
    cells = {"x": "(1 - out[c]**2) * g[c]"}
    samples = "(2,3)", "()"
