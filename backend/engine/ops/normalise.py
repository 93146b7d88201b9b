"""Normalisations and attention: fused operations whose closed forms share helper lines."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as functional

from backend.engine.language.errors import Refusal
from backend.engine.ops.base import Call, Op, Shape, folding, widened

PATHS = (
    "Each cell counts directly, through the mean and through the variance. "
    "Together, the gradient loses its average and its part along the normalised values."
)
FIXED = "Mean and deviation are given numbers here, so {x} is only scaled: the gradient is scaled the same way."
GAIN = "The gain multiplies every value it was copied to: its gradient sums products with the normalised values."
SHIFT = "The shift is added to every value it was copied to: its gradient sums over those copies."


class Normalisation(Op):
    """What all of them share: `xhat` is the normalised input, `scaled` what arrives times the gain."""

    backward = {"x": "towards", "weight": "over_copies_both", "bias": "over_copies"}
    why_not_exact = "autograd's own kernel keeps mean and deviation, and adds in another order"
    because = {"x": PATHS, "weight": GAIN, "bias": SHIFT}
    aids = {
        "inv": "torch.rsqrt(variance + eps)",
        "xhat": "(x - centre) * inv",
        "scaled": "arriving",
    }

    @classmethod
    def axes(cls, dims: dict[str, list[str]], call: Call) -> list[str] | None:
        return dims["x"]

    @classmethod
    def words(cls, call: Call, along: tuple[int, ...], copies: tuple[int, ...], gain: str) -> dict[str, str]:
        """Words for a normalisation along some axes, whose gain and shift were copied along others."""
        dim = str(along[0] if len(along) == 1 else along)
        summed = f".sum({copies[0] if len(copies) == 1 else copies})" if copies else ""
        has_gain = call.shapes.get("weight") is not None
        return {
            "along": dim,
            "centre": f"x.mean({dim}, keepdim=True)",
            "variance": f"x.var({dim}, unbiased=False, keepdim=True)",
            "towards": "inv * (scaled - average_scaled - xhat * average_both)",
            "arriving": f"g * {gain}" if has_gain else "g",
            "average_scaled": f"scaled.mean({dim}, keepdim=True)",
            "average_both": f"(xhat * scaled).mean({dim}, keepdim=True)",
            "over_copies": f"g{summed}",
            "over_copies_both": f"(g * xhat){summed}",
        }


def last_axes(call: Call) -> str:
    """The axes that a norm over the last ones takes together, in words."""
    inner = len(call.parameters["normalized_shape"])
    return "along the last axis" if inner == 1 else f"along the last {inner} axes"


def learned(call: Call) -> str:
    """What is done to the normalised values, where it is anything."""
    return "".join({"weight": ", times {weight}", "bias": ", plus {bias}"}.get(name, "") for name in call.shapes)


class LayerNorm(Normalisation):
    """A tensor minus its mean, over its deviation, along the last axes; then gain and shift."""

    written = ("F.layer_norm(x, normalized_shape, weight=None, bias=None, eps=1e-5)",)
    samples = (
        "(2,4) normalized_shape=(4,)", "(2,4) (4,) (4,) normalized_shape=(4,)", "(2,3,4) (3,4) (3,4) normalized_shape=(3,4)",
        "(2,3,4) (4,) (4,) normalized_shape=(4,)",
    )  # fmt: skip

    @classmethod
    def failed(cls, key: str, shapes: Sequence[Shape], error: Exception, at: ast.AST) -> Refusal | None:
        """Torch's "expected input with shape [*, 8], but got input of size[5, 7]"."""
        told = re.search(r"with shape \[\*?,? ?([\d, ]+)\]", str(error))
        if told is None or not shapes or not shapes[0]:
            return None
        wanted = tuple(int(size) for size in told[1].split(","))
        m, n = next(((a, b) for a, b in zip(shapes[0][::-1], wanted[::-1], strict=False) if a != b), (None, None))
        return Refusal("shapes-do-not-fit", name=key, shapes=f"{shapes[0]} and {wanted}", m=m, n=n, at=at)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        rank, inner = len(call.out), len(call.parameters["normalized_shape"])
        return cls.words(call, tuple(range(-inner, 0)), tuple(range(rank - inner)), "weight")

    @classmethod
    def does_for(cls, call: Call) -> str:
        return f"{{it}} is {{x}} less its mean, over its standard deviation, {last_axes(call)}{learned(call)}."

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        gain = " * weight" if "weight" in call.shapes else ""
        shift = " + bias" if "bias" in call.shapes else ""
        dim = tuple(range(-len(call.parameters["normalized_shape"]), 0))
        along = dim[0] if len(dim) == 1 else dim
        return [
            f"mean = x.mean({along}, keepdim=True)",
            "diff = x - mean",
            f"var = (diff**2).mean({along}, keepdim=True)",
            "inv = (var + eps)**-0.5",
            "xhat = diff * inv",
            f"out = xhat{gain}{shift}",
        ]


