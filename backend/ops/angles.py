"""Angles: sines and their like, their inverses, and the lengths that go with them."""

from __future__ import annotations

from backend.ops.base import Op, register
from backend.ops.pointwise import Pointwise

BETWEEN = "(2,3)01", "()01"


@register
class Sin(Pointwise):
    """Cell-by-cell sine."""

    written = "torch.sin(x)", "x.sin()"
    backward = {"x": "torch.cos(x) * g"}
    because = {"x": "The slope of the sine is the cosine."}


@register
class Cos(Pointwise):
    """Cell-by-cell cosine."""

    written = "torch.cos(x)", "x.cos()"
    backward = {"x": "-torch.sin(x) * g"}
    because = {"x": "The slope of the cosine is minus the sine."}


@register
class Tan(Pointwise):
    """Cell-by-cell tangent."""

    written = "torch.tan(x)", "x.tan()"
    backward = {"x": "(1 + out**2) * g"}
    because = {"x": "The slope of the tangent can be read off its output: 1 + {out}²."}


@register
class Atan(Pointwise):
    """Cell-by-cell inverse tangent."""

    written = "torch.atan(x)", "x.atan()", "torch.arctan(x)"
    backward = {"x": "g / (x**2 + 1)"}
    because = {"x": "The slope of the inverse tangent is 1 / (1 + x²): steep near zero, flat far out."}


@register
class Sinh(Pointwise):
    """Cell-by-cell hyperbolic sine."""

    written = "torch.sinh(x)", "x.sinh()"
    backward = {"x": "torch.cosh(x) * g"}
    because = {"x": "The slope of the hyperbolic sine is the hyperbolic cosine."}


@register
class Cosh(Pointwise):
    """Cell-by-cell hyperbolic cosine."""

    written = "torch.cosh(x)", "x.cosh()"
    backward = {"x": "torch.sinh(x) * g"}
    because = {"x": "The slope of the hyperbolic cosine is the hyperbolic sine."}


@register
class Asin(Pointwise):
    """Cell-by-cell inverse sine."""

    written = "torch.asin(x)", "x.asin()", "torch.arcsin(x)"
    backward = {"x": "g * torch.rsqrt(1 - x**2)"}
    because = {"x": "The slope of the inverse sine is 1 / √(1 - x²): steep without bound towards ±1."}
    samples = BETWEEN


@register
class Acos(Pointwise):
    """Cell-by-cell inverse cosine."""

    written = "torch.acos(x)", "x.acos()", "torch.arccos(x)"
    backward = {"x": "-g * torch.rsqrt(1 - x**2)"}
    because = {"x": "The slope of the inverse cosine is -1 / √(1 - x²): steep without bound towards ±1."}
    samples = BETWEEN


@register
class Asinh(Pointwise):
    """Cell-by-cell inverse hyperbolic sine."""

    written = "torch.asinh(x)", "x.asinh()", "torch.arcsinh(x)"
    backward = {"x": "g * torch.rsqrt(x**2 + 1)"}
    because = {"x": "The slope of the inverse hyperbolic sine is 1 / √(x² + 1): one at zero, small far out."}


@register
class Acosh(Pointwise):
    """Cell-by-cell inverse hyperbolic cosine."""

    written = "torch.acosh(x)", "x.acosh()", "torch.arccosh(x)"
    backward = {"x": "g * torch.rsqrt(x**2 - 1)"}
    because = {"x": "The slope of the inverse hyperbolic cosine is 1 / √(x² - 1): steep without bound towards 1."}
    samples = "(2,3)>1", "()>1"


@register
class Atanh(Pointwise):
    """Cell-by-cell inverse hyperbolic tangent."""

    written = "torch.atanh(x)", "x.atanh()", "torch.arctanh(x)"
    backward = {"x": "g / (1 - x**2)"}
    because = {"x": "The slope of the inverse hyperbolic tangent is 1 / (1 - x²): steep without bound towards ±1."}
    samples = BETWEEN


class Plane(Op):
    """What functions of a point in the plane share."""

    broadcasts = True
    samples = "(2,3) (2,3)", "(2,1) (3,)"


@register
class Atan2(Plane):
    """Cell by cell the angle of the point (x, y), counted from the x-axis."""

    written = "torch.atan2(y, x)", "y.atan2(x)", "torch.arctan2(y, x)"
    backward = {"y": "x * g / (x**2 + y**2)", "x": "-y * g / (x**2 + y**2)"}
    why_not_exact = "autograd takes 1 over the squared distance first, and multiplies by that"
    because = {
        "y": "Upwards the point turns by the share that its x has in its squared distance.",
        "x": "To the right the point turns back, by the share that its y has in its squared distance.",
    }


@register
class Hypot(Plane):
    """Cell by cell the distance of the point (x, y) from the origin."""

    written = "torch.hypot(x, y)", "x.hypot(y)"
    backward = {"x": "x * g / out", "y": "y * g / out"}
    because = {
        "x": "The distance grows along {x} by the share that {x} has in it.",
        "y": "The distance grows along {y} by the share that {y} has in it.",
    }
    cell = "sqrt(x ** 2 + y ** 2)"
