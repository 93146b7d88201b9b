"""Angles: sines and their like, their inverses, and the lengths that go with them."""

from __future__ import annotations

from backend.engine.ops.base import Op
from backend.engine.ops.pointwise import Pointwise

BETWEEN = "(2,3)01", "()01"


class Sin(Pointwise):
    """Cell-by-cell sine."""

    written = "torch.sin(x)", "x.sin()"
    symbol = "sin"
    backward = {"x": "torch.cos(x) * g"}
    because = {"x": "The slope of the sine is the cosine: {=torch.cos(x)}."}


class Cos(Pointwise):
    """Cell-by-cell cosine."""

    written = "torch.cos(x)", "x.cos()"
    symbol = "cos"
    backward = {"x": "-torch.sin(x) * g"}
    because = {"x": "The slope of the cosine is minus the sine: {=-torch.sin(x)}."}


class Tan(Pointwise):
    """Cell-by-cell tangent."""

    written = "torch.tan(x)", "x.tan()"
    backward = {"x": "(1 + out**2) * g"}
    because = {"x": "The slope of the tangent follows from its output: {=1 + out**2}."}


class Atan(Pointwise):
    """Cell-by-cell inverse tangent."""

    written = "torch.atan(x)", "x.atan()", "torch.arctan(x)"
    backward = {"x": "g / (x**2 + 1)"}
    because = {"x": "The slope is {=1 / (1 + x**2)}: steep near zero, flat far out."}


class Sinh(Pointwise):
    """Cell-by-cell hyperbolic sine."""

    written = "torch.sinh(x)", "x.sinh()"
    backward = {"x": "torch.cosh(x) * g"}
    because = {"x": "The slope of the hyperbolic sine is the hyperbolic cosine: {=torch.cosh(x)}."}


class Cosh(Pointwise):
    """Cell-by-cell hyperbolic cosine."""

    written = "torch.cosh(x)", "x.cosh()"
    backward = {"x": "torch.sinh(x) * g"}
    because = {"x": "The slope of the hyperbolic cosine is the hyperbolic sine: {=torch.sinh(x)}."}


class Asin(Pointwise):
    """Cell-by-cell inverse sine."""

    written = "torch.asin(x)", "x.asin()", "torch.arcsin(x)"
    backward = {"x": "g * torch.rsqrt(1 - x**2)"}
    because = {"x": "The slope is {=torch.rsqrt(1 - x**2)}: ever steeper towards ±1."}
    samples = BETWEEN


class Acos(Pointwise):
    """Cell-by-cell inverse cosine."""

    written = "torch.acos(x)", "x.acos()", "torch.arccos(x)"
    backward = {"x": "-g * torch.rsqrt(1 - x**2)"}
    because = {"x": "The slope is {=-torch.rsqrt(1 - x**2)}: ever steeper towards ±1."}
    samples = BETWEEN


class Asinh(Pointwise):
    """Cell-by-cell inverse hyperbolic sine."""

    written = "torch.asinh(x)", "x.asinh()", "torch.arcsinh(x)"
    backward = {"x": "g * torch.rsqrt(x**2 + 1)"}
    because = {"x": "The slope is {=torch.rsqrt(x**2 + 1)}: 1 at zero, small far out."}


class Acosh(Pointwise):
    """Cell-by-cell inverse hyperbolic cosine."""

    written = "torch.acosh(x)", "x.acosh()", "torch.arccosh(x)"
    backward = {"x": "g * torch.rsqrt(x**2 - 1)"}
    because = {"x": "The slope is {=torch.rsqrt(x**2 - 1)}: ever steeper towards 1."}
    samples = "(2,3)>1", "()>1"


class Atanh(Pointwise):
    """Cell-by-cell inverse hyperbolic tangent."""

    written = "torch.atanh(x)", "x.atanh()", "torch.arctanh(x)"
    backward = {"x": "g / (1 - x**2)"}
    because = {"x": "The slope is {=1 / (1 - x**2)}: ever steeper towards ±1."}
    samples = BETWEEN


class Plane(Op):
    """What functions of a point in the plane share."""

    broadcasts = True
    samples = "(2,3) (2,3)", "(2,1) (3,)"


class Atan2(Plane):
    """Cell by cell the angle of a point in the plane, counted from the first axis."""

    masks = False
    written = "torch.atan2(y, x)", "y.atan2(x)", "torch.arctan2(y, x)"
    backward = {"y": "x * g / (x**2 + y**2)", "x": "-y * g / (x**2 + y**2)"}
    why_not_exact = "autograd takes 1 over the squared distance first, and multiplies by that"
    because = {
        "y": "Nudge {y} and the angle turns: the local derivative is {=x / (x**2 + y**2)}.",
        "x": "Nudge {x} and the angle turns as well: the local derivative is {=-y / (x**2 + y**2)}.",
    }
    does = "{it} is the angle of the point with these two coordinates{cellwise}."
    cell = "atan2(y, x)"


class Hypot(Plane):
    """Cell by cell the distance of a point in the plane from the origin."""

    written = "torch.hypot(x, y)", "x.hypot(y)"
    backward = {"x": "x * g / out", "y": "y * g / out"}
    because = {
        "x": "Nudge {x} and the distance grows by its share of it: the local derivative is {=x / out}.",
        "y": "Nudge {y} and the distance grows by its share of it: the local derivative is {=y / out}.",
    }
    does = "{it} is the distance from the origin of the point with these two coordinates."
    cell = "sqrt(x ** 2 + y ** 2)"