def on_copies(x: torch.Tensor, running_mean: Any, running_var: Any, *args: Any, **kwargs: Any) -> torch.Tensor:
    """F.batch_norm on copies of its running statistics: torch would change a program's inputs."""
    mean, var = (None if one is None else one.detach().clone() for one in (running_mean, running_var))
    return functional.batch_norm(x, mean, var, *args, **kwargs)


class BatchNorm(Normalisation):
    """A tensor minus each channel's mean over the batch, over its deviation; then gain and shift."""

    written = (
        "F.batch_norm(x, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5)",
    )
    does = "{it} subtracts each channel's mean and divides by its deviation."
    samples = (
        "(4,3) running_mean=None running_var=None training=True",
        "(4,3) (3,) (3,) running_mean=None running_var=None training=True",
        "(4,3,2) (3,) (3,) running_mean=None running_var=None training=True",
        "(4,3) (3,) (3,) running_mean=torch.zeros(3) running_var=torch.ones(3)",
    )

    others = frozenset({"running_mean", "running_var"})
    runs = {"F.batch_norm": on_copies}

    @classmethod
    def because_for(cls, name: str, call: Call) -> str:
        fixed = name == "x" and not call.parameters["training"]
        return FIXED if fixed else super().because_for(name, call)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        rank = len(call.out)
        others = (0, *range(2, rank))
        words = cls.words(call, others, others, widened("weight", range(1, rank - 1)))
        if call.parameters["training"]:
            return words
        wide = widened("", range(1, rank - 1))
        fixed = {"centre": f"running_mean{wide}", "variance": f"running_var{wide}", "towards": "inv * scaled"}
        return words | fixed

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        if len(call.out) != 2 or not call.parameters["training"]:
            return []
        gain = " * weight" if "weight" in call.shapes else ""
        shift = " + bias" if "bias" in call.shapes else ""
        return [
            "mean = x.mean(0, keepdim=True)",
            "diff = x - mean",
            "var = (diff**2).mean(0, keepdim=True)",
            "inv = (var + eps)**-0.5",
            "xhat = diff * inv",
            f"out = xhat{gain}{shift}",
        ]


