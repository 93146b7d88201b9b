"""Special functions, cell by cell: each slope is another function of the same family."""

from __future__ import annotations

from backend.engine.ops.base import Call, Op
from backend.engine.ops.pointwise import POSITIVE, Pointwise


class Erf(Pointwise):
    """Cell-by-cell error function."""

    written = "torch.erf(x)", "x.erf()", "torch.special.erf(x)"
    symbol = "erf"
    backward = {"x": "2 / math.sqrt(math.pi) * torch.exp(-x**2) * g"}
    because = {"x": "The error function is the integral of a bell curve, so its slope is that bell curve."}


class Erfc(Pointwise):
    """Cell-by-cell complement of the error function."""

    written = "torch.erfc(x)", "x.erfc()", "torch.special.erfc(x)"
    symbol = "erfc"
    backward = {"x": "-2 / math.sqrt(math.pi) * torch.exp(-x**2) * g"}
    because = {"x": "1 minus the error function: its slope is the bell curve, with a minus."}
    cell = "1 - erf(x)"


class ErfInv(Pointwise):
    """Cell-by-cell inverse of the error function."""

    written = "torch.erfinv(x)", "x.erfinv()", "torch.special.erfinv(x)"
    backward = {"x": "math.sqrt(math.pi) / 2 * torch.exp(out**2) * g"}
    because = {"x": "It undoes the error function, so its slope is one over that bell curve at {out}."}
    samples = "(2,3)01", "()01"


class LGamma(Pointwise):
    """Cell-by-cell logarithm of the gamma function, which continues the factorial."""

    written = "torch.lgamma(x)", "x.lgamma()", "torch.special.gammaln(x)"
    backward = {"x": "torch.digamma(x) * g"}
    poles = frozenset({"x"})
    because = {"x": "The slope of the log-gamma function is called digamma: {=torch.digamma(x)}."}
    samples = POSITIVE


class Digamma(Pointwise):
    """Cell-by-cell digamma: the slope of the log-gamma function."""

    written = "torch.digamma(x)", "x.digamma()", "torch.special.digamma(x)", "torch.special.psi(x)"
    backward = {"x": "torch.polygamma(1, x) * g"}
    poles = frozenset({"x"})
    because = {"x": "The slope of digamma is the next polygamma: {=torch.polygamma(1, x)}."}
    samples = POSITIVE


class Polygamma(Op):
    """Cell-by-cell polygamma: a further slope of the log-gamma function."""

    written = "torch.polygamma(n, x)", "torch.special.polygamma(n, x)"
    backward = {"x": "torch.polygamma(next_order, x) * g"}
    because = {"x": "Each polygamma is the slope of the one before."}
    does = "{it} is a further slope of the log-gamma function{cellwise}."
    cell = "polygamma(n, x)"
    keeps_axes = True
    samples = "(2,3)+ n=1", "(4,)+ n=2"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"next_order": str(call.parameters["n"] + 1)}


class BesselI0(Pointwise):
    """Cell-by-cell modified Bessel function of order 0."""

    written = "torch.i0(x)", "x.i0()", "torch.special.i0(x)"
    backward = {"x": "torch.special.i1(x) * g"}
    because = {"x": "The slope of this Bessel function is the one of order 1: {=torch.special.i1(x)}."}


class BesselI1(Pointwise):
    """Cell-by-cell modified Bessel function of order 1."""

    written = ("torch.special.i1(x)",)
    backward = {"x": "torch.where(x == 0, 0.5, torch.i0(x) - out / torch.where(x == 0, 1.0, x)) * g"}
    because = {"x": "The slope of this Bessel function is the one of order 0, less itself over its argument."}
    why_not_exact = "autograd's own kernel does this in one pass, and rounds elsewhere"


class Sinc(Pointwise):
    """Cell-by-cell sin πx over πx, and 1 at zero."""

    written = "torch.sinc(x)", "x.sinc()", "torch.special.sinc(x)"
    backward = {"x": "torch.where(x == 0, 0.0, (torch.cos(math.pi * x) - out) / torch.where(x == 0, 1.0, x)) * g"}
    because = {"x": "The quotient rule, by {x}: the slope is the cosine less the result, over {x}."}
    why_not_exact = "autograd's own kernel does this in one pass, and rounds elsewhere"


class NormalCdf(Pointwise):
    """Cell-by-cell distribution function of the normal distribution."""

    written = ("torch.special.ndtr(x)",)
    backward = {"x": "torch.exp(-x**2 / 2) / math.sqrt(2 * math.pi) * g"}
    because = {"x": "The slope of a distribution function is its density: here the bell curve."}
    why_not_exact = "autograd's own kernel does this in one pass, and rounds elsewhere"
    cell = "0.5 * (1 + erf(x / sqrt(2)))"