class GroupNorm(Normalisation):
    """A tensor minus the mean of each group of channels, over its deviation; then gain and shift."""

    written = ("F.group_norm(x, num_groups, weight=None, bias=None, eps=1e-5)",)
    backward = {
        "x": "(inv * (scaled - average_scaled - xhat * average_both)).reshape(x.shape)",
        "weight": "over_copies_both",
        "bias": "over_copies",
    }
    does = "{it} subtracts the mean of each group of channels and divides by its deviation."
    aids = {
        "inv": "torch.rsqrt(x.reshape(grouped).var(-1, unbiased=False, keepdim=True) + eps)",
        "xhat": "(x.reshape(grouped) - x.reshape(grouped).mean(-1, keepdim=True)) * inv",
        "scaled": "(arriving).reshape(grouped)",
    }
    samples = "(2,4) num_groups=2", "(2,4) (4,) (4,) num_groups=2", "(2,4,3) (4,) (4,) num_groups=2"

    @classmethod
    def check(cls, bound: Mapping[str, Any], name: str, at: ast.AST) -> None:
        """Which numbers don't divide each other torch doesn't say."""
        shape, groups, weight = bound["x"].shape, bound["num_groups"], bound["weight"]
        fits = weight is None or weight.shape == shape[1:2]
        if len(shape) > 1 and fits and isinstance(groups, int) and (groups < 1 or shape[1] % groups):
            raise Refusal("shapes-do-not-fit/groups", name=name, m=shape[1], n=groups, at=at)

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        shape, rank, groups = call.out, len(call.out), call.parameters["num_groups"]
        words = cls.words(call, (-1,), (0, *range(2, rank)), widened("weight", range(1, rank - 1)))
        both = words["over_copies_both"].replace("xhat", "xhat.reshape(x.shape)")
        return words | {"grouped": str((shape[0], groups, math.prod(shape[1:]) // groups)), "over_copies_both": both}


class RmsNorm(Normalisation):
    """A tensor over the root of its mean square, along the last axes; then gain (Zhang and Sennrich, 2019)."""

    written = ("F.rms_norm(x, normalized_shape, weight=None, eps=None)",)
    backward = {"x": "inv * (scaled - xhat * average_both)", "weight": "over_copies_both"}
    why_not_exact = "torch computes this in smaller steps, and autograd goes back through each"
    because = {
        "x": "Each cell counts directly and through the mean square, which takes away the part along {x}.",
        "weight": GAIN,
    }
    aids = {
        "inv": "torch.rsqrt((x**2).mean(along, keepdim=True) + small)",
        "xhat": "x * inv",
        "scaled": "arriving",
    }
    samples = (
        "(2,4) normalized_shape=(4,) eps=1e-6",
        "(2,4) (4,) normalized_shape=(4,)",
        "(2,3,4) (4,) normalized_shape=(4,) eps=1e-5",
    )

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        rank, inner = len(call.out), len(call.parameters["normalized_shape"])
        small = "eps" if call.parameters["eps"] is not None else "torch.finfo(x.dtype).eps"
        return cls.words(call, tuple(range(-inner, 0)), tuple(range(rank - inner)), "weight") | {"small": small}

    @classmethod
    def does_for(cls, call: Call) -> str:
        return f"{{it}} is {{x}} over the root of its mean square, {last_axes(call)}{learned(call)}."

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        if call.parameters["eps"] is None or len(call.parameters["normalized_shape"]) != 1:
            return []
        gain = " * weight" if "weight" in call.shapes else ""
        return ["square = (x**2).mean(-1, keepdim=True)", "inv = (square + eps)**-0.5", f"out = x * inv{gain}"]


class Normalize(Op):
    """A tensor divided by its length along an axis, the Euclidean one unless another is given."""

    written = ("F.normalize(x, p=2.0, dim=1, eps=1e-12)",)
    backward = {"x": "g / size - along"}
    why_not_exact = "torch divides by a stretched length, and autograd goes back through each step"
    because = {"x": "Stretching {x} along itself leaves its direction, so that part of the gradient drops out."}
    does = "{it} divides {x} by its length {over}."
    aids = {"size": "length.clamp(min=eps)"}
    samples = "(3,4)", "(3,4) dim=0", "(2,3,4) dim=-1", "(3,4) p=1", "(3,4) p=3.0 dim=0", "(3,4) p=0"

    @classmethod
    def accepts(cls, bound: Any, is_tensor: Any) -> bool:
        return super().accepts(bound, is_tensor) and isinstance(bound["p"], int | float) and math.isfinite(bound["p"])

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        power = call.parameters["p"]
        if power == 2:
            along = "x * ((x * g).sum(dim, keepdim=True) * (size > eps) / size**3)"
            return {"length": "x.norm(dim=dim, keepdim=True)", "along": along}
        slope = {0: "0.0", 1: "torch.sign(x)"}.get(power, "torch.sign(x) * (torch.abs(x) / size)**(p - 1)")
        along = f"{slope} * ((x * g).sum(dim, keepdim=True) * (size > eps) / size**2)"
        return {"length": "x.norm(p=p, dim=dim, keepdim=True)", "along": along}

    @classmethod
    def inside(cls, call: Call) -> list[str]:
        if call.parameters["p"] != 2:
            return []
        return ["length = x.norm(dim=dim, keepdim=True)", "out = x / length.clamp(min=eps)"]


class CosineSimilarity(Op):
    """The cosine of the angle between two tensors along an axis."""

    called = {"x1": "x", "x2": "y"}
    written = "F.cosine_similarity(x, y, dim=1, eps=1e-8)", "torch.cosine_similarity(x, y, dim=1, eps=1e-8)"
    backward = {"x": "kept * (y / (nx * ny) - cosine * x / nx**2)", "y": "kept * (x / (nx * ny) - cosine * y / ny**2)"}
    why_not_exact = "torch divides both by their lengths first, and autograd goes back through that"
    because = {
        "x": "The cosine grows fastest towards {y}, less the part that only makes {x} longer.",
        "y": "The cosine grows fastest towards {x}, less the part that only makes {y} longer.",
    }
    does = "{it} is the cosine of the angle between {x} and {y}, along an axis."
    aids = {
        "nx": "x.norm(dim=dim, keepdim=True).clamp(min=eps)",
        "ny": "y.norm(dim=dim, keepdim=True).clamp(min=eps)",
        "cosine": "(x * y).sum(dim, keepdim=True) / (nx * ny)",
    }
    broadcasts = True
    samples = "(3,4) (3,4)", "(2,3,4) (2,3,4) dim=-1", "(3,4) (1,4) dim=1"

    @classmethod
    def derive(cls, call: Call) -> dict[str, str]:
        return {"kept": f"g.unsqueeze({call.parameters['dim']})"}

    @classmethod
    def subscripts(cls, call: Call) -> str:
        x, y = call.shapes.values()
        own = folding(x, (call.parameters["dim"] % max(len(x), 1),), False)
        return f"{own.partition('->')[0]},{own}" if x == y else ""
